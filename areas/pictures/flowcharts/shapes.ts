// What calls of pictures take and answer.
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

/** An item, also of a picture inside: Ids from the outermost view to it. */
export const Inmost = Type.String({ pattern: '^[A-Za-z0-9_-]{1,24}(\\.[A-Za-z0-9_-]{1,24}){0,4}$', maxLength: 125 })
export const ActionAt = Type.Integer({ minimum: 0, maximum: 9 })
/** The faceplate that an action of the picture opens, in place of the picture. */
export const Face = Type.Optional(Type.Object({ Item: Inmost, Action: ActionAt }))
/** What is shown: a picture with its parameters, or a faceplate of it. */
export const place = { Id, Draft: Type.Optional(Type.Boolean()), Parameters, Face }

/** A picture as it is opened: its drawing, the points that it names as far as the caller sees them, and what they say now. */
export const openedWith = Type.Object({
  /** 0 of the draft. */
  Version: Type.Integer(),
  /** Changes whenever the draft does. */
  Stamp: Stamp,
  Scene: Type.Unknown(),
  /** Values of its parameters that were given. */
  Given: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
  /** Pictures that it shows inside, those in them too, as far as the caller sees them. */
  Inside: Type.Unsafe<Inner[]>(Type.Array(Type.Unknown())),
  /** Items of pictures inside that write to what nobody allowed when this picture was published. */
  Still: Type.Array(Type.String()),
  /** Of a faceplate. */
  Device: Type.Union([Type.Object({ Id, DeviceName: Type.String() }), Type.Null()]),
  Points: Type.Array(ParaInfo, { maxItems: mostPicturePoints }),
  /** Ids of the points that names such as `Pump.Speed` stand for. */
  Named: Type.Record(Type.String(), Id),
  /** References without a point that the caller sees: withheld or gone. */
  Withheld: Type.Array(Type.String()),
  Values: Type.Array(Latest),
  Alarms: Type.Array(Standing),
})

export const Curves = Type.Array(
  Type.Object({
    ...{ Span: Type.Unsafe<Span>(Type.String()), Start: Type.Number(), End: Type.Number(), Step: Type.Number() },
    /** Lowest, highest and mean of each time. */
    Points: Type.Array(
      Type.Object({
        ...{ ParaId: Id, Time: Type.Array(Type.Number()) },
        ...{ Low: Type.Array(Nullable), High: Type.Array(Nullable), Mean: Type.Array(Nullable) },
      }),
    ),
  }),
)
export type Curves = Static<typeof Curves>

/** Rows of standing alarms in one answer, the newest first. */
export const mostAlarms = 100
export const AlarmRow = Type.Object({
  ...{ Id, ParaId: Type.Union([Id, Type.Null()]), DeviceId: Type.Union([Id, Type.Null()]), DeviceName: Name, RuleName: Name },
  ...{ AlarmDesc: Name, Level: Type.Integer(), Start: Type.Number(), Unacknowledged: Type.Boolean(), Shelved: Type.Boolean() },
})
export type AlarmRow = Static<typeof AlarmRow>
export const Alarms = Type.Object({ Marks: Type.Array(Standing), Rows: Type.Array(AlarmRow, { maxItems: mostAlarms }) })
export type Alarms = Static<typeof Alarms>

/** What is shown for a device: its own, or that of its model. */
export const OfDevice = Type.Object({
  DeviceName: Type.String(),
  Picture: Type.Union([Type.Object({ Id, FlowchartName: Type.String(), Parameter: Name }), Type.Null()]),
})

export const HistoryRow = Type.Object({
  ...{ Version, PublishTime: Type.String(), UserName: Name, Note: Name },
  ...{ Items: Type.Integer(), Points: Type.Integer() },
  /** Words of what changed since the version before, as key and values. */
  Changes: Type.Array(Type.Object({ Kind: Type.String(), Change: Type.String(), Count: Type.Integer() })),
})
export type HistoryRow = Static<typeof HistoryRow>

export const Draft = Type.Object({ Stamp })
/** What differs: all of the scene but its items, items that are new or changed, those that are gone, and their order where it is another. */
export const Patch = Type.Object({
  Frame: Type.Optional(AnyObject),
  Items: Type.Optional(Type.Array(AnyObject, { maxItems: mostItems })),
  Removed: Type.Optional(Type.Array(ItemId, { maxItems: mostItems })),
  Order: Type.Optional(Type.Array(ItemId, { maxItems: mostItems })),
})

/** How long a removed picture can be made again. */
export const removedDays = 30
export const RemovedChart = Type.Object({ Id, FlowchartName: Type.String(), ProjectName: Type.String(), RemoveTime: Type.String() })
export type RemovedChart = Static<typeof RemovedChart>

/** ms of the past that are replayed in one piece, at most. */
export const longestReplay = 31 * 86_400_000
export const Moment = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 })
/** Readings by point, each from its time on, and the alarms of these points. Moments are epoch ms. */
export const Past = Type.Object({
  Version,
  /** ms between two entries of a point whose readings are too many to come one by one. */
  Step: Type.Number(),
  Points: Type.Array(Type.Object({ ParaId: Id, Time: Type.Array(Type.Number()), Value: Type.Array(Nullable) })),
  Alarms: Type.Array(Type.Object({ ParaId: Id, Level: Type.Integer(), Start: Type.Number(), End: Nullable })),
})
export type Past = Static<typeof Past>

/** Pictures that are listed as those that name a point. */
export const mostUses = 100
export const PointUse = Type.Object({
  ...{ Id, FlowchartName: Type.String(), ProjectName: Type.String() },
  /** Whether the version that viewers see names the point, and whether the draft does; the latter is for those who draw. */
  ...{ Shown: Type.Boolean(), Drawn: Type.Boolean() },
})
