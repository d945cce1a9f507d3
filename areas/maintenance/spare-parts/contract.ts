import { Type } from 'typebox'
import { call } from '../../../contract/call.ts'
import { choice, files, flag, instant, long, money, number, ref, text } from '../../../contract/field.ts'
import { Id, resource } from '../../../contract/resource.ts'

/** Permission to see the cost of parts. */
export const seesCost = 'm10607.cost'
/** 1 purchase, 2 issue, 3 return, 4 stocktake gain, 5 stocktake loss, 6 transfer, 7 scrap. */
export const recordTypes = [1, 2, 3, 4, 5, 6, 7] as const
export const [purchase, takenOut, givenBack, countedMore, countedLess, transferred, scrapped] = recordTypes
/** Thousandths of a unit, such as grams of a kilogram. */
const quantity = { min: 0.001, max: 1e9 } as const

/** A storage location: a store, a shelf, a van. */
export const mtnPlace = resource('mtnPlace', {
  path: '/Maintenance/MtnPlace',
  permission: 'm10614',
  title: 'PlaceName',
  order: 'PlaceName',
  sheets: 'in-out',
  columns: ['PlaceName', 'Remark'],
  fields: {
    PlaceName: text({ required: true, unique: true, search: true }),
    Remark: long(),
  },
})

const PlaceId = ref('mtnPlace', { required: true })
const Qty = number({ required: true, ...quantity })
const Remark = text({ max: 200 })
/** The order that the part is for: a repair, upkeep or a patrol. */
const forOrder = {
  OrderId: ref('mtnMaintenanceOrder', { as: 'OrderNo' }),
  UpKeepOrderId: ref('mtnUpKeepOrder', { as: 'UpKeepOrderNo' }),
  CheckOrderId: ref('mtnCheckOrder', { as: 'CheckOrderNo' }),
}
/** The same fields, set by the server. */
const ofOrder = {
  OrderId: ref('mtnMaintenanceOrder', { set: 'never', as: 'OrderNo' }),
  UpKeepOrderId: ref('mtnUpKeepOrder', { set: 'never', as: 'UpKeepOrderNo' }),
  CheckOrderId: ref('mtnCheckOrder', { set: 'never', as: 'CheckOrderNo' }),
}
const touches = ['mtnComponentRecord', 'mtnComponentStock']

/** A spare part. Its stock is the sum of its movements; its price is their moving average. */
export const mtnComponent = resource('mtnComponent', {
  path: '/Maintenance/MtnComponent',
  permission: 'm10607',
  title: 'ComponentName',
  order: 'ComponentName',
  sheets: 'in-out',
  wire: { remove: ['DELETE ', 'DELETE /BatchDelete', 'DELETE /{Ids}'] },
  acts: {
    takeIn: {
      ...{ button: 'stock', when: { Status: [1] }, touches, once: true },
      fields: { PlaceId, Qty, Price: money({ seenWith: seesCost }), Remark },
    },
    takeOut: { button: 'stock', when: { Status: [1] }, touches, once: true, fields: { PlaceId, Qty, ...forOrder, Remark } },
    giveBack: { button: 'stock', when: { Status: [1] }, touches, once: true, fields: { PlaceId, Qty, ...forOrder, Remark } },
    transfer: { button: 'stock', touches, once: true, fields: { PlaceId, OtherPlaceId: ref('mtnPlace', { required: true }), Qty, Remark } },
    scrap: { button: 'stock', touches, once: true, fields: { PlaceId, Qty, Remark } },
    /** Corrects the stock at the time of counting; later movements stay. */
    count: {
      ...{ button: 'stocktake', touches, once: true },
      fields: {
        PlaceId,
        Counted: number({ required: true, min: 0, max: quantity.max }),
        CountTime: instant({ set: 'always' }),
        Remark,
      },
    },
  },
  fields: {
    ComponentName: text({ required: true, max: 60, search: true }),
    ComponentNo: text({ required: true, max: 40, unique: true, search: true }),
    /** 0 disabled, 1 normal, 2 scrapped. */
    Status: choice([0, 1, 2], { required: true, default: 1, search: true, moves: { 0: [1, 2], 1: [0, 2], 2: [0] } }),
    Category: text({ max: 40, search: true }),
    Spec: text({ max: 100, search: true }),
    Unit: text({ required: true, max: 12, default: 'pcs' }),
    Brand: text({ max: 40 }),
    SupplierName: text({ max: 60, search: true, section: 'stock' }),
    LeadDays: number({ integer: true, min: 0, max: 3650, unit: 'd', section: 'stock' }),
    MinQty: number({ min: 0, max: quantity.max, section: 'stock' }),
    MaxQty: number({ min: 0, max: quantity.max, section: 'stock' }),
    /** Unit price until the first purchase. */
    Price: money({ set: 'create', seenWith: seesCost, section: 'stock' }),
    StockQty: number({ required: true, set: 'never', default: 0 }),
    /** 1: enabled and below the minimum. */
    IsLow: flag({ required: true, set: 'never', default: 0, search: true }),
    LifeHours: number({ integer: true, min: 0, max: 1e7, unit: 'h' }),
    Picture: files({ most: 1 }),
    Remark: long({ max: 500 }),
  },
  rules: [
    {
      name: 'minAboveMax',
      of: ['MinQty', 'MaxQty'],
      isBroken: ({ MinQty, MaxQty }) => typeof MinQty === 'number' && typeof MaxQty === 'number' && MinQty > MaxQty,
    },
  ],
})

