// Describes a framed protocol without code: framing, checksum, requests, and where each value sits in a response.
import { type Static, Type } from 'typebox'
import { checksumBytes, checksums } from '../parsing/checksum.ts'
import { hexBytes, parseTemplate, type Token, templateBytes } from './template.ts'

const oneOf = <T extends string>(values: readonly T[]) => Type.Unsafe<T>(Type.Union(values.map((value) => Type.Literal(value))))
const strict = { additionalProperties: false } as const

/** How the end of a frame is known: the line is silent, its length, its last bytes, or a field with its length. */
export const framings = ['silence', 'length', 'delimiter', 'lengthField'] as const
export const [mostFrameBytes, mostRequests, mostFields, longestHex] = [1024, 32, 64, 3200] as const
const marker = Type.String({ maxLength: 47, pattern: '^\\s*([0-9A-Fa-f]{2}\\s*)*$' })
const Order = oneOf(['high', 'low'])

export const Frame = Type.Object(
  {
    By: oneOf(framings),
    /** Of silence: ms without a byte. */
    SilenceMs: Type.Optional(Type.Integer({ minimum: 5, maximum: 1000 })),
    /** Of a length: bytes of the whole frame. */
    Length: Type.Optional(Type.Integer({ minimum: 1, maximum: mostFrameBytes })),
    /** First and last bytes of a frame, in hex. What comes before the first ones is noise. */
    Start: Type.Optional(marker),
    End: Type.Optional(marker),
    /** Of a length field: where it is, its width and byte order, and the bytes of the frame that it does not count. */
    LengthAt: Type.Optional(Type.Integer({ minimum: 0, maximum: 255 })),
    LengthBytes: Type.Optional(Type.Union([Type.Literal(1), Type.Literal(2)])),
    LengthOrder: Type.Optional(Order),
    LengthAdd: Type.Optional(Type.Integer({ minimum: -255, maximum: mostFrameBytes })),
    Checksum: Type.Optional(oneOf(checksums)),
    /** The first byte that the checksum covers; it covers all from there to itself. */
    ChecksumFrom: Type.Optional(Type.Integer({ minimum: 0, maximum: 255 })),
    /** Bytes of the frame after the checksum. */
    ChecksumAfter: Type.Optional(Type.Integer({ minimum: 0, maximum: 16 })),
    ChecksumOrder: Type.Optional(Order),
  },
  strict,
)
export type Frame = Static<typeof Frame>

/** Of numbers, bytes of each; a number of BCD has as many as its field says. */
export const valueTypes = ['u8', 'i8', 'u16', 'i16', 'u32', 'i32', 'u64', 'i64', 'f32', 'f64', 'bcd', 'bit'] as const
export type ValueType = (typeof valueTypes)[number]
export const byteOrders = ['ABCD', 'DCBA', 'BADC', 'CDAB'] as const
const number = {
  Type: oneOf(valueTypes),
  Order: Type.Optional(oneOf(byteOrders)),
  /** Of BCD. */
  Bytes: Type.Optional(Type.Integer({ minimum: 1, maximum: 7 })),
  /** Number times scale plus offset. */
  Scale: Type.Optional(Type.Number({ minimum: -1e12, maximum: 1e12 })),
  Offset: Type.Optional(Type.Number({ minimum: -1e12, maximum: 1e12 })),
}
/** The address of a point of a described protocol. */
export const keyPattern = '^[A-Za-z_]\\w{0,49}$'
const Key = Type.String({ pattern: keyPattern })
const isKey = new RegExp(keyPattern)
export const ValueField = Type.Object(
  {
    ...{ Key, ...number },
    /** Its first byte in the frame, from 0. */
    At: Type.Integer({ minimum: 0, maximum: mostFrameBytes - 1 }),
    /** Of a bit: 0 is the lowest of its byte. */
    Bit: Type.Optional(Type.Integer({ minimum: 0, maximum: 7 })),
  },
  strict,
)
export type ValueField = Static<typeof ValueField>
export type NumberForm = Pick<ValueField, 'Type' | 'Order' | 'Bytes' | 'Scale' | 'Offset'>

const hex = Type.String({ minLength: 1, maxLength: longestHex })
export const Request = Type.Object(
  {
    /** Hex with {addr}, {crc}, {value}. For unsolicited frames, the optional acknowledgement. */
    Send: Type.String({ maxLength: longestHex }),
    /** How the answer begins: hex with xx for any byte, {addr} and {crc}. */
    Answer: hex,
    Fields: Type.Array(ValueField, { maxItems: mostFields }),
    /** Unsolicited: the device sends this frame without a request. */
    Listen: Type.Optional(Type.Boolean()),
    /** It is sent to write this point, and not to ask. */
    Write: Type.Optional(Type.Object({ Key, ...number }, strict)),
  },
  strict,
)
export type Request = Static<typeof Request>
export const Requests = Type.Array(Request, { minItems: 1, maxItems: mostRequests })
export type Description = { Frame: Frame; Requests: readonly Request[] }

