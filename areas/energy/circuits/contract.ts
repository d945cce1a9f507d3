import { Type } from 'typebox'
import { call, IdList } from '../../../contract/call.ts'
import { choice, flag, instant, json, long, number, ref, text } from '../../../contract/field.ts'
import { Id, resource } from '../../../contract/resource.ts'

/** 1 electricity, 2 water, 3 gas, 4 steam, 5 heat, 6 cold, 7 coal, 8 oil, 9 compressed air. */
export const energyTypes = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const
export type EnergyType = (typeof energyTypes)[number]
/** Units of new circuits, by kind. */
export const unitsOfTypes: Readonly<Record<EnergyType, string>> = {
  ...{ 1: 'kWh', 2: 'm³', 3: 'm³', 4: 't', 5: 'GJ', 6: 'GJ', 7: 't', 8: 't', 9: 'm³' },
}
export const reactiveUnit = 'kvarh'
/** Where the amounts of a circuit come from. */
export const [fromMeter, fromEntries, fromFormula] = [1, 2, 3] as const

/** The first source of a circuit counts from here: readings of its meter from before the circuit was set up belong to it. */
export const beginningOfSources = Date.UTC(2000, 0, 1)

export const longestFormula = 1000
/** Circuits that one formula names. */
export const mostOperands = 50
/** A letter or digit first: no code reads as a formula of a sheet or as a name of the language. */
export const energyCode = '^[A-Za-z0-9][A-Za-z0-9._-]*$'
const day = '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$'
const ratio = { min: 0.000001, max: 1e6 } as const
const reading = { min: -1e12, max: 1e12 } as const

/** What a meter, a person or a formula counts of one kind of energy or water. A circuit is seen with its project. */
export const energyInfo = resource('energyInfo', {
  path: '/Energy/Info',
  permission: 'm10702',
  title: 'EnergyName',
  alsoNamed: 'EnergyCode',
  owner: 'ProjectId',
  order: 'Sort',
  tree: 'ParentId',
  sheets: 'out',
  fields: {
    EnergyName: text({ required: true, max: 60, search: true }),
    EnergyCode: text({ required: true, max: 30, pattern: energyCode, unique: true, search: true }),
    ProjectId: ref('project', { required: true, set: 'create', search: true }),
    EnergyType: choice(energyTypes, { required: true, default: 1, search: true }),
    /** Empty: the usual unit of the kind. */
    Unit: text({ max: 12 }),
    /** The circuit above. */
    ParentId: ref('energyInfo', { as: 'ParentName' }),
    Source: choice([fromMeter, fromEntries, fromFormula], { required: true, default: fromMeter, section: 'energySource' }),
    /** The current meter. Changing it starts a new source; earlier sources keep their dates. */
    ParaId: ref('point', { as: 'ParaName', section: 'energySource' }),
    DeviceId: ref('device', { set: 'never', section: 'energySource' }),
    /** Ratio of the transformers in front of the meter. */
    Multiplier: number({ required: true, default: 1, ...ratio, section: 'energySource' }),
    Formula: long({ max: longestFormula, section: 'energySource' }),
    /** What the formula names. */
    FormulaIds: json({ required: true, set: 'never', default: [], schema: IdList(mostOperands), names: { energyInfo: '$[*]' } }),
    RegionId: ref('region', { section: 'energyUse' }),
    AreaM2: number({ min: 0, max: 1e9, unit: 'm²', section: 'energyUse' }),
    /** The product, such as the m³ of water that a pump delivers. */
    ProductInfoId: ref('energyInfo', { as: 'ProductInfoName', section: 'energyUse' }),
    /** The circuit of the same project that counts its reactive energy, for the power factor. */
    ReactiveInfoId: ref('energyInfo', { as: 'ReactiveInfoName', section: 'energyUse' }),
    /** Whether the totals of its project count it. */
    CountInTotal: flag({ required: true, default: 1, section: 'energyUse' }),
    /** Until it changes its tariff. */
    PriceStandardId: ref('electricityPriceStandard', { as: 'PriceStandardName', section: 'energyUse' }),
    Remark: long({ section: 'energyUse' }),
    Sort: number({ required: true, integer: true, min: 0, max: 9999, default: 0 }),
  },
})

/** A meter of a circuit from a moment on. The one with the latest From counts; its point may be deleted, and its readings stay. */
export const energySource = resource('energySource', {
  path: '/Energy/Info/Source',
  most: { of: 'EnergyInfoId', records: 200 },
  permission: 'm10702',
  title: 'EnergyInfoId',
  owner: 'EnergyInfoId',
  order: '-From',
  wire: { find: [] },
  differs: { lists: 'It has no name of its own to search for.' },
  fields: {
    EnergyInfoId: ref('energyInfo', { required: true, set: 'create', as: 'EnergyName' }),
    From: instant({ required: true, set: 'always', unique: 'EnergyInfoId' }),
    ParaId: ref('point', { as: 'ParaName' }),
    Multiplier: number({ required: true, default: 1, ...ratio }),
    /** What the meter said when it was fitted, and when it was taken out. */
    StartReading: number(reading),
    EndReading: number(reading),
  },
})

/** What one unit of a kind is worth in coal equivalent and in CO2, from a day on. */
export const energyFactor = resource('energyFactor', {
  path: '/Energy/Info/Factor',
  most: { of: 'EnergyType', records: 200 },
  permission: 'm10702',
  title: 'EnergyType',
  order: 'EnergyType',
  wire: { find: [] },
  differs: { lists: 'It has no name of its own to search for.' },
  fields: {
    EnergyType: choice(energyTypes, { required: true }),
    From: text({ required: true, max: 10, pattern: day, unique: 'EnergyType' }),
    Kgce: number({ required: true, min: 0, max: 1e6, unit: 'kgce' }),
    Kgco2e: number({ required: true, min: 0, max: 1e6, unit: 'kg' }),
  },
})

