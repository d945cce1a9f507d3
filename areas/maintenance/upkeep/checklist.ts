// Checklists of plans, and their results.
import { type Static, Type } from 'typebox'
import { Attachments, Id } from '../../../contract/resource.ts'

export const most = { machines: 200, items: 200, photos: 3 }

const Name = Type.String({ minLength: 1, maxLength: 60 })
const strict = { additionalProperties: false }
/** 1 in order or not, 2 number, 3 text, 4 choice, 5 photo, 6 value of a point. */
export const valueTypes = [1, 2, 3, 4, 5, 6] as const
export const Item = Type.Object(
  {
    ItemName: Name,
    /** How it is done, and what is right. */
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

/** Result of a checklist item, by index. */
export const Result = Type.Object(
  {
    Item: Type.Integer({ minimum: 0, maximum: most.items - 1 }),
    Value: Type.Union([Type.String({ maxLength: 200 }), Type.Number(), Type.Null()]),
    IsOk: Type.Union([Type.Literal(0), Type.Literal(1)]),
    Desc: Type.Optional(Type.String({ maxLength: 500 })),
    Photos: Type.Optional(Attachments(most.photos)),
  },
  strict,
)
export type Result = Static<typeof Result>