export const widthOf = ({ Type, Bytes = 1 }: NumberForm): number =>
  Type === 'bcd' ? Bytes : Type === 'bit' ? 1 : Number(/\d+/.exec(Type)![0]) / 8

/** Of all requests as JSON, so that a channel fits into a message to its gateway. */
const mostCharacters = 65_536

/** `rule` as in `fault.field.<rule>`. */
export type DescriptionFault = { field: string; rule: string; values?: Record<string, string | number> }

const needed: Record<Frame['By'], readonly (keyof Frame)[]> = {
  ...{ silence: [], length: ['Length'], delimiter: ['End'], lengthField: ['LengthAt'] },
}
const frameFaults = (frame: Frame): DescriptionFault[] => [
  ...needed[frame.By].flatMap((name) =>
    frame[name] === undefined || frame[name] === '' ? [{ field: `Frame.${name}`, rule: 'required' }] : [],
  ),
  ...(['Start', 'End'] as const).flatMap((name) => (hexBytes(frame[name]) ? [] : [{ field: `Frame.${name}`, rule: 'notHex' }])),
]

const tokenFaults = (field: string, text: string, allowed: readonly Token['is'][], frame: Frame): DescriptionFault[] => {
  const read = parseTemplate(text)
  if ('at' in read) return [{ field, rule: 'frameHex', values: { at: read.at + 1 } }]
  const wrong = read.tokens.find(({ is }) => is !== 'byte' && !allowed.includes(is))
  if (wrong) return [{ field, rule: 'frameToken', values: { text: wrong.is === 'any' ? 'xx' : `{${wrong.is}}` } }]
  if (read.tokens.some(({ is }) => is === 'crc') && !frame.Checksum) return [{ field, rule: 'frameNoChecksum' }]
  return []
}

const sendFaults = (field: string, { Send, Listen, Write }: Request, frame: Frame): DescriptionFault[] => {
  if (!Send) return Listen && !Write ? [] : [{ field, rule: 'required' }]
  return tokenFaults(field, Send, Write ? ['addr', 'crc', 'value'] : ['addr', 'crc'], frame)
}
const requestFaults = (request: Request, i: number, frame: Frame): DescriptionFault[] => {
  const { Send, Answer, Fields, Write } = request
  const at = `Requests.${i}`
  const faults = [
    ...sendFaults(`${at}.Send`, request, frame),
    ...tokenFaults(`${at}.Answer`, Answer, ['addr', 'crc', 'any', ...(Write ? (['value'] as const) : [])], frame),
  ]
  if (faults.length) return faults
  const crc = frame.Checksum ? checksumBytes[frame.Checksum] : 0
  for (const [name, text] of [
    ['Send', Send],
    ['Answer', Answer],
  ] as const)
    if (text && templateBytes(text, crc, Write ? widthOf(Write) : 0) > mostFrameBytes)
      faults.push({ field: `${at}.${name}`, rule: 'maxLength', values: { max: mostFrameBytes } })
  if (Write && !Send.includes('{value}')) faults.push({ field: `${at}.Send`, rule: 'frameNoValue' })
  if (Write?.Type === 'bit') faults.push({ field: `${at}.Write.Type`, rule: 'choice' })
  if (!Write && !Fields.length) faults.push({ field: `${at}.Fields`, rule: 'required' })
  const most = frame.By === 'length' ? (frame.Length ?? mostFrameBytes) : mostFrameBytes
  for (const [n, field] of Fields.entries())
    if (field.At + widthOf(field) > most)
      faults.push({ field: `${at}.Fields.${n}.At`, rule: 'max', values: { max: most - widthOf(field) } })
  return faults
}

/** Validates what the schema cannot, for server and form alike. Each key is read by at most one request and written by at most one. */
export const descriptionFaults = ({ Frame, Requests }: Description): DescriptionFault[] => {
  const faults: DescriptionFault[] =
    JSON.stringify(Requests).length > mostCharacters ? [{ field: 'Requests', rule: 'maxLength', values: { max: mostCharacters } }] : []
  faults.push(...frameFaults(Frame), ...Requests.flatMap((request, i) => requestFaults(request, i, Frame)))
  const [read, written] = [new Set<string>(), new Set<string>()]
  const judge = (field: string, Key: string, others: Set<string>) => {
    if (!isKey.test(Key)) faults.push({ field, rule: Key ? 'pattern' : 'required' })
    else if (others.has(Key)) faults.push({ field, rule: 'frameTwice', values: { text: Key } })
    others.add(Key)
  }
  for (const [i, { Fields, Write }] of Requests.entries()) {
    for (const [n, { Key }] of Fields.entries()) judge(`Requests.${i}.Fields.${n}.Key`, Key, read)
    if (Write) judge(`Requests.${i}.Write.Key`, Write.Key, written)
  }
  return faults
}
