import { type Static, Type } from 'typebox'
import { files, json, long, money, ref, text } from '../../../contract/field.ts'
import { resource } from '../../../contract/resource.ts'

/** Permission to see the contents of invoices. */
export const seesEnergyCost = 'm10712.cost'
const day = '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$'

/** 1 energy, 2 demand, 3 power factor, 4 charge, 5 tax. */
export const lineKinds = [1, 2, 3, 4, 5] as const
export const [energyLine, demandLine, factorLine, chargeLine, taxLine] = lineKinds
/** A line as the supplier's invoice has it. */
export const BillLine = Type.Object(
  {
    Kind: Type.Integer({ minimum: 1, maximum: 5 }),
    /** Of energy: 1 sharp to 5 deep valley; 0 not by level. */
    Level: Type.Optional(Type.Integer({ minimum: 0, maximum: 5 })),
    Name: Type.Optional(Type.String({ maxLength: 60 })),
    /** Units, kW or kVA. */
    Quantity: Type.Optional(Type.Union([Type.Number({ minimum: 0, maximum: 1e12 }), Type.Null()])),
    Amount: Type.Number({ minimum: -9e9, maximum: 9e9 }),
  },
  { additionalProperties: false },
)
export type BillLine = Static<typeof BillLine>

/** An invoice of the supplier for a circuit. Nothing is read out of its file: people enter the lines. */
export const energyBill = resource('energyBill', {
  path: '/Energy/Bill',
  permission: 'm10712',
  readBy: seesEnergyCost,
  title: 'BillNo',
  owner: 'EnergyInfoId',
  order: '-StartDate',
  differs: { permissions: 'Its menu alone reads nothing: invoices are for who sees money.' },
  fields: {
    BillNo: text({ required: true, max: 40, unique: true, search: true }),
    EnergyInfoId: ref('energyInfo', { required: true, set: 'create', search: true, as: 'EnergyName' }),
    SupplierName: text({ max: 60, search: true }),
    StartDate: text({ required: true, max: 10, pattern: day }),
    /** The last day, included. */
    EndDate: text({ required: true, max: 10, pattern: day }),
    BillLines: json({ required: true, default: [], schema: Type.Array(BillLine, { maxItems: 60 }) }),
    TotalAmount: money({ min: -9e9 }),
    Files: files({ most: 3, purpose: 'bill' }),
    Remark: long({ max: 500 }),
  },
})
