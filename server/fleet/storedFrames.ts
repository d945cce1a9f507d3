// NATS messages between processes that store readings and the owner, which numbers and judges them. Readings are binary, the rest is JSON.
import type { Counted } from '../telemetry/counters.ts'
import type { Rejected, Stored } from '../telemetry/sample.ts'

/** Announcement of an ingest process, each second and to each new owner. `schema`: name of its newest migration. */
export type Join = { protocol: number; schema: string }
export type Reserve = { amount: number }
/** Undefined numbers: the owner counts this process as gone, and gateways send to others. */
export type Reserved = { first?: number }
/** Late and replaced readings of points. */
export type LateFrame = { seq: number; late: [point: number, late: number, replaced: number][] }
/**
 * Readings are stored. `seq` counts the commits of a process. `rows` and `lates`: what was sent before. `amount`: arrival numbers from `first`
 * on. `senders`: serial numbers of their gateways.
 */
export type StoredFrame = {
  seq: number
  first: number
  amount: number
  rows: number
  lates: number
  counted: Counted[]
  senders: string[]
}
/** `again`: to be asked again, since readings were lost on the way, or too many wait. `isStored` false: the numbers were given up. */
export type StoredAnswer = { isStored: boolean } | { again: 'lost' | 'full' }
export type Keep = { rejected: Rejected[] }

/** Bytes of a reading: offset of its number, quality, point, time, value. */
const rowBytes = 29
/** Offset of a reading that has no number. */
const noNumber = 0xffffffff
/** Readings of one frame, 232 kB. */
export const rowsAtOnce = 8000

export const encodeRows = (seq: number, first: number, rows: readonly Stored[]): Buffer => {
  const bytes = Buffer.allocUnsafe(4 + rows.length * rowBytes)
  bytes.writeUInt32BE(seq, 0)
  let at = 4
  for (const { point, time, value, quality, n } of rows) {
    bytes.writeUInt32BE(n ? n - first : noNumber, at)
    bytes[at + 4] = quality
    bytes.writeDoubleBE(point, at + 5)
    bytes.writeDoubleBE(time, at + 13)
    bytes.writeDoubleBE(value ?? Number.NaN, at + 21)
    at += rowBytes
  }
  return bytes
}

/** Arrival numbers are offsets until `first` is known. Throws if the frame is truncated. */
export const decodeRows = (data: Uint8Array): { seq: number; rows: Stored[] } => {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  if (data.byteLength < 4 || (data.byteLength - 4) % rowBytes) throw new Error('A frame of readings is broken.')
  const rows: Stored[] = []
  for (let at = 4; at < data.byteLength; at += rowBytes) {
    const offset = view.getUint32(at)
    const value = view.getFloat64(at + 21)
    rows.push({
      point: view.getFloat64(at + 5),
      time: view.getFloat64(at + 13),
      value: Number.isNaN(value) ? null : value,
      quality: data[at + 4]!,
      n: offset === noNumber ? -1 : offset,
    })
  }
  return { seq: view.getUint32(0), rows }
}

/** Gives readings their arrival numbers. */
export const numberRows = (rows: Stored[], first: number) => {
  for (const row of rows) row.n = row.n < 0 ? 0 : first + row.n
  return rows
}
