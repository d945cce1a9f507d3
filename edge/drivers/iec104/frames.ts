// IEC 60870-5-104: frames (5), and the information objects of IEC 60870-5-101 (7) that they carry.
import { Quality } from '../../../contract/telemetry.ts'

/** Invalid frames. */
export class Garbled extends Error {}

/** U-format functions (5.1): start, stop and test, activation and confirmation. */
export const functions = { startAct: 0x07, startCon: 0x0b, stopAct: 0x13, stopCon: 0x23, testAct: 0x43, testCon: 0x83 } as const
export type Apdu = { length: number } & (
  | { kind: 'I'; sent: number; received: number; asdu: Buffer }
  | { kind: 'S'; received: number }
  | { kind: 'U'; function: number }
)
const [start, headBytes, longest] = [0x68, 6, 253]
/** Sequence numbers wrap at 2^15. */
export const modulo = 0x8000

/** The first complete frame, undefined if more bytes are needed. @throws Garbled */
export const takeApdu = (bytes: Buffer): Apdu | undefined => {
  if (!bytes.length) return undefined
  if (bytes[0] !== start) throw new Garbled('bytes that are no frame')
  const size = bytes[1]
  if (size === undefined) return undefined
  if (size < 4 || size > longest) throw new Garbled(`a frame of ${size} bytes`)
  const length = size + 2
  if (bytes.length < length) return undefined
  const received = bytes.readUInt16LE(4) >> 1
  if (!(bytes[2]! & 1)) return { kind: 'I', length, sent: bytes.readUInt16LE(2) >> 1, received, asdu: bytes.subarray(headBytes, length) }
  return bytes[2]! & 2 ? { kind: 'U', length, function: bytes[2]! } : { kind: 'S', length, received }
}
const numbers = (first: number, second: number) => {
  const head = Buffer.alloc(4)
  head.writeUInt16LE(first, 0)
  head.writeUInt16LE(second, 2)
  return head
}
const frame = (control: Buffer, asdu: Buffer = Buffer.alloc(0)) =>
  Buffer.concat([Buffer.of(start, control.length + asdu.length), control, asdu])
export const iFrame = (sent: number, received: number, asdu: Buffer) => frame(numbers(sent << 1, received << 1), asdu)
export const sFrame = (received: number) => frame(numbers(1, received << 1))
export const uFrame = (fn: number) => frame(Buffer.of(fn, 0, 0, 0))

/** Causes of transmission (101, 7.2.3). */
export const causes = { activation: 6, confirmation: 7, termination: 10, unknownFirst: 44, unknownCommon: 46, unknownLast: 47 } as const
/** Station commands: interrogation, and counter interrogation. */
export const commands = { interrogation: 100, counters: 101 } as const
/** Qualifiers: all of a station; all counters, without freezing them. */
const qualifiers: Readonly<Record<number, number>> = { [commands.interrogation]: 20, [commands.counters]: 5 }

export const commandAsdu = (type: number, common: number, originator: number) =>
  Buffer.of(type, 1, causes.activation, originator, common & 0xff, common >> 8, 0, 0, 0, qualifiers[type] ?? 0)

export type Value = { address: number; value: number | null; quality: number; time?: number }
export type Asdu = { type: number; cause: number; isNegative: boolean; common: number; values: Value[] }

const [overflow, blocked, substituted, notTopical, invalid] = [1, 0x10, 0x20, 0x40, 0x80]
const doubtful = blocked | substituted | notTopical
const judged = (value: number, quality: number): Pick<Value, 'value' | 'quality'> => {
  if (quality & invalid || !Number.isFinite(value)) return { value: null, quality: Quality.exception }
  return { value, quality: quality & doubtful ? Quality.uncertain : Quality.good }
}
/** A measured value has an overflow bit in addition to the common bits. */
const measured = (value: number, quality: number) => judged(value, quality & overflow ? quality | blocked : quality)

type Element = { size: number; read(bytes: Buffer, at: number): Pick<Value, 'value' | 'quality'> }
const single: Element = { size: 1, read: (b, at) => judged(b[at]! & 1, b[at]! & 0xf0) }
const double: Element = {
  size: 1,
  read: (b, at) => {
    const state = b[at]! & 3
    // Neither off (1) nor on (2): intermediate or indeterminate.
    return judged(state, state === 0 || state === 3 ? (b[at]! & 0xf0) | blocked : b[at]! & 0xf0)
  },
}
const normalized: Element = { size: 3, read: (b, at) => measured(b.readInt16LE(at) / 0x8000, b[at + 2]!) }
const plain: Element = { size: 2, read: (b, at) => judged(b.readInt16LE(at) / 0x8000, 0) }
const scaled: Element = { size: 3, read: (b, at) => measured(b.readInt16LE(at), b[at + 2]!) }
const float: Element = { size: 5, read: (b, at) => measured(Number(b.readFloatLE(at).toPrecision(7)), b[at + 4]!) }
const total: Element = { size: 5, read: (b, at) => judged(b.readInt32LE(at), b[at + 4]! & invalid) }
/** Elements by type; types from 30 on have a time. */
const elements: Readonly<Record<number, Element>> = {
  ...{ 1: single, 3: double, 9: normalized, 11: scaled, 13: float, 15: total, 21: plain },
  ...{ 30: single, 31: double, 34: normalized, 35: scaled, 36: float, 37: total },
}
const timeBytes = 7

