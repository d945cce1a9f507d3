import { type Static, Type } from 'typebox'
import { ById, type Call, IdList } from '../../../contract/call.ts'
import { Id, schemas } from '../../../contract/resource.ts'
import { coldAliases, coldSensorBind, coldStorage, mostSensors, positions, sensorTypes } from './contract.ts'

const Text = Type.String()
const maybe = <T extends ReturnType<typeof Type.String> | ReturnType<typeof Type.Number> | ReturnType<typeof Type.Integer>>(of: T) =>
  Type.Union([of, Type.Null()])
const codes = <const T extends readonly number[]>(of: T) => Type.Unsafe<T[number]>(Type.Union(of.map((one) => Type.Literal(one))))
const Moment = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$' })
const Day = Type.String({ pattern: '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$', maxLength: 10 })
const SN = Type.String({ minLength: 1, maxLength: 32 })
const Metres = Type.Optional(maybe(Type.Number({ minimum: -1000, maximum: 1000 })))

/** A sensor as people bind it. */
const sensor = {
  ParaId: Id,
  SensorType: codes(sensorTypes),
  SensorName: Type.Optional(maybe(Type.String({ maxLength: 60 }))),
  ProductSN: Type.Optional(maybe(Type.String({ maxLength: 40 }))),
  SensorClass: Type.Optional(maybe(Type.String({ maxLength: 20 }))),
  Position: Type.Optional(Type.Union([codes(positions), Type.Null()])),
  ...{ X: Metres, Y: Metres, Z: Metres },
  CalibDate: Type.Optional(Type.Union([Day, Type.Null()])),
  CalibDue: Type.Optional(Type.Union([Day, Type.Null()])),
  CalibOffset: Type.Optional(maybe(Type.Number({ minimum: -20, maximum: 20 }))),
}
export const GivenSensor = Type.Object(sensor)
export type GivenSensor = Static<typeof GivenSensor>

/** A point of a gateway and the sensor type detected for it; null if unknown. */
export const ProposedSensor = Type.Object({
  ParaId: Id,
  ParaName: Text,
  DeviceName: Text,
  Unit: Text,
  SensorType: maybe(Type.Integer()),
  Position: maybe(Type.Integer()),
  /** 1: a room has it already. */
  IsBound: Type.Integer(),
  Value: maybe(Type.Number()),
})
export type ProposedSensor = Static<typeof ProposedSensor>

const Missing = Type.Object({
  Code: Text,
  /** The sensor that it is about. */
  SensorName: maybe(Type.String()),
  Text,
  /** 1: without it the room is not ready. */
  IsNeeded: Type.Integer(),
})
export type Missing = Static<typeof Missing>

/** What a room measures now, beside what is stored of it. Values are corrected; null where none came in the last half hour. */
export const Present = {
  MemberIds: Type.Array(Id),
  LastTemp: maybe(Type.Number()),
  LastTempMin: maybe(Type.Number()),
  LastTempMax: maybe(Type.Number()),
  LastHum: maybe(Type.Number()),
  LastDoor: maybe(Type.Integer()),
  LastPower: maybe(Type.Number()),
  LastTime: maybe(Type.Integer()),
  /** Bound temperature and humidity sensors whose calibration is over, and those whose calibration ends within a month. */
  CalibExpired: Type.Integer(),
  CalibSoon: Type.Integer(),
}
export const PresentRow = Type.Object({ ...schemas(coldStorage).row.properties, ...Present })

/** Where points are on the floor, and the temperature of each from Start on, one a Step. */
export const PlanCourse = Type.Object({
  ...{ Start: Type.Integer(), Step: Type.Integer() },
  Points: Type.Array(
    Type.Object({
      ...{ SensorBindId: Id, SensorName: Text, X: Type.Number(), Y: Type.Number(), Values: Type.Array(maybe(Type.Number())) },
    }),
  ),
})
export type PlanCourse = Static<typeof PlanCourse>

const call = <const C extends Call>(c: C) => ({
  ...c,
  aliases: coldAliases.map((alias) => c.path.replace('/ColdStorage', alias)),
})
export const mostCurves = 50