/**
 * Usual values per unit of `unitsOfTypes`: coal equivalent after GB/T 2589, CO2 of the grid and of what is burnt. Cold and compressed air
 * are made of electricity, which is counted where they are made.
 */
export const usualFactors: Readonly<Record<EnergyType, { Kgce: number; Kgco2e: number }>> = {
  1: { Kgce: 0.1229, Kgco2e: 0.5366 },
  2: { Kgce: 0.2571, Kgco2e: 0.168 },
  3: { Kgce: 1.33, Kgco2e: 2.16 },
  4: { Kgce: 128.6, Kgco2e: 304 },
  5: { Kgce: 34.12, Kgco2e: 110 },
  6: { Kgce: 34.12, Kgco2e: 0 },
  7: { Kgce: 714.3, Kgco2e: 1900 },
  8: { Kgce: 1457.1, Kgco2e: 3096 },
  9: { Kgce: 0.04, Kgco2e: 0 },
}

const Text = Type.String()
const Maybe = <T extends ReturnType<typeof Type.String> | ReturnType<typeof Type.Number>>(of: T) => Type.Union([of, Type.Null()])
const Day = Type.String({ pattern: day, maxLength: 10 })
const Code = Type.String({ maxLength: 200 })
/** A check that screens make while people type (ruling 10). Errors are sentences in the caller's language. */
const Checked = Type.Object({
  Valid: Type.Boolean(),
  Errors: Type.Array(Text),
  Places: Type.Array(Type.Integer(), { description: 'Of each error: the character where it is, counted from 0.' }),
})
const Share = Type.Object({
  CostCentre: Type.String({ minLength: 1, maxLength: 40 }),
  Percent: Type.Number({ exclusiveMinimum: 0, maximum: 100 }),
})
/** Maximum number of circuits created by one proposal. */
export const mostProposed = 500

export const circuitCalls = {
  /** The next free code below a circuit, or at the top. */
  code: call({
    method: 'GET',
    path: '/Energy/Info/EnergyCode',
    permission: 'm10702',
    query: Type.Object({ ParentId: Type.Optional(Id), EnergyType: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })) }),
    answer: Type.Object({ EnergyCode: Text }),
  }),
  checkCode: call({
    method: 'POST',
    path: '/Energy/Info/CheckCode',
    permission: 'm10702',
    reads: true,
    body: Type.Object({ EnergyCode: Code, Id: Type.Optional(Id) }),
    answer: Checked,
  }),
  checkFormula: call({
    method: 'POST',
    path: '/Energy/Info/CheckFormula',
    permission: 'm10702',
    reads: true,
    body: Type.Object({
      Formula: Type.String({ maxLength: 100_000 }),
      Id: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Of the circuit that is changed.' })),
      EnergyType: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
      Unit: Type.Optional(Type.Union([Type.String({ maxLength: 12 }), Type.Null()])),
    }),
    answer: Checked,
  }),
  /** The factors of a day, by kind: those of the company, or the usual values (Usual 1). */
  factors: call({
    method: 'GET',
    path: '/Energy/Info/FactorsOf',
    permission: 'm10702',
    query: Type.Object({ Day: Type.Optional(Day) }),
    answer: Type.Object({
      Items: Type.Array(
        Type.Object({
          EnergyType: Type.Integer(),
          Unit: Text,
          Kgce: Type.Number(),
          Kgco2e: Type.Number(),
          From: Maybe(Type.String()),
          Usual: Type.Integer(),
        }),
      ),
    }),
  }),
  /** To whom the energy of a circuit belongs, from each day on. */
  shares: call({
    method: 'GET',
    path: '/Energy/Info/CostCentre',
    permission: 'm10702',
    query: Type.Object({ EnergyInfoId: Id }),
    answer: Type.Object({ Items: Type.Array(Type.Object({ From: Text, Shares: Type.Array(Share) })) }),
  }),
  /** Replaces the shares from a day on: 100 % together, or none at all to take the day back. */
  setShares: call({
    method: 'PUT',
    path: '/Energy/Info/CostCentre',
    permission: 'm10702.edit',
    body: Type.Object({ EnergyInfoId: Id, From: Day, Shares: Type.Array(Share, { maxItems: 100 }) }),
    answer: Type.Object({ Items: Type.Array(Type.Object({ From: Text, Shares: Type.Array(Share) })) }),
  }),
  /** Points of a project that count energy and belong to no circuit yet, as the circuits that they would be. */
  proposal: call({
    method: 'GET',
    path: '/Energy/Info/Proposal',
    permission: 'm10702.add',
    query: Type.Object({ ProjectId: Id }),
    answer: Type.Object({
      Items: Type.Array(
        Type.Object({
          ParaId: Id,
          ParaName: Text,
          DeviceName: Text,
          EnergyName: Text,
          EnergyCode: Text,
          EnergyType: Type.Integer(),
          Unit: Text,
          Multiplier: Type.Number(),
          IsCumulative: Type.Integer(),
        }),
      ),
      /** Whether there are more than these. */
      More: Type.Boolean(),
    }),
  }),
  /** Creates circuits for these points in one transaction. */
  propose: call({
    method: 'POST',
    path: '/Energy/Info/Proposal',
    permission: 'm10702.add',
    body: Type.Object({ ProjectId: Id, ParentId: Type.Optional(Type.Union([Id, Type.Null()])), ParaIds: IdList(mostProposed) }),
    answer: Type.Object({ Added: Type.Integer() }),
  }),
}
