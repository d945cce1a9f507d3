import { type Static, Type } from 'typebox'
import { call } from '../../../contract/call.ts'
import { choice, files, instant, long, money, number, ref, text } from '../../../contract/field.ts'
import { Id, resource } from '../../../contract/resource.ts'

/** Sees money. Without it, its fields are absent. */
export const seesDosingCost = 'm10721.cost'

/** 1 coagulant, 2 flocculant, 3 disinfectant, 4 carbon source, 5 acid or alkali, 6 scale inhibitor, 7 other. */
export const drugTypes = [1, 2, 3, 4, 5, 6, 7] as const
/** Units of quantities. */
export const drugUnits = ['kg', 'L', 't'] as const
export type DrugUnit = (typeof drugUnits)[number]
/** Where consumption comes from: a counter or a flow, people, a pump's stroke times its running time, a tank's weight or level. */
export const [fromPoint, entered, fromStroke, fromTank] = [1, 2, 3, 4] as const

/** A letter or digit first: no code reads as a formula of a sheet or as a name of the language. */
export const drugCode = '^[A-Za-z0-9][A-Za-z0-9._-]*$'
const quantity = { min: 0.001, max: 1e9 } as const
const ratio = { min: 0.000001, max: 1e6 } as const
const dose = { min: 0, max: 1e6, unit: 'mg/L', section: 'dose' } as const
const inOrder = (low: unknown, high: unknown) => typeof low !== 'number' || typeof high !== 'number' || low <= high

/** A chemical dosed at one place, with the points that measure it. It is visible with its project. */
export const drugInfo = resource('drugInfo', {
  path: '/Drug/Info',
  permission: 'm10722',
  title: 'DrugName',
  alsoNamed: 'DrugCode',
  owner: 'ProjectId',
  order: 'Sort',
  sheets: 'out',
  checks: { DrugCode: 'CheckCode' },
  acts: {
    /** Corrects the stock by what was counted or measured. */
    count: {
      ...{ button: 'stock', touches: ['mtnComponent', 'mtnComponentRecord', 'mtnComponentStock'], once: true },
      fields: { Counted: number({ required: true, min: 0, max: quantity.max }), Remark: text({ max: 200 }) },
    },
  },
  fields: {
    DrugName: text({ required: true, max: 60, search: true }),
    DrugCode: text({ required: true, max: 30, pattern: drugCode, unique: true, search: true }),
    ProjectId: ref('project', { required: true, set: 'create', search: true }),
    DrugType: choice(drugTypes, { required: true, default: 1, search: true }),
    Unit: choice(drugUnits, { required: true, default: 'kg' }),
    /** Share of the active substance by weight. A delivery may override it. */
    Concentration: number({ min: 0, max: 100, unit: '%' }),
    Density: number({ min: 0.1, max: 5, unit: 'kg/L' }),
    /** Price of one unit, until a delivery sets another. */
    Price: money({ seenWith: seesDosingCost }),
    Supplier: text({ max: 60, search: true }),
    RegionId: ref('region'),
    Source: choice([fromPoint, entered, fromStroke, fromTank], { required: true, default: entered, section: 'drugSource' }),
    /** A counter or a flow; of a pump, its stroke in %. */
    ParaId: ref('point', { as: 'ParaName', section: 'drugSource' }),
    DeviceId: ref('device', { set: 'never', section: 'drugSource' }),
    /** Units of the chemical that one unit of the point is, such as kg a pulse. */
    Multiplier: number({ required: true, default: 1, ...ratio, section: 'drugSource' }),
    /** Whether the pump runs. */
    RunParaId: ref('point', { as: 'RunParaName', section: 'drugSource' }),
    /** Units an hour at full stroke. */
    PumpRate: number({ min: 0.000001, max: 1e6, section: 'drugSource' }),
    /** A counter of treated water in m³. */
    WaterParaId: ref('point', { as: 'WaterParaName', section: 'drugSource' }),
    TankParaId: ref('point', { as: 'TankParaName', section: 'drugTank' }),
    TankSize: number({ ...quantity, section: 'drugTank' }),
    /** Units that one unit of the tank's point is; empty for a level in % of the tank. */
    TankFactor: number({ ...ratio, section: 'drugTank' }),
    /** Days from an order to its delivery. */
    LeadDays: number({ integer: true, min: 0, max: 365, unit: 'd', section: 'drugTank' }),
    /** What a delivery must not come after. */
    MinStock: number({ min: 0, max: quantity.max, section: 'drugTank' }),
    StockQty: number({ required: true, set: 'never', default: 0, section: 'drugTank' }),
    /** The spare part whose ledger holds the stock, and where it lies. */
    ComponentId: ref('mtnComponent', { set: 'never', section: 'drugTank' }),
    PlaceId: ref('mtnPlace', { set: 'never', section: 'drugTank' }),
    TargetDose: number(dose),
    DoseLow: number(dose),
    DoseHigh: number(dose),
    /** What is shown beside the dose. */
    FlowParaId: ref('point', { as: 'FlowParaName', section: 'dose' }),
    TurbidityParaId: ref('point', { as: 'TurbidityParaName', section: 'dose' }),
    ResidualParaId: ref('point', { as: 'ResidualParaName', section: 'dose' }),
    Remark: long({ max: 500 }),
    Sort: number({ required: true, integer: true, min: 0, max: 9999, default: 0 }),
  },
  rules: [
    { name: 'doseLowAboveHigh', of: ['DoseLow', 'DoseHigh'], isBroken: ({ DoseLow, DoseHigh }) => !inOrder(DoseLow, DoseHigh) },
    { name: 'stockAboveTank', of: ['MinStock', 'TankSize'], isBroken: ({ MinStock, TankSize }) => !inOrder(MinStock, TankSize) },
    { name: 'densityOfLitres', of: ['Density', 'Unit'], isBroken: ({ Unit, Density }) => Unit === 'L' && typeof Density !== 'number' },
    {
      name: 'sizeOfLevel',
      of: ['TankSize', 'TankParaId'],
      isBroken: ({ TankParaId, TankFactor, TankSize }) =>
        typeof TankParaId === 'number' && typeof TankFactor !== 'number' && typeof TankSize !== 'number',
    },
  ],
})

