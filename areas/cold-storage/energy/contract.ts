import { Type } from 'typebox'
import type { Call } from '../../../contract/call.ts'
import { choice, ref } from '../../../contract/field.ts'
import { Id, resource } from '../../../contract/resource.ts'
import { coldAliases } from '../rooms/contract.ts'

/** What a circuit feeds: 1 the whole room, 2 compressor, 3 fan, 4 defrost, 5 to 7 the phases L1 to L3 of the whole. */
export const uses = [1, 2, 3, 4, 5, 6, 7] as const
export const Use = { whole: 1, compressor: 2, fan: 3, defrost: 4, l1: 5, l2: 6, l3: 7 } as const
/** 1 operating stages, 2 price levels, 3 electrical phases. */
export const phaseTypes = [1, 2, 3] as const
/** 1 pull-down, 2 holding, 3 defrost, 4 door open, 5 recovery, 6 off or without power. */
export const stages = [1, 2, 3, 4, 5, 6] as const
export const mostEnergyDays = 31

/** A circuit of a room, by its load. */
export const coldCircuit = resource('coldCircuit', {
  path: '/ColdStorage/Circuit',
  aliases: coldAliases.map((alias) => `${alias}/Circuit`),
  permission: 'm10731',
  title: 'EnergyInfoId',
  owner: 'ColdStorageId',
  order: 'Use',
  wire: { find: [] },
  differs: { lists: 'It has no name of its own to search for.' },
  fields: {
    ColdStorageId: ref('coldStorage', { required: true, set: 'create', as: 'StorageName' }),
    EnergyInfoId: ref('energyInfo', { required: true, set: 'create', as: 'EnergyName' }),
    Use: choice(uses, { required: true, default: 1, unique: 'ColdStorageId' }),
  },
})

/** Years of four digits, as days and tariffs have them. */
const Time = Type.Integer({ minimum: 0, maximum: Date.UTC(9999, 0) })
const maybe = Type.Union([Type.Number(), Type.Null()])
const asked = { ColdStorageId: Id, Start: Time, End: Time }
const call = <const C extends Call>(c: C) => ({ ...c, aliases: coldAliases.map((alias) => c.path.replace('/ColdStorage', alias)) })

export const coldEnergyCalls = {
  /** Energy by operating stage, price level or electrical phase. Null if no point is bound for it. */
  phases: call({
    ...{ method: 'GET', path: '/ColdStorage/PhaseStatistics', permission: 'm10733' },
    query: Type.Object({ ...asked, PhaseType: Type.Unsafe<1 | 2 | 3>(Type.Union(phaseTypes.map((one) => Type.Literal(one)))) }),
    answer: Type.Object({
      ...{ ColdStorageId: Id, Start: Time, End: Time, PhaseType: Type.Integer() },
      Items: Type.Array(
        Type.Object({
          /** Of stages 1 to 6; of price levels 0 without a level, otherwise that of the tariff; of phases 1 to 3. */
          Phase: Type.Integer(),
          /** Of stages alone. */
          Minutes: maybe,
          Energy: maybe,
        }),
      ),
      /** 1: energy of a quarter-hour is shared among its stages by their minutes. */
      IsShared: Type.Integer(),
    }),
  }),
  /** kWh by what takes it, and by m³ of the room and day. */
  types: call({
    ...{ method: 'GET', path: '/ColdStorage/EnergyTypeStatistics', permission: 'm10733' },
    query: Type.Object(asked),
    answer: Type.Object({
      ...{ ColdStorageId: Id, Start: Time, End: Time, Total: maybe, PerVolumeDay: maybe },
      /** 1 compressor, 2 fan, 3 defrost, 4 the rest. */
      Items: Type.Array(Type.Object({ EnergyUse: Type.Integer(), Energy: maybe, Percent: maybe, PerVolumeDay: maybe })),
    }),
  }),
}
