// Frames of DL/T 645 (7.1 of 2007, 6.1 of 1997) and CJ/T 188 (6.2): 68, address, control code, length, data, checksum, 16.

export type MeterFrame = {
  /** The digits on the meter, most significant first. */
  address: string
  /** CJ/T 188: type of meter. */
  type: number
  control: number
  data: Buffer
  bytes: Buffer
}
/** Positions in a frame. */
export type Layout = {
  addressAt: number
  addressBytes: number
  /** Whether a second 68 follows the address. */
  hasSecondStart: boolean
  /** Added to each data byte on the line. */
  offset: number
  /** Maximum data bytes of a frame. */
  longest: number
}
export const dlt645Layout: Layout = { addressAt: 1, addressBytes: 6, hasSecondStart: true, offset: 0x33, longest: 200 }
export const cjt188Layout: Layout = { addressAt: 2, addressBytes: 7, hasSecondStart: false, offset: 0, longest: 200 }

const [start, end] = [0x68, 0x16]
/** A plain loop for speed: in noise, a sum is computed at each possible start byte. */
const sum = (bytes: Buffer) => {
  let total = 0
  for (let i = 0; i < bytes.length; i++) total += bytes[i]!
  return total & 0xff
}
const headOf = ({ addressAt, addressBytes, hasSecondStart }: Layout) => addressAt + addressBytes + (hasSecondStart ? 1 : 0)
const shifted = (data: Buffer, by: number) => Buffer.from(data.map((byte) => byte + by))

/** Bytes of an address, least significant first. */
export const addressBytes = (address: string) => Buffer.from(address, 'hex').reverse()
/** Broadcast address that finds the address of a single meter. */
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

/** The frame without some data bytes and without the checksum, which would reveal them. */
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

/** Whether a meter sent the frame. */
const isAnswer = ({ control }: MeterFrame) => (control & 0x80) !== 0

/**
 * The first complete answer in the bytes; undefined while more are needed. Skips bytes before it: FE, noise, and the echo of our own
 * request by an adapter. @throws Error if a frame is invalid and no valid one follows
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
