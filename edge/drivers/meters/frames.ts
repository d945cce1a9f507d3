// Frames of DL/T 645 (7.1 of 2007, 6.1 of 1997) and CJ/T 188 (6.2): 68, whose meter, control code, length, data, sum, 16.

export type MeterFrame = {
  /** The digits on the meter, high first. */
  address: string
  /** CJ/T 188: what kind of meter. */
  type: number
  control: number
  data: Buffer
  bytes: Buffer
}
/** Where a frame has what. */
export type Layout = {
  addressAt: number
  addressBytes: number
  /** A second 68 behind the address. */
  hasSecondStart: boolean
  /** Added to each byte of data on the line. */
  offset: number
  /** Data of a frame at most. */
  longest: number
}
export const dlt645Layout: Layout = { addressAt: 1, addressBytes: 6, hasSecondStart: true, offset: 0x33, longest: 200 }
export const cjt188Layout: Layout = { addressAt: 2, addressBytes: 7, hasSecondStart: false, offset: 0, longest: 200 }

const [start, end] = [0x68, 0x16]
/** A plain loop: noise is summed up at each byte that may begin a frame. */
const sum = (bytes: Buffer) => {
  let total = 0
  for (let i = 0; i < bytes.length; i++) total += bytes[i]!
  return total & 0xff
}
const headOf = ({ addressAt, addressBytes, hasSecondStart }: Layout) => addressAt + addressBytes + (hasSecondStart ? 1 : 0)
const shifted = (data: Buffer, by: number) => Buffer.from(data.map((byte) => byte + by))

/** Bytes of an address, low first. */
export const addressBytes = (address: string) => Buffer.from(address, 'hex').reverse()
/** Of a frame to all that hear it, to find the address of a single one. */
export const anyone = ({ addressBytes: count }: Layout) => 'A'.repeat(count * 2)

/** `preamble`: FE wake-up bytes. `masked`: secret data bytes to hide in traces. */
export const frameOf = (layout: Layout, given: Omit<MeterFrame, 'bytes'>, preamble = 0) => {
  const { address, type, control, data } = given
  const body = Buffer.concat([
    Buffer.of(start, ...(layout.addressAt === 2 ? [type] : [])),
    addressBytes(address),
    Buffer.of(...(layout.hasSecondStart ? [start] : []), control, data.length),
    shifted(data, layout.offset),
  ])
  return Buffer.concat([Buffer.alloc(preamble, 0xfe), body, Buffer.of(sum(body), end)])
}

/** The same without some bytes of its data, and without the sum that would tell them. */
export const masked = (layout: Layout, frame: Buffer, preamble: number, from: number, count: number) => {
  const shown = Buffer.from(frame)
  const at = preamble + headOf(layout) + 2 + from
  shown.fill(0, at, at + count)
  shown[shown.length - 2] = 0
  return shown
}

type Found = MeterFrame | 'begun' | 'broken' | undefined
const frameAt = (layout: Layout, bytes: Buffer, at: number): Found => {
  if (bytes[at] !== start) return undefined
  const head = at + headOf(layout)
  if (layout.hasSecondStart && head - 1 < bytes.length && bytes[head - 1] !== start) return undefined
  const length = bytes[head + 1]
  if (length === undefined) return 'begun'
  if (length > layout.longest) return undefined
  const last = head + 2 + length + 1
  if (bytes.length <= last) return 'begun'
  if (sum(bytes.subarray(at, last - 1)) !== bytes[last - 1] || bytes[last] !== end) return 'broken'
  return {
    address: Buffer.from(bytes.subarray(at + layout.addressAt, at + layout.addressAt + layout.addressBytes))
      .reverse()
      .toString('hex')
      .toUpperCase(),
    type: layout.addressAt === 2 ? bytes[at + 1]! : 0,
    control: bytes[head]!,
    data: shifted(bytes.subarray(head + 2, last - 1), -layout.offset),
    bytes: bytes.subarray(at, last + 1),
  }
}

/** The control code of a frame that a meter sends. */
const isAnswer = ({ control }: MeterFrame) => (control & 0x80) !== 0

/**
 * The first whole answer in the bytes, undefined while more are needed. What is in front of it is passed over: FE, noise, and our own
 * question where an adapter repeats it. @throws Error where a frame is broken and nothing good follows
 */
export const takeAnswer = (layout: Layout, bytes: Buffer): MeterFrame | undefined => {
  let [isBegun, isBroken] = [false, false]
  for (let at = 0; at < bytes.length; at++) {
    const found = frameAt(layout, bytes, at)
    if (found === 'begun') isBegun = true
    else if (found === 'broken') isBroken = true
    else if (found && isAnswer(found)) return found
    else if (found) at += found.bytes.length - 1
  }
  if (isBroken && !isBegun) throw new Error('the sum of a frame does not match')
}