/** Stock of a part at a place. */
export const mtnComponentStock = resource('mtnComponentStock', {
  path: '/Maintenance/MtnComponentStock',
  permission: 'm10607',
  title: 'ComponentId',
  order: '-Qty',
  sheets: 'out',
  wire: { find: [], create: [], update: [], remove: [] },
  differs: { create: 'Movements make it.' },
  fields: {
    ComponentId: ref('mtnComponent', { required: true, set: 'never', search: true }),
    PlaceId: ref('mtnPlace', { required: true, set: 'never', search: true }),
    Qty: number({ required: true, set: 'never', default: 0 }),
  },
})

/** A movement. Movements of a part at a place are numbered without gaps; each starts from the stock after the previous one. */
export const mtnComponentRecord = resource('mtnComponentRecord', {
  path: '/Maintenance/MtnComponentRecord',
  permission: 'm10608',
  title: 'ComponentId',
  order: '-Id',
  sheets: 'out',
  wire: { find: [], create: [], update: [], remove: [] },
  differs: { create: 'Acts of a part make it.' },
  fields: {
    Time: instant({ required: true }),
    ComponentId: ref('mtnComponent', { required: true, set: 'never', search: true }),
    PlaceId: ref('mtnPlace', { required: true, set: 'never', search: true }),
    RecordType: choice(recordTypes, { required: true, set: 'never', search: true }),
    Qty: number({ required: true, set: 'never' }),
    BeforeQty: number({ required: true, set: 'never' }),
    AfterQty: number({ required: true, set: 'never' }),
    /** Unit price. */
    Price: money({ required: true, set: 'never', seenWith: seesCost }),
    /** For a transfer: the other place. */
    OtherPlaceId: ref('mtnPlace', { set: 'never', as: 'OtherPlaceName' }),
    /** For a stocktake: time of counting. */
    CountTime: instant(),
    ...ofOrder,
    UserId: ref('user', { set: 'never' }),
    Remark: text({ max: 200, set: 'never' }),
    /** Number in the chain of its part and place. */
    Seq: number({ required: true, integer: true, set: 'never' }),
  },
})

/** Stock difference: a part taken offline that exceeds the stock. The stock stays unchanged until a store keeper settles it. */
export const mtnStockDifference = resource('mtnStockDifference', {
  path: '/Maintenance/MtnStockDifference',
  permission: 'm10622',
  title: 'ComponentId',
  order: '-Id',
  sheets: 'out',
  wire: { create: [], update: [], remove: [] },
  differs: { create: 'Phones make it.' },
  acts: {
    /** Books the part out once the stock has been counted or replenished. */
    book: { button: 'settle', when: { Status: [0] }, touches: [...touches, 'mtnComponent', 'mtnMaintenanceOrder'], asks: true },
    /** A stocktake already corrected the stock, or the part was not taken. */
    dismiss: { button: 'settle', when: { Status: [0] }, fields: { Remark: text({ required: true, max: 200 }) } },
  },
  fields: {
    Time: instant({ required: true }),
    ComponentId: ref('mtnComponent', { required: true, set: 'never', search: true }),
    PlaceId: ref('mtnPlace', { required: true, set: 'never', search: true }),
    Qty: number({ required: true, set: 'never' }),
    /** Stock of the place at that time. */
    StockQty: number({ required: true, set: 'never' }),
    ...ofOrder,
    UserId: ref('user', { set: 'never' }),
    /** 0 open, 1 taken out of the stock, 2 dismissed. */
    Status: choice([0, 1, 2], { required: true, set: 'never', search: true, default: 0 }),
    SettleUserId: ref('user', { set: 'never', as: 'SettleUserName' }),
    SettleTime: instant(),
    Remark: text({ max: 200, set: 'never' }),
  },
})

