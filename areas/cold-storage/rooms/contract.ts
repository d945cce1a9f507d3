import { choice, files, flag, instant, long, number, ref, text } from '../../../contract/field.ts'
import { resource } from '../../../contract/resource.ts'
import { sensorTypes } from './sensors.ts'

/** 1 medicine 2 to 8 °C, 2 cool up to 20, 3 frozen -25 to -10, 4 fresh 0 to 4, 5 deep up to -40, 6 vehicle, 7 box. */
export const storageTypes = [1, 2, 3, 4, 5, 6, 7] as const
export type StorageType = (typeof storageTypes)[number]
/** The usual band of a kind of room, °C; null where there is no usual limit. */
export const usualBand: Readonly<Record<StorageType, readonly [low: number | null, high: number | null]>> = {
  ...{ 1: [2, 8], 2: [null, 20], 3: [-25, -10], 4: [0, 4], 5: [null, -40], 6: [2, 8], 7: [2, 8] },
}
/** 0 not begun, 1 begun, 2 finished. 3 is the specification's word for failed. */
export const [notBegun, begun, finished] = [0, 1, 2] as const

export { calibrated, Sensor, type SensorType, sensorTypes } from './sensors.ts'

/** 1 corner, 2 centre, 3 door, 4 air outlet, 5 dead corner of a rack, 6 monitoring terminal. */
export const positions = [1, 2, 3, 4, 5, 6] as const
export const mostSensors = 200

const day = '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$'
const celsius = { min: -100, max: 100, unit: '°C', section: 'coldBand' } as const
const percent = { min: 0, max: 100, unit: '%', section: 'coldBand' } as const
const metres = { min: -1000, max: 1000, unit: 'm' } as const

export const coldAliases = ['/V3/ColdStorage', '/v6/ColdStorage'] as const
const below = (suffix: string) => ({ path: `/ColdStorage${suffix}`, aliases: coldAliases.map((alias) => `${alias}${suffix}`) })

/** A room, a vehicle or a box that is kept cold; or several that are composed into one. */
export const coldStorage = resource('coldStorage', {
  path: '/ColdStorage',
  aliases: coldAliases,
  permission: 'm10731',
  title: 'StorageName',
  alsoNamed: 'StorageNo',
  owner: 'ProjectId',
  order: 'StorageName',
  sheets: 'out',
  wire: {
    find: ['GET /Detail', 'POST /Detail', 'GET '],
    create: ['POST /InfoPC', 'POST /InfoXCX', 'POST '],
    update: ['PUT /InfoPC', 'PUT /InfoXCX', 'PUT '],
    remove: ['DELETE /InfoPC', 'DELETE /InfoXCX', 'DELETE ', 'DELETE /BatchDelete'],
  },
  rules: [
    { name: 'coldBand', of: ['TempLow', 'TempHigh'], isBroken: ({ TempLow, TempHigh }) => isTurned(TempLow, TempHigh) },
    { name: 'coldBand', of: ['HumLow', 'HumHigh'], isBroken: ({ HumLow, HumHigh }) => isTurned(HumLow, HumHigh) },
  ],
  fields: {
    StorageName: text({ required: true, max: 60, search: true }),
    StorageNo: text({ max: 30, unique: true, search: true }),
    ProjectId: ref('project', { required: true, set: 'create', search: true }),
    StorageType: choice(storageTypes, { required: true, default: 1, search: true }),
    TempLow: number({ ...celsius }),
    TempHigh: number({ ...celsius }),
    TempSet: number({ ...celsius }),
    HumLow: number({ ...percent }),
    HumHigh: number({ ...percent }),
    Area: number({ min: 0, max: 1e6, unit: 'm²', section: 'coldBuild' }),
    Volume: number({ min: 0, max: 1e7, unit: 'm³', section: 'coldBuild' }),
    Layers: number({ integer: true, min: 0, max: 100, section: 'coldBuild' }),
    DoorCount: number({ integer: true, min: 0, max: 100, section: 'coldBuild' }),
    Refrigerant: text({ max: 30, section: 'coldBuild' }),
    RatedPowerKW: number({ min: 0, max: 1e5, unit: 'kW', section: 'coldBuild' }),
    GoodsType: text({ max: 60, section: 'coldBuild' }),
    PriceStandardId: ref('electricityPriceStandard', { as: 'PriceStandardName', section: 'coldBuild' }),
    Address: text({ max: 200, section: 'coldBuild' }),
    Longitude: number({ min: -180, max: 180, unit: '°', section: 'coldBuild' }),
    Latitude: number({ min: -90, max: 90, unit: '°', section: 'coldBuild' }),
    Remark: long(),
    /** The gateway that its sensors were found by. */
    SN: text({ max: 32, set: 'never', search: true }),
    GatewayId: ref('gateway', { set: 'never' }),
    /** 1: made of members; its data are theirs. */
    IsCompose: flag({ required: true, default: 0, set: 'never', search: true }),
    /** The composed room that it is a member of now. */
    ParentId: ref('coldStorage', { set: 'never', as: 'ParentName' }),
    ComposeTime: instant(),
    SplitTime: instant(),
    InitStatus: choice([0, 1, 2, 3], { required: true, default: 0, set: 'never', search: true }),
    InitTime: instant(),
    BindCount: number({ required: true, integer: true, default: 0, set: 'never' }),
    /** Rules that raise alarms outside the band. */
    TempRuleId: ref('alarmRule', { set: 'never', as: 'TempRuleName' }),
    HumRuleId: ref('alarmRule', { set: 'never', as: 'HumRuleName' }),
  },
})
function isTurned(low: unknown, high: unknown) {
  return typeof low === 'number' && typeof high === 'number' && low >= high
}