export const roomCalls = {
  /** The sensors that a gateway seems to have: proposals by name and unit, for people to correct. */
  settings: call({
    ...{ method: 'GET', path: '/ColdStorage/SettingsByGatewaySN', permission: 'm10731' },
    query: Type.Object({ SN }),
    answer: Type.Object({ SN: Text, GatewayName: Text, ProjectId: Id, Sensors: Type.Array(ProposedSensor), More: Type.Boolean() }),
  }),
  /** Binds the sensors of a gateway to a room that is not ready yet, and makes its rules. */
  init: call({
    ...{ method: 'POST', path: '/ColdStorage/Init', permission: 'm10731.bind' },
    body: Type.Object({ Id, SN, BindTime: Type.Optional(Moment), Sensors: Type.Array(GivenSensor, { maxItems: mostSensors }) }),
    answer: Type.Object({ Id, InitStatus: Type.Integer(), Finished: Type.Integer(), Missing: Type.Array(Missing) }),
  }),
  finished: call({
    ...{ method: 'GET', path: '/ColdStorage/InitFinished', permission: 'm10731' },
    query: ById,
    answer: Type.Object({ Id, InitStatus: Type.Integer(), Finished: Type.Integer(), Missing: Type.Array(Missing) }),
  }),
  bind: call({
    ...{ method: 'POST', path: '/ColdStorage/Bind', permission: 'm10731.bind' },
    body: Type.Object({ ColdStorageId: Id, BindTime: Type.Optional(Moment), ...sensor }),
    answer: schemas(coldSensorBind).row,
  }),
  unbind: call({
    ...{ method: 'POST', path: '/ColdStorage/UnBind', permission: 'm10731.bind' },
    body: Type.Object({ SensorBindId: Id, UnbindTime: Type.Optional(Moment) }),
    answer: schemas(coldSensorBind).row,
  }),
  /** Makes one room of several, of the same project, whose data are theirs together. */
  compose: call({
    ...{ method: 'POST', path: '/ColdStorage/Compose', permission: 'm10731.compose' },
    body: Type.Object({ StorageName: Type.String({ minLength: 1, maxLength: 60 }), MemberIds: IdList(50) }),
    answer: PresentRow,
  }),
  /** Gives the members back; figures of the time together stay. */
  split: call({
    ...{ method: 'POST', path: '/ColdStorage/Split', permission: 'm10731.compose' },
    body: ById,
    answer: PresentRow,
  }),
  /** Sensors by the serial number on their label. */
  serials: call({
    ...{ method: 'GET', path: '/ColdStorage/ProductSerialInfoList', permission: 'm10731' },
    query: Type.Object({
      SN: Type.Optional(SN),
      Search: Type.Optional(Type.String({ maxLength: 60 })),
      PageIndex: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
      PageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
    }),
    answer: Type.Object({
      ...{ PageIndex: Type.Integer(), PageSize: Type.Integer(), TotalCount: Type.Integer() },
      Items: Type.Array(
        Type.Object({
          ProductSN: Text,
          SN: maybe(Type.String()),
          Type: Type.Integer(),
          StorageName: Text,
          ActiveTime: Text,
          /** 1 bound, 0 no longer. */
          Status: Type.Integer(),
        }),
      ),
    }),
  }),
  /** The last 24 hours of rooms by quarter-hours, in columns: the lowest and the highest corrected temperature of each. */
  curves: call({
    ...{ method: 'POST', path: '/ColdStorage/Curves', permission: 'm10731', reads: true },
    body: Type.Object({ Ids: IdList(mostCurves) }),
    answer: Type.Object({
      Start: Type.Integer(),
      Step: Type.Integer(),
      Items: Type.Array(Type.Object({ Id, Low: Type.Array(maybe(Type.Number())), High: Type.Array(maybe(Type.Number())) })),
    }),
  }),
  /** The last day of a room by its points: means of quarter-hours, corrected. */
  plan: call({ method: 'GET', path: '/ColdStorage/Plan', permission: 'm10731', query: ById, answer: PlanCourse }),
}
