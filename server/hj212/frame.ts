// Frames of HJ 212: `##`, four digits of length, the text, its CRC in hex, CR LF.
import { checksum } from '../../contract/parsing/checksum.ts'

const [head, tail] = [6, 4]
/** Bytes of the longest frame that four digits allow. */
export const longestFrame = head + 9999 + tail + 2
/** Wrong frames in a row after which nothing is read any more: each costs a checksum. */
export const mostFaults = 16
const mark = Buffer.from('##')

const crcOf = (text: Buffer) => checksum('crc16Hj212', text).toString(16).toUpperCase().padStart(4, '0')
/** @throws RangeError for a text of more than 9,999 bytes */
export const frameOf = (text: string): Buffer => {
  const bytes = Buffer.from(text)
  if (bytes.length > 9999) throw new RangeError('a frame of HJ 212 has at most 9,999 bytes')
  return Buffer.concat([Buffer.from(`##${String(bytes.length).padStart(4, '0')}`), bytes, Buffer.from(`${crcOf(bytes)}\r\n`)])
}

/** The bytes between length and CRC, or why there is no frame. */
export type Frame = { text: Buffer } | { fault: 'length' | 'crc' }

/** Takes frames out of a stream. Bytes between frames are left out; what is no frame is looked through for the next `##`. */
export const createFrameReader = () => {
  let held: Buffer = Buffer.alloc(0)
  let faults = 0
  /** The next frame; undefined: it is not complete. */
  const next = (): Frame | undefined => {
    const start = held.indexOf(mark)
    if (start < 0) {
      held = held.subarray(held.at(-1) === mark[0] ? -1 : held.length)
      return undefined
    }
    held = held.subarray(start)
    if (held.length < head) return undefined
    const digits = held.toString('latin1', 2, head)
    const end = head + Number(digits)
    const isLength = /^\d{4}$/.test(digits)
    if (isLength && held.length < end + tail) return undefined
    const text = held.subarray(head, end)
    if (isLength && held.toString('latin1', end, end + tail).toUpperCase() === crcOf(text)) {
      held = held.subarray(end + tail)
      faults = 0
      return { text }
    }
    faults++
    held = held.subarray(mark.length)
    return { fault: isLength ? 'crc' : 'length' }
  }
  return {
    take: (bytes: Buffer): Frame[] => {
      held = held.length ? Buffer.concat([held, bytes]) : bytes
      const frames: Frame[] = []
      for (let frame = next(); frame && faults <= mostFaults; frame = next()) frames.push(frame)
      // A copy: a few bytes must not hold on to the chunk that they came in.
      held = faults > mostFaults ? Buffer.alloc(0) : Buffer.from(held)
      return frames
    },
    /** Too much was wrong: the connection is worth nothing any more. */
    isLost: () => faults > mostFaults,
    /** A frame has begun. */
    isWithin: () => held.length > 0,
  }
}
