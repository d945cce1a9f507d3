// Reconciles an invoice with meters and prices line by line, and identifies the cause of each difference.
import { type Static, Type } from 'typebox'
import { ById, call } from '../../../contract/call.ts'
import { Id } from '../../../contract/resource.ts'
import { parts } from './comparison.ts'
import { energyBill } from './contract.ts'

const Amount = Type.Number()
const Maybe = Type.Union([Amount, Type.Null()])
const Side = Type.Union([Type.Object({ Quantity: Maybe, Cost: Amount }), Type.Null()])
/** `Kind` and `Level` as in the lines of an invoice. `Difference`: by how much the invoice is higher. */
export const CheckedLine = Type.Object({
  ...{ Kind: Type.Integer(), Level: Type.Integer(), Name: Type.String() },
  ...{ Billed: Side, Expected: Side, Difference: Amount },
})
export type CheckedLine = Static<typeof CheckedLine>

export const billCalls = {
  check: call({
    ...{ method: 'GET', path: '/Energy/Bill/Check', permission: energyBill.permission },
    query: ById,
    answer: Type.Object({
      ...{ Id, BillNo: Type.String(), EnergyInfoId: Id, EnergyName: Type.String(), Unit: Type.String() },
      ...{ StartDate: Type.String(), EndDate: Type.String(), Currency: Type.Union([Type.String(), Type.Null()]) },
      Lines: Type.Array(CheckedLine),
      /** They add up to the difference of `Billed` and `Expected`. Energy: more or less of it; level: the same at other times; price: the same at another price. */
      Parts: Type.Array(
        Type.Object({ Part: Type.Unsafe<(typeof parts)[number]>(Type.Union(parts.map((part) => Type.Literal(part)))), Amount }),
      ),
      /** The sum of the lines, the invoice's own total, and the expected total. */
      ...{ Billed: Amount, TotalAmount: Maybe, Expected: Amount },
      /** By the meter; of it, what lies in gaps, and what has no price. `Known`: percent of the time of which anything is known. */
      ...{ Energy: Amount, Missing: Amount, Unpriced: Amount, Known: Amount },
    }),
  }),
}
