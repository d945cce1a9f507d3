// Cuts, checks, matches and composes frames of a described protocol. Server and gateways use the same.
import { checksum, checksumBytes } from '../parsing/checksum.ts'
import { type Description, type Frame, mostFrameBytes, type Request, widthOf } from './description.ts'
import { readValue, writeValue } from './numbers.ts'
import { hexBytes, type Token, tokensOf } from './template.ts'

const none = new Uint8Array()
/** Templates that are kept, of as many requests as one description may have, and of one before. */
const mostRead = 64
const markerOf = (text: string | undefined) => hexBytes(text) ?? none
export const find = (bytes: Uint8Array, sought: Uint8Array, from: number) => {
  const [first] = sought
  if (first === undefined) return from <= bytes.length ? from : -1
  for (let at = bytes.indexOf(first, from); at >= 0 && at + sought.length <= bytes.length; at = bytes.indexOf(first, at + 1)) {
    let same = 1
    while (same < sought.length && bytes[at + same] === sought[same]) same++
    if (same === sought.length) return at
  }
  return -1
}

/** Bytes of the frame at `from` by its length field; undefined where the field has not come, 0 where it is no frame. */
const toldLength = (frame: Frame, bytes: Uint8Array, from: number): number | undefined => {
  const { LengthAt = 0, LengthBytes = 1, LengthOrder = 'high', LengthAdd = 0 } = frame
  const at = from + LengthAt
  if (at + LengthBytes > bytes.length) return undefined
  const [first, second] = [bytes[at]!, bytes[at + 1] ?? 0]
  const told = LengthBytes === 1 ? first : LengthOrder === 'high' ? first * 256 + second : second * 256 + first
  const total = told + LengthAdd
  return total >= LengthAt + LengthBytes && total <= mostFrameBytes ? total : 0
}

/** The end of the frame at `from`; undefined while it is not there, -1 where no frame begins there. */
const endOf = (frame: Frame, bytes: Uint8Array, from: number): number | undefined => {
  if (frame.By === 'delimiter') {
    const end = markerOf(frame.End)
    const at = find(bytes, end, from + markerOf(frame.Start).length)
    // An end that is not there is not there for later beginnings either.
    return at < 0 ? undefined : at + end.length
  }
  const length = frame.By === 'length' ? frame.Length! : toldLength(frame, bytes, from)
  if (length === undefined) return undefined
  if (!length) return -1
  return from + length <= bytes.length ? from + length : undefined
}

/**
 * The first frame of what came, and what is left behind it; undefined while more must come. `isQuiet`: the line is silent, which ends a
 * frame that silence ends.
 */
export const cutFrame = (frame: Frame, bytes: Uint8Array, isQuiet: boolean): { frame: Uint8Array; rest: Uint8Array } | undefined => {
  if (frame.By === 'silence') return isQuiet && bytes.length ? { frame: bytes, rest: none } : undefined
  const start = markerOf(frame.Start)
  for (let from = find(bytes, start, 0); from >= 0 && from < bytes.length; from = find(bytes, start, from + 1)) {
    const end = endOf(frame, bytes, from)
    if (end === undefined) return undefined
    if (end > 0) return { frame: bytes.subarray(from, end), rest: bytes.subarray(end) }
  }
  return undefined
}

const numberOf = (bytes: Uint8Array, order: Frame['ChecksumOrder'] = 'low') =>
  (order === 'low' ? bytes.toReversed() : bytes).reduce((sum, byte) => sum * 256 + byte, 0)
const bytesOf = (value: number, width: number, order: Frame['ChecksumOrder'] = 'low') => {
  const bytes = Uint8Array.from({ length: width }, (_, i) => Math.floor(value / 256 ** (width - 1 - i)) % 256)
  return order === 'low' ? bytes.reverse() : bytes
}

/** Whether the checksum of a frame is right; true without one. */
export const isGuarded = ({ Checksum, ChecksumFrom = 0, ChecksumAfter = 0, ChecksumOrder }: Frame, bytes: Uint8Array): boolean => {
  if (!Checksum) return true
  const to = bytes.length - ChecksumAfter - checksumBytes[Checksum]
  if (to < ChecksumFrom) return false
  return checksum(Checksum, bytes, ChecksumFrom, to) === numberOf(bytes.subarray(to, to + checksumBytes[Checksum]), ChecksumOrder)
}

