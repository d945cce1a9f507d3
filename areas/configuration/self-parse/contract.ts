import { type Static, Type } from 'typebox'
import { AnyObject, call, Removed } from '../../../contract/call.ts'
import { Frame, longestHex, Requests } from '../../../contract/described/description.ts'
import { json, long, text } from '../../../contract/field.ts'
import { Id, type Row, resource } from '../../../contract/resource.ts'

const permission = 'm10503'
/** Limits of a test: characters of answers, and listed frames. */
export const [longestAnswers, mostFrames] = [longestHex * 4, 100]

/** A protocol that people describe without code: its frames, its requests, and the positions of values in an answer. */
export const selfParse = resource('selfParse', {
  path: '/Protocol/Custom',
  permission,
  title: 'CustomName',
  order: 'CustomName',
  fields: {
    CustomName: text({ required: true, unique: true, search: true }),
    Frame: json({ required: true, schema: Frame }),
    Requests: json({ required: true, schema: Requests }),
    /** Answers for tests: hex, one per line. */
    Sample: long({ max: longestAnswers }),
    Remark: long(),
  },
})
export type SelfParse = Row<typeof selfParse>

const Text = Type.String()
const Whole = Type.Union([Type.Integer(), Type.Null()])
const Read = Type.Object({
  Hex: Text,
  /** Why the frame is not an answer; null if it is one. */
  Fault: Type.Unsafe<'checksum' | 'unknown' | null>({ enum: ['checksum', 'unknown', null] }),
  /** The request that the frame answers, from 1. */
  Request: Whole,
  /** Value: null if the bytes are not a number. */
  Readings: Type.Array(Type.Object({ Key: Text, Value: Type.Union([Type.Number(), Type.Null()]) })),
})
/** Tests a description: returns the request frames and the values parsed from pasted responses. Stores and sends nothing. */
const Tried = Type.Object({
  /** Per request, from 1. Fault: a value that cannot be encoded. */
  Sent: Type.Array(Type.Object({ Request: Type.Integer(), Hex: Text, Fault: Type.Union([Text, Type.Null()]) })),
  Frames: Type.Array(Read),
  /** Bytes without a frame. */
  Rest: Text,
  Milliseconds: Type.Number(),
})
export type Tried = Static<typeof Tried>

export const selfParseCalls = {
  /** Tests a saved or unsaved description. Payload: hex, one line per answer. */
  test: call({
    ...{ method: 'POST', path: `${selfParse.path}/Test`, permission: `${permission}.test`, reads: true },
    body: Type.Object(
      {
        Id: Type.Optional(Id),
        Frame: Type.Optional(Frame),
        Requests: Type.Optional(Requests),
        Payload: Type.Optional(Type.String({ maxLength: longestAnswers })),
        /** Unit ID of the device, and the value of writes. */
        Unit: Type.Optional(Type.Integer({ minimum: 0, maximum: 255 })),
        Value: Type.Optional(Type.Number({ minimum: -1e15, maximum: 1e15 })),
      },
      { 'x-bytes': 512 * 1024 },
    ),
    answer: Tried,
  }),
  /** Deletes several, all or none. */
  removeMany: call({
    ...{ method: 'DELETE', path: '/Protocol/BatchCustom', permission: `${permission}.remove` },
    ...{ query: AnyObject, answer: Removed },
  }),
}
