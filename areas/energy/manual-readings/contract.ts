import { choice, flag, instant, number, ref } from '../../../contract/field.ts'
import { resource } from '../../../contract/resource.ts'

/** What an entry covers. */
export const [hourly, daily, monthly] = [1, 2, 3] as const
/** Where an entry comes from. */
export const [byHand, fromSheet] = [1, 2] as const

/** An amount of an hour, day or month, or a reading of a meter, that people enter. */
export const energyInfoData = resource('energyInfoData', {
  path: '/Energy/InfoData',
  permission: 'm10704',
  title: 'EnergyInfoId',
  owner: 'EnergyInfoId',
  order: '-DataTime',
  differs: { lists: 'It has no name of its own to search for.', changes: 'Its circuit stays.' },
  fields: {
    EnergyInfoId: ref('energyInfo', { required: true, set: 'create', search: true, as: 'EnergyName' }),
    /** When the period begins; of a reading, when the meter was read. */
    DataTime: instant({ required: true, set: 'always', unique: 'EnergyInfoId' }),
    CycleType: choice([hourly, daily, monthly], { required: true, default: daily, search: true }),
    Value: number({ required: true, min: 0, max: 1e12 }),
    /** 1: what the meter says, and not what was used. */
    IsReading: flag({ required: true, default: 0 }),
    Source: choice([byHand, fromSheet], { required: true, set: 'never', default: byHand }),
  },
})
