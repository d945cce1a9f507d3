import { choice, flag, instant, long, number, ref } from '../../../contract/field.ts'
import { resource } from '../../../contract/resource.ts'
import { coldAliases } from '../rooms/contract.ts'

/** 1 released, 2 on hold, 3 discarded. */
export const dispositions = [1, 2, 3] as const

/** When a sensor of a room was outside the band, worked out from its newest readings. People decide what becomes of the goods. */
export const coldExcursion = resource('coldExcursion', {
  path: '/ColdStorage/Excursion',
  aliases: coldAliases.map((alias) => `${alias}/Excursion`),
  permission: 'm10214',
  title: 'BeginTime',
  owner: 'ColdStorageId',
  order: '-BeginTime',
  sheets: 'out',
  wire: { create: [], update: [], remove: [] },
  differs: { create: 'It is worked out from readings.' },
  acts: {
    dispose: {
      button: 'dispose',
      when: { Ended: [1, 2] },
      fields: { Disposition: choice(dispositions, { required: true }), Cause: long({ required: true, max: 500 }) },
    },
  },
  fields: {
    ColdStorageId: ref('coldStorage', { required: true, set: 'never', as: 'StorageName', search: true }),
    SensorBindId: ref('coldSensorBind', { required: true, set: 'never', as: 'SensorName' }),
    /** 1 temperature, 2 humidity. */
    SensorType: choice([1, 2], { required: true, set: 'never', search: true }),
    /** 1 above the band, 2 below. */
    Side: choice([1, 2], { required: true, set: 'never', search: true }),
    BeginTime: instant({ required: true }),
    /** Null while it goes on. */
    EndTime: instant(),
    /** 0 goes on, 1 back in the band, 2 the readings ended. */
    Ended: choice([0, 1, 2], { required: true, set: 'never', search: true }),
    /** Outside the band, as far as readings prove it. */
    Minutes: number({ required: true, set: 'never', unit: 'min' }),
    PeakValue: number({ required: true, set: 'never' }),
    PeakTime: instant({ required: true }),
    LimitValue: number({ required: true, set: 'never' }),
    DegreeMinutes: number({ required: true, set: 'never' }),
    /** Mean kinetic temperature during it; null of humidity. */
    Mkt: number({ set: 'never', unit: '°C' }),
    Disposition: choice([0, ...dispositions], { required: true, default: 0, set: 'never', search: true }),
    Cause: long({ max: 500, set: 'never' }),
    DisposeUserId: ref('user', { set: 'never', as: 'DisposeUserName' }),
    DisposeTime: instant(),
    /** 1: its figures changed after somebody decided. */
    IsChanged: flag({ required: true, default: 0, set: 'never', search: true }),
    /** 1: revoked by later readings. */
    IsVoid: flag({ required: true, default: 0, set: 'never' }),
  },
})

/** The type of alarms of cold rooms. */
export const coldStoreType = 4