const read = new Map<string, Token[]>()
/** Each frame is compared with the answer of each request: a template is read once for all of them. */
const answerTokens = (text: string): Token[] => {
  const tokens = read.get(text) ?? tokensOf(text)
  if (read.size >= mostRead) read.clear()
  read.set(text, tokens)
  return tokens
}

/** Whether a frame begins as the answer to a request does. Of a write, `value` are the bytes that were written; any, where it is left out. */
export const isAnswer = (frame: Frame, { Answer, Write }: Request, unit: number, bytes: Uint8Array, value?: Uint8Array): boolean => {
  const widths = { byte: 1, any: 1, addr: 1, crc: frame.Checksum ? checksumBytes[frame.Checksum] : 0, value: Write ? widthOf(Write) : 0 }
  let at = 0
  for (const token of answerTokens(Answer)) {
    const width = widths[token.is]
    if (at + width > bytes.length) return false
    if (token.is === 'byte' && bytes[at] !== token.byte) return false
    if (token.is === 'addr' && bytes[at] !== unit) return false
    if (token.is === 'value' && value?.some((byte, i) => bytes[at + i] !== byte)) return false
    at += width
  }
  return true
}

/** The frame of a request. @throws RangeError for a value that does not fit */
export const compose = (frame: Frame, request: Request, unit: number, value?: number): { bytes: Uint8Array; value: Uint8Array } => {
  const written = request.Write ? writeValue(request.Write, value ?? 0) : none
  const { Checksum, ChecksumFrom = 0, ChecksumOrder } = frame
  const bytes: number[] = []
  for (const token of request.Send ? tokensOf(request.Send) : []) {
    if (token.is === 'byte') bytes.push(token.byte)
    else if (token.is === 'addr') bytes.push(unit)
    else if (token.is === 'value') bytes.push(...written)
    else if (token.is === 'crc')
      bytes.push(...bytesOf(checksum(Checksum!, bytes, ChecksumFrom, bytes.length), checksumBytes[Checksum!], ChecksumOrder))
  }
  return { bytes: Uint8Array.from(bytes), value: written }
}

export type FieldValue = { key: string; value: number | null }
export const valuesOf = ({ Fields }: Request, bytes: Uint8Array): FieldValue[] =>
  Fields.map((field) => ({ key: field.Key, value: readValue(field, bytes) }))

/** What a frame is: the request that it answers, counted from 0, and its values. Words at `selfParse.fault.<fault>`. */
export type ReadFrame = { bytes: Uint8Array; fault: 'checksum' | 'unknown' | null; request: number | null; values: FieldValue[] }
const readFrame = ({ Frame, Requests }: Description, unit: number, bytes: Uint8Array): ReadFrame => {
  if (!isGuarded(Frame, bytes)) return { bytes, fault: 'checksum', request: null, values: [] }
  const asked = Requests.findIndex((request) => isAnswer(Frame, request, unit, bytes))
  if (asked < 0) return { bytes, fault: 'unknown', request: null, values: [] }
  return { bytes, fault: null, request: asked, values: valuesOf(Requests[asked]!, bytes) }
}

/** All frames of what a device sent, and the bytes that are none. `bursts`: silence is between them. */
export const readFrames = (description: Description, unit: number, bursts: readonly Uint8Array[], most = 100) => {
  const { Frame } = description
  const isSilence = Frame.By === 'silence'
  const frames: ReadFrame[] = []
  let rest: Uint8Array = isSilence ? none : Uint8Array.from(bursts.flatMap((burst) => [...burst]))
  if (isSilence) for (const burst of bursts.slice(0, most)) if (burst.length) frames.push(readFrame(description, unit, burst))
  while (frames.length < most) {
    const cut = cutFrame(Frame, rest, false)
    if (!cut) break
    frames.push(readFrame(description, unit, cut.frame))
    rest = cut.rest
  }
  return { frames, rest }
}

/** Decodes an unsolicited frame whose checksum is valid; undefined if none matches. */
export const listenedTo = ({ Frame, Requests }: Description, units: readonly number[], bytes: Uint8Array) => {
  for (const request of Requests) {
    const unit = request.Listen ? units.find((one) => isAnswer(Frame, request, one, bytes)) : undefined
    if (unit !== undefined) return { request, unit, values: valuesOf(request, bytes) }
  }
  return undefined
}