/** Parts of a model's devices: one tree per model. */
export const mtnComponentCompo = resource('mtnComponentCompo', {
  path: '/Maintenance/MtnComponent/ComponentCompoInfo',
  permission: 'm10607',
  title: 'ComponentId',
  order: 'Id',
  wire: { find: [], remove: ['DELETE ', 'DELETE /{id}'] },
  sheets: 'in-out',
  differs: { lists: 'It has no name of its own to search for.' },
  fields: {
    DeviceModelId: ref('proModel', { required: true, set: 'create', as: 'DeviceModelName', search: true }),
    /** The enclosing part; empty at the top level. */
    ParentComponentId: ref('mtnComponent', { as: 'ParentComponentName' }),
    ComponentId: ref('mtnComponent', { required: true, unique: 'DeviceModelId' }),
    Qty: number({ required: true, ...quantity, default: 1 }),
  },
})

export const partResources = [
  ...[mtnPlace, mtnComponent, mtnComponentStock, mtnComponentRecord],
  ...[mtnStockDifference, mtnComponentCompo],
] as const

/** Levels of a composition. */
export const deepestCompo = 8

const Text = Type.String()
const Maybe = Type.Union([Text, Type.Null()])
const Amount = Type.Union([Type.Number(), Type.Null()])
const Part = { ComponentId: Id, ComponentName: Text, ComponentNo: Text, Unit: Text }
const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}', maxLength: 19 })

export const sparePartCalls = {
  setStatus: call({
    method: 'POST',
    path: '/Maintenance/MtnComponent/ComponetStatus/:id/:status',
    permission: 'm10607.edit',
    answer: Type.Object({ Id, Status: Type.Integer() }),
  }),
  /** Sums of movements by part, type and month in the caller's time zone; by default for the last twelve months. */
  sums: call({
    method: 'GET',
    path: '/Maintenance/MtnComponent/OrderComponetStatics',
    permission: 'm10608',
    query: Type.Object({ ComponentId: Type.Optional(Id), DateFrom: Type.Optional(Day), DateTo: Type.Optional(Day) }),
    answer: Type.Object({
      Items: Type.Array(
        Type.Object({ ...Part, RecordType: Type.Integer(), Month: Text, Count: Type.Integer(), Qty: Type.Number(), Amount }),
      ),
    }),
  }),
  /** Purchase proposals: parts below their minimum, with their use in twelve months and during the delivery time. */
  proposals: call({
    method: 'GET',
    path: '/Maintenance/MtnComponent/Proposals',
    permission: 'm10607',
    answer: Type.Object({
      Items: Type.Array(
        Type.Object({
          ...Part,
          SupplierName: Maybe,
          StockQty: Type.Number(),
          MinQty: Type.Number(),
          MaxQty: Amount,
          UsedQty: Type.Number(),
          LeadDays: Type.Union([Type.Integer(), Type.Null()]),
          BuyQty: Type.Number(),
          Amount,
        }),
      ),
    }),
  }),
  /** The parts of a device, from the composition of its model, top level first. */
  ofDevice: call({
    method: 'GET',
    path: '/Maintenance/MtnComponent/OfDevice',
    permission: 'm10607',
    query: Type.Object({ DeviceId: Id }),
    answer: Type.Object({
      Items: Type.Array(
        Type.Object({ ...Part, ParentComponentId: Type.Union([Id, Type.Null()]), Qty: Type.Number(), StockQty: Type.Number() }),
      ),
    }),
  }),
}
