import { dayNumber } from '../../../../contract/days.ts'
import { toBillionths } from '../../../../contract/money.ts'
import type { Db } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { store } from '../../../../server/resource/store.ts'
import { circuitWithPrices, type Deriving } from '../../consumption/server/service.ts'
import { compare, parts, type Side } from '../comparison.ts'
import { type BillLine, energyBill } from '../contract.ts'
import { expectedOf, spanOf } from './expected.ts'

const bills = store(energyBill)
type Bill = {
  Id: number
  BillNo: string
  EnergyInfoId: number
  StartDate: string
  EndDate: string
  BillLines: BillLine[]
  TotalAmount: number | null
}

const units = (thousandths: bigint) => Number(thousandths) / 1000
const money = (billionths: bigint) => Number(billionths) / 1e9
const sideOf = ({ Kind, Level = 0, Name = '', Quantity = null, Amount }: BillLine): Side => ({
  ...{ kind: Kind, level: Level, name: Name, cost: BigInt(toBillionths(Amount)) },
  quantity: Quantity === null ? null : BigInt(Math.round(Quantity * 1000)),
})
const shown = (side: { quantity: bigint | null; cost: bigint } | null) =>
  side && { Quantity: side.quantity === null ? null : units(side.quantity), Cost: money(side.cost) }

export const checkBill = async (db: Db, actor: Actor, deriving: Deriving, id: number) => {
  const bill = (await bills.find(db, actor, id)) as unknown as Bill
  const { StartDate, EndDate } = bill
  const days = { from: dayNumber(`${StartDate.slice(0, 4)}-01-01`), to: dayNumber(EndDate) }
  const { circuit, zone, currency, versions, isHoliday, quarters } = await circuitWithPrices(db, actor, deriving, bill.EnergyInfoId, days)
  const [span, own] = [spanOf(bill, versions, zone), spanOf(bill, [], zone)]
  const { active: of, reactive } = await quarters(span)
  const expected = expectedOf({ StartDate, EndDate, versions, zone, isHoliday, quarters: of, reactive })
  const compared = compare(bill.BillLines.map(sideOf), expected.sides)
  const unknown = of.unknown.subarray((own.start - of.start) / 900_000)
  return {
    ...{ Id: id, BillNo: bill.BillNo, EnergyInfoId: circuit.Id, EnergyName: circuit.EnergyName, Unit: circuit.Unit, StartDate, EndDate },
    Currency: currency,
    Lines: compared.lines.map(({ kind, level, name, billed, expected, difference }) => ({
      ...{ Kind: kind, Level: level, Name: name, Billed: shown(billed), Expected: shown(expected), Difference: money(difference) },
    })),
    Parts: parts.map((part) => ({ Part: part, Amount: money(compared.parts[part]) })),
    ...{ Billed: money(compared.billed), TotalAmount: bill.TotalAmount, Expected: money(compared.expected) },
    ...{ Energy: units(expected.energy), Missing: units(expected.missing), Unpriced: units(expected.unpriced) },
    Known: unknown.length ? 100 - (100 * unknown.reduce((sum, one) => sum + one, 0)) / unknown.length : 0,
  }
}