/** 0 proposed from a rise of the level, 1 confirmed, 2 rejected. */
export const [proposed, confirmed, rejected] = [0, 1, 2] as const
const delivered = {
  BatchNo: text({ required: true, max: 40, search: true }),
  Qty: number({ required: true, ...quantity }),
  Concentration: number({ min: 0, max: 100, unit: '%' }),
  Price: money({ seenWith: seesDosingCost }),
  SupplierName: text({ max: 60, search: true }),
} as const

/** A batch that came. What comes first is used first, at its concentration and price. */
export const drugDelivery = resource('drugDelivery', {
  path: '/Drug/Delivery',
  permission: 'm10725',
  title: 'BatchNo',
  owner: 'DrugInfoId',
  order: '-DeliverTime',
  wire: { remove: [] },
  acts: {
    /** Takes it into the stock, as it was. */
    confirm: {
      ...{ button: 'stock', when: { Status: [proposed] }, once: true },
      touches: ['drugInfo', 'mtnComponent', 'mtnComponentRecord', 'mtnComponentStock'],
      fields: delivered,
    },
    reject: { button: 'stock', when: { Status: [proposed] }, set: { Status: rejected }, asks: true },
  },
  fields: {
    DrugInfoId: ref('drugInfo', { required: true, set: 'create', search: true, as: 'DrugName' }),
    DeliverTime: instant({ required: true, set: 'create' }),
    ...delivered,
    Qty: number({ required: true, ...quantity, set: 'create' }),
    /** Certificates of analysis. */
    Files: files({ most: 5 }),
    Status: choice([confirmed, proposed, rejected], { required: true, set: 'never', default: confirmed, search: true }),
    Remark: long({ max: 500 }),
  },
})

export const drugCalls = {
  /** The next free code of a kind. */
  code: call({
    ...{ method: 'GET', path: '/Drug/Info/DrugCode', permission: 'm10722' },
    query: Type.Object({ DrugType: Type.Optional(Type.Integer({ minimum: 1, maximum: 7 })) }),
    answer: Type.Object({ DrugCode: Type.String() }),
  }),
}

/** A chemical as other calls name it. */
export const Chemical = Type.Object({
  DrugInfoId: Id,
  DrugName: Type.String(),
  DrugCode: Type.String(),
  DrugType: Type.Integer(),
  Unit: Type.String(),
})
export type Chemical = Static<typeof Chemical>
