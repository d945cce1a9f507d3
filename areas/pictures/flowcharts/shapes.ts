// Bodies and answers of picture calls.
import { type Static, Type } from 'typebox'
import { AnyObject } from '../../../contract/call.ts'
import type { Inner } from '../../../contract/picture/compose.ts'
import { ItemId, mostItems, mostPicturePoints, type Span } from '../../../contract/picture/scene.ts'
import { Id, Stamp } from '../../../contract/resource.ts'
import { ParaInfo } from '../../../contract/telemetry.ts'

export const Version = Type.Integer({ minimum: 1, maximum: 0x7fffffff })
export const Nullable = Type.Union([Type.Number(), Type.Null()])
export const Name = Type.Union([Type.String(), Type.Null()])
export const Latest = Type.Object({ ParaId: Id, Time: Type.Number(), Value: Nullable, Quality: Type.Integer() })
export const Standing = Type.Object({
  ...{ ParaId: Id, Level: Type.Integer() },
  ...{ Unacknowledged: Type.Boolean(), Shelved: Type.Boolean() },
})
export type Standing = Static<typeof Standing>

/** Values of the picture's parameters, such as Pump with the Id of a device. */
export const Parameters = Type.Optional(
  Type.Array(Type.Object({ Name: Type.String({ maxLength: 50 }), Value: Type.Union([Type.String({ maxLength: 200 }), Type.Number()]) }), {
    maxItems: 50,
  }),
)
export const givenAs = (values: Readonly<Record<string, string | number>>) =>
  Object.entries(values).map(([Name, Value]) => ({ Name, Value }))
export const parameterValues = (given: Static<typeof Parameters> = []) => Object.fromEntries(given.map(({ Name, Value }) => [Name, Value]))

/** An item, possibly of an embedded picture: Ids from the outermost view to the item. */
export const Inmost = Type.String({ pattern: '^[A-Za-z0-9_-]{1,24}(\\.[A-Za-z0-9_-]{1,24}){0,4}$', maxLength: 125 })
export const ActionAt = Type.Integer({ minimum: 0, maximum: 9 })
/** The faceplate that an action of the picture opens, in place of the picture. */
export const Face = Type.Optional(Type.Object({ Item: Inmost, Action: ActionAt }))
/** The content to show: a picture with its parameters, or one of its faceplates. */
export const place = { Id, Draft: Type.Optional(Type.Boolean()), Parameters, Face }

/** An opened picture: its drawing, the points in it that are visible to the caller, and their latest values. */
export const openedWith = Type.Object({
  /** 0 for the draft. */
  Version: Type.Integer(),
  /** Changes with the draft. */
  Stamp: Stamp,
  Scene: Type.Unknown(),
  /** The given parameter values. */
  Given: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
  /** Embedded pictures at all depths that are visible to the caller. */
  Inside: Type.Unsafe<Inner[]>(Type.Array(Type.Unknown())),
  /** Items of embedded pictures with write targets that were not allowed when this picture was published. */
  Still: Type.Array(Type.String()),
  /** For a faceplate. */
  Device: Type.Union([Type.Object({ Id, DeviceName: Type.String() }), Type.Null()]),
  Points: Type.Array(ParaInfo, { maxItems: mostPicturePoints }),
  /** Ids of the points that names such as `Pump.Speed` refer to. */
  Named: Type.Record(Type.String(), Id),
  /** References without a point visible to the caller: withheld or deleted. */
  Withheld: Type.Array(Type.String()),
  Values: Type.Array(Latest),
  Alarms: Type.Array(Standing),
})

export const Curves = Type.Array(
  Type.Object({
    ...{ Span: Type.Unsafe<Span>(Type.String()), Start: Type.Number(), End: Type.Number(), Step: Type.Number() },
    /** Minimum, maximum and mean of each time. */
    Points: Type.Array(
      Type.Object({
        ...{ ParaId: Id, Time: Type.Array(Type.Number()) },
        ...{ Low: Type.Array(Nullable), High: Type.Array(Nullable), Mean: Type.Array(Nullable) },
      }),
    ),
  }),
)
export type Curves = Static<typeof Curves>

/** Maximum rows of active alarms in one answer, newest first. */
export const mostAlarms = 100
export const AlarmRow = Type.Object({
  ...{ Id, ParaId: Type.Union([Id, Type.Null()]), DeviceId: Type.Union([Id, Type.Null()]), DeviceName: Name, RuleName: Name },
  ...{ AlarmDesc: Name, Level: Type.Integer(), Start: Type.Number(), Unacknowledged: Type.Boolean(), Shelved: Type.Boolean() },
})
export type AlarmRow = Static<typeof AlarmRow>
export const Alarms = Type.Object({ Marks: Type.Array(Standing), Rows: Type.Array(AlarmRow, { maxItems: mostAlarms }) })
export type Alarms = Static<typeof Alarms>

/** The picture of a device: its own, or that of its model. */
export const OfDevice = Type.Object({
  DeviceName: Type.String(),
  Picture: Type.Union([Type.Object({ Id, FlowchartName: Type.String(), Parameter: Name }), Type.Null()]),
})

export const HistoryRow = Type.Object({
  ...{ Version, PublishTime: Type.String(), UserName: Name, Note: Name },
  ...{ Items: Type.Integer(), Points: Type.Integer() },
  /** Changes since the version before, as key and values of words. */
  Changes: Type.Array(Type.Object({ Kind: Type.String(), Change: Type.String(), Count: Type.Integer() })),
})
export type HistoryRow = Static<typeof HistoryRow>

export const Draft = Type.Object({ Stamp })
/** The changed parts: the scene without its items, new and changed items, deleted items, and the order if it changed. */
export const Patch = Type.Object({
  Frame: Type.Optional(AnyObject),
  Items: Type.Optional(Type.Array(AnyObject, { maxItems: mostItems })),
  Removed: Type.Optional(Type.Array(ItemId, { maxItems: mostItems })),
  Order: Type.Optional(Type.Array(ItemId, { maxItems: mostItems })),
})

/** Days for which a removed picture can be restored. */
export const removedDays = 30
export const RemovedChart = Type.Object({ Id, FlowchartName: Type.String(), ProjectName: Type.String(), RemoveTime: Type.String() })
export type RemovedChart = Static<typeof RemovedChart>

/** Longest range of one replay, ms. */
export const longestReplay = 31 * 86_400_000
export const Moment = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 })
/** Readings by point, each valid from its time on, and the alarms of these points. Times are epoch ms. */
export const Past = Type.Object({
  Version,
  /** Time between two entries of a point whose readings are aggregated, ms. */
  Step: Type.Number(),
  Points: Type.Array(Type.Object({ ParaId: Id, Time: Type.Array(Type.Number()), Value: Type.Array(Nullable) })),
  Alarms: Type.Array(Type.Object({ ParaId: Id, Level: Type.Integer(), Start: Type.Number(), End: Nullable })),
})
export type Past = Static<typeof Past>

/** Maximum listed pictures that use a point. */
export const mostUses = 100
export const PointUse = Type.Object({
  ...{ Id, FlowchartName: Type.String(), ProjectName: Type.String() },
  /** Whether the shown version uses the point, and whether the draft does; the latter is only for editors. */
  ...{ Shown: Type.Boolean(), Drawn: Type.Boolean() },
})