/** A sensor of a room from one moment to another; bound while it has no end. */
export const coldSensorBind = resource('coldSensorBind', {
  ...below('/Sensor'),
  permission: 'm10731',
  title: 'SensorName',
  owner: 'ColdStorageId',
  order: 'SensorType',
  sheets: 'out',
  wire: { create: [], remove: [] },
  differs: { create: 'It is bound.' },
  fields: {
    SensorName: text({ required: true, max: 60, search: true }),
    ColdStorageId: ref('coldStorage', { required: true, set: 'never', as: 'StorageName', search: true }),
    SensorType: choice(sensorTypes, { required: true, set: 'never', search: true }),
    ParaId: ref('point', { set: 'never', as: 'ParaName' }),
    DeviceId: ref('device', { set: 'never' }),
    ProductSN: text({ max: 40, search: true }),
    SensorClass: text({ max: 20 }),
    Position: choice(positions),
    /** From the corner that the plan begins at; Z is the height. */
    X: number({ ...metres }),
    Y: number({ ...metres }),
    Z: number({ ...metres }),
    /** Those of its newest calibration. */
    CalibDate: text({ max: 10, set: 'never' }),
    CalibDue: text({ max: 10, set: 'never' }),
    CalibOffset: number({ required: true, default: 0, set: 'never' }),
    BindTime: instant({ required: true }),
    UnbindTime: instant(),
  },
})

/** What must be added to the readings of a sensor from a day on. */
export const coldCalibration = resource('coldCalibration', {
  ...below('/Calibration'),
  permission: 'm10731',
  most: { of: 'SensorBindId', records: 200 },
  title: 'CalibDate',
  owner: 'SensorBindId',
  order: '-CalibDate',
  wire: { find: [] },
  differs: { create: 'Its sensor is bound first.' },
  rules: [
    { name: 'calibDue', of: ['CalibDate', 'CalibDue'], isBroken: ({ CalibDate, CalibDue }) => String(CalibDue) <= String(CalibDate) },
  ],
  fields: {
    SensorBindId: ref('coldSensorBind', { required: true, set: 'create', as: 'SensorName' }),
    CalibDate: text({ required: true, max: 10, pattern: day, unique: 'SensorBindId' }),
    CalibDue: text({ required: true, max: 10, pattern: day }),
    CalibOffset: number({ required: true, default: 0, min: -20, max: 20 }),
    CertificateNo: text({ max: 60 }),
    Files: files({ most: 5 }),
  },
})
