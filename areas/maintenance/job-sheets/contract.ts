// Job sheets: the checklist of a plan or an order, and its results. Repairs, upkeep and patrols share them.
import { type Static, Type } from 'typebox'
import { call } from '../../../contract/call.ts'
import { Attachments, Id } from '../../../contract/resource.ts'

export const most = { items: 200, photos: 3 }

const Name = Type.String({ minLength: 1, maxLength: 60 })
const strict = { additionalProperties: false }
/** 1 pass or fail, 2 number, 3 text, 4 choice, 5 photo, 6 value of a point, 7 signature. */
export const valueTypes = [1, 2, 3, 4, 5, 6, 7] as const
export const Item = Type.Object(
  {
    ItemName: Name,
    /** Instructions and pass criterion. */
    Method: Type.Optional(Type.String({ maxLength: 200 })),
    Standard: Type.Optional(Type.String({ maxLength: 200 })),
    ValueType: Type.Unsafe<(typeof valueTypes)[number]>({ type: 'integer', enum: [...valueTypes] }),
    Min: Type.Optional(Type.Number()),
    Max: Type.Optional(Type.Number()),
    Unit: Type.Optional(Type.String({ maxLength: 20 })),
    Choices: Type.Optional(Type.Array(Name, { maxItems: 20 })),
    ParaId: Type.Optional(Id),
    Required: Type.Optional(Type.Union([Type.Literal(0), Type.Literal(1)])),
    NeedPhoto: Type.Optional(Type.Union([Type.Literal(0), Type.Literal(1)])),
  },
  strict,
)
export type Item = Static<typeof Item>
export const Items = Type.Array(Item, { maxItems: most.items })

/** A reading of the item's point: epoch ms, and its quality as stored. */
const Read = Type.Object(
  {
    ParaId: Id,
    Value: Type.Number(),
    Time: Type.Integer({ minimum: 0, maximum: 8.64e15 }),
    Quality: Type.Integer({ minimum: 0, maximum: 4 }),
  },
  strict,
)
export type Read = Static<typeof Read>

/** Result of a checklist item, by index. The value of a signature is the person's name; its drawing is a photo. */
export const Result = Type.Object(
  {
    Item: Type.Integer({ minimum: 0, maximum: most.items - 1 }),
    Value: Type.Union([Type.String({ maxLength: 200 }), Type.Number(), Type.Null()]),
    IsOk: Type.Union([Type.Literal(0), Type.Literal(1)]),
    Desc: Type.Optional(Type.String({ maxLength: 500 })),
    Photos: Type.Optional(Attachments(most.photos)),
    Read: Type.Optional(Read),
    /** Reason for a value that differs from the reading. */
    Reason: Type.Optional(Type.String({ maxLength: 200 })),
  },
  strict,
)
export type Result = Static<typeof Result>
export const Results = Type.Array(Result, { maxItems: most.items })

/** Latest values of the points in an order's checklist, by index of the item. Null if there is none. */
export const Readings = Type.Object({
  Items: Type.Array(
    Type.Object({
      ...{ Item: Type.Integer(), ParaId: Id, Value: Type.Union([Type.Number(), Type.Null()]) },
      ...{ Time: Type.Integer(), Quality: Type.Integer() },
    }),
  ),
})
export type Readings = Static<typeof Readings>

/** Searches the points of a project for checklists and counters: planners cannot open the list of points. `ParaId` comes first. */
export const points = call({
  ...{ method: 'GET', path: '/Maintenance/MtnMyOrder/Points', permission: 'm10601' },
  query: Type.Object({ ProjectId: Id, Search: Type.Optional(Type.String({ maxLength: 60 })), ParaId: Type.Optional(Id) }),
  answer: Type.Object({ Items: Type.Array(Type.Object({ ParaId: Id, Name: Type.String() })) }),
})

export const isNumeric = ({ ValueType }: Pick<Item, 'ValueType'>) => ValueType === 2 || ValueType === 6
/** Whether a number lies within the limits of its item. */
export const isWithin = ({ Min = Number.NEGATIVE_INFINITY, Max = Number.POSITIVE_INFINITY }: Item, value: number) =>
  Min <= value && value <= Max
/** Whether the value is the unchanged reading. */
export const isAsRead = ({ ParaId }: Item, { Value, Read }: Partial<Result>) =>
  Read !== undefined && Read.ParaId === ParaId && Read.Value === Value && Read.Quality <= 1

const isText = (value: unknown) => typeof value === 'string' && value.trim() !== ''
const isGiven = ({ ValueType }: Item, { Value, Photos }: Result) => {
  if (ValueType === 5) return !!Photos?.length
  if (ValueType === 7) return isText(Value) || !!Photos?.length
  return Value !== null && Value !== ''
}
/** The first fault of a result, as a field rule. */
export const faultOf = (item: Item, result: Result | undefined): string | undefined => {
  if (!result || !isGiven(item, result)) return item.Required ? 'required' : undefined
  const { ValueType, NeedPhoto, Choices } = item
  if (NeedPhoto && !result.Photos?.length) return 'fault.field.needsPhoto'
  if (isNumeric(item) && typeof result.Value !== 'number') return 'type'
  if (ValueType === 4 && !Choices?.includes(String(result.Value))) return 'choice'
  if (ValueType === 6 && !isAsRead(item, result) && !isText(result.Reason)) return 'fault.field.needsReason'
  if (ValueType === 7 && !isText(result.Value)) return 'fault.field.needsName'
}
/** Sets the verdict: a number outside its limits fails, regardless of the phone's verdict; a signature always passes. */
export const judged = (items: readonly Item[], results: readonly Result[]): Result[] =>
  results.map((result) => {
    const item = items[result.Item]!
    if (item.ValueType === 7) return { ...result, IsOk: 1 }
    return typeof result.Value === 'number' && isNumeric(item) && !isWithin(item, result.Value) ? { ...result, IsOk: 0 } : result
  })
/** A result as one line of text. */
export const lineOf = ({ ItemName, Unit = '' }: Item, { Value, Desc, Reason }: Result) =>
  [`${ItemName}: ${[Value ?? '', Value === null ? '' : Unit].filter((part) => part !== '').join(' ')}`.trim(), Reason, Desc]
    .filter(Boolean)
    .join('; ')

const Moment = Type.Union([Type.String(), Type.Null()])
/** A step in the timeline of an order. */
export const HistoryEntry = Type.Object({
  Id: Type.Integer(),
  Step: Type.String(),
  FromStatus: Type.Union([Type.Integer(), Type.Null()]),
  ToStatus: Type.Integer(),
  UserName: Type.String(),
  /** Name of the recipient. */
  TargetName: Type.String(),
  Desc: Type.String(),
  Files: Attachments(10),
  Time: Type.String(),
  /** For a queued step: arrival time, clock offset of the phone (s), and the step that became a comment. */
  ReceivedTime: Moment,
  ClockOff: Type.Union([Type.Integer(), Type.Null()]),
  Meant: Moment,
})
export type HistoryEntry = Static<typeof HistoryEntry>