/** Seven-byte time (101, 7.2.6.18); undefined if the station marks it as invalid. */
export const timeOf = (b: Buffer, at: number, isLocal: boolean): number | undefined => {
  const [minute, hour, day, month, year] = [b[at + 2]!, b[at + 3]! & 0x1f, b[at + 4]! & 0x1f, b[at + 5]! & 0x0f, b[at + 6]! & 0x7f]
  const ms = b.readUInt16LE(at)
  if (minute & 0x80 || (minute & 0x3f) > 59 || hour > 23 || day < 1 || month < 1 || month > 12 || ms > 59_999) return undefined
  const parts = [2000 + year, month - 1, day, hour, minute & 0x3f, Math.floor(ms / 1000), ms % 1000] as const
  return isLocal ? new Date(...parts).getTime() : Date.UTC(...parts)
}

/** Parses an ASDU. Values of unknown types are left out. @throws Garbled */
export const readAsdu = (asdu: Buffer, isLocal = false): Asdu => {
  if (asdu.length < headBytes) throw new Garbled('an ASDU that ends early')
  const [type, structure, cause] = [asdu[0]!, asdu[1]!, asdu[2]!]
  const head = { type, cause: cause & 0x3f, isNegative: (cause & 0x40) !== 0, common: asdu.readUInt16LE(4) }
  const element = elements[type]
  // Test values are ignored.
  if (!element || cause & 0x80) return { ...head, values: [] }
  const [count, isSequence] = [structure & 0x7f, (structure & 0x80) !== 0]
  const size = element.size + (type >= 30 ? timeBytes : 0)
  const expected = headBytes + (isSequence ? 3 + count * size : count * (3 + size))
  if (asdu.length !== expected) throw new Garbled(`an ASDU of ${asdu.length} bytes instead of ${expected}`)
  const first = isSequence ? asdu.readUIntLE(headBytes, 3) : 0
  const values = Array.from({ length: count }, (_, i): Value => {
    const at = isSequence ? headBytes + 3 + i * size : headBytes + i * (3 + size) + 3
    const time = type >= 30 ? timeOf(asdu, at + element.size, isLocal) : undefined
    return {
      ...{ address: isSequence ? first + i : asdu.readUIntLE(at - 3, 3), ...element.read(asdu, at) },
      ...(time === undefined ? {} : { time }),
    }
  })
  return { ...head, values }
}

const typeNames: Readonly<Record<number, string>> = {
  ...{ 1: 'single point', 3: 'double point', 9: 'normalized value', 11: 'scaled value', 13: 'float value', 15: 'counter' },
  ...{ 21: 'normalized value', 30: 'single point', 31: 'double point', 34: 'normalized value', 35: 'scaled value', 36: 'float value' },
  ...{
    37: 'counter',
    70: 'end of initialization',
    [commands.interrogation]: 'interrogation',
    [commands.counters]: 'counter interrogation',
  },
}
const functionNames: Readonly<Record<number, string>> = {
  [functions.startAct]: 'start of data, asked',
  [functions.startCon]: 'start of data, confirmed',
  [functions.stopAct]: 'stop of data, asked',
  [functions.stopCon]: 'stop of data, confirmed',
  [functions.testAct]: 'test, asked',
  [functions.testCon]: 'test, confirmed',
}
/** Describes a frame for a trace. */
export const meaningOf = (apdu: Apdu): string => {
  if (apdu.kind === 'U') return functionNames[apdu.function] ?? `function ${apdu.function}`
  if (apdu.kind === 'S') return `received up to ${apdu.received}`
  const { asdu, sent } = apdu
  if (asdu.length < headBytes) return `${sent}: an ASDU that ends early`
  const name = typeNames[asdu[0]!] ?? `type ${asdu[0]}`
  return `${sent}: ${name}, cause ${asdu[2]! & 0x3f}${asdu[2]! & 0x40 ? ', refused' : ''}, common address ${asdu.readUInt16LE(4)}`
}
