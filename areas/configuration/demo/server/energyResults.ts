// Energy results of the demo company: a closed month, the supplier's invoice for it, and a baseline of the site.
import { sql } from 'kysely'
import { dayNumber, dayOf } from '../../../../contract/days.ts'
import type { Db } from '../../../../server/database/db.ts'
import { store } from '../../../../server/resource/store.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { type BillLine, demandLine, energyBill, taxLine } from '../../../energy/bills/contract.ts'
import { acceptBaseline, closeMonth, openReading, readStatement } from '../../../energy/consumption/server/service.ts'
import { type Company, person } from './maintenance/company.ts'
import { say } from './maintenance/words.ts'

type Telemetries = Pick<Telemetry, 'aside'>
const cents = (value: number) => Math.round(value * 100) / 100
const monthOf = (time: number) => new Date(time).toISOString().slice(0, 7)
const monthsBefore = (month: string, count: number) => {
  const [year = 0, of = 1] = month.split('-').map(Number)
  return monthOf(Date.UTC(year, of - 1 - count, 1))
}

type Statement = Awaited<ReturnType<typeof readStatement>>
/** The invoice of a month: the metered amounts with a higher demand, and taxes. */
const billOf = ({ Lines = [] }: Statement['Circuits'][number]): BillLine[] => {
  const more = 6
  const sums = new Map<string, BillLine>()
  for (const { Kind, Name, Level, Quantity, Cost } of Lines) {
    const key = `${Kind} ${Level} ${Kind > 3 ? Name : ''}`
    const sum = sums.get(key)
    sums.set(key, {
      ...{ Kind, Level, Name, Amount: (sum?.Amount ?? 0) + Cost },
      Quantity: Quantity === null ? null : (sum?.Quantity ?? 0) + Quantity,
    })
  }
  const lines = [...sums.values()]
  const before = lines.reduce((sum, { Kind, Amount }) => sum + (Kind === taxLine ? 0 : Amount), 0)
  const demand = lines.find(({ Kind, Quantity }) => Kind === demandLine && Quantity)
  const extra = demand ? (demand.Amount * more) / demand.Quantity! : 0
  const share = before > 0 ? 1 + extra / before : 1
  return lines.map((line) => {
    if (line === demand) return { ...line, Quantity: cents(line.Quantity! + more), Amount: cents(line.Amount + extra) }
    return { ...line, Amount: cents(line.Kind === taxLine ? line.Amount * share : line.Amount) }
  })
}

/** Closes the month before last; the last month stays open, so that visitors can close it. */
const closeAndBill = async (db: Db, c: Company, telemetry: Telemetries) => {
  const { EnterpriseId, ProjectId, planner, now, since, language } = c
  const Month = monthsBefore(monthOf(now), 2)
  if (since > Date.parse(`${Month}-01T00:00:00Z`)) return
  const reading = await openReading(db, person(c, planner, now), { telemetry, now })
  const { Events } = await readStatement(reading, { ProjectId, Month })
  await closeMonth(reading, { ProjectId, Month, Confirmed: Events.length })
  const { Circuits } = await readStatement(reading, { ProjectId, Month })
  const site = Circuits.find(({ EnergyCode }) => EnergyCode === 'E1')
  if (!site?.Lines?.length) return
  const BillLines = billOf(site)
  await store(energyBill).create(db, person(c, planner, now), {
    ...{ BillNo: `RW-${Month}`, EnergyInfoId: site.EnergyInfoId, EnterpriseId },
    SupplierName: say('Valley Power', '河谷电力', 'Energía del Valle', 'バレー電力')[language],
    ...{ StartDate: `${Month}-01`, EndDate: dayOf(dayNumber(`${monthsBefore(Month, -1)}-01`) - 1), BillLines },
    TotalAmount: cents(BillLines.reduce((sum, { Amount }) => sum + Amount, 0)),
  })
}

/** Baseline over half a year before the closed month, by production and weekday. */
const acceptSite = async (db: Db, c: Company, telemetry: Telemetries) => {
  const { EnterpriseId, planner, now, since } = c
  const rows = await db.rows<{ Id: number; EnergyCode: string }>(
    sql`select "Id", "EnergyCode" from energy_info where "EnterpriseId" = ${EnterpriseId} and "EnergyCode" in ('E1', 'W1')`,
  )
  const idOf = (code: string) => rows.find(({ EnergyCode }) => EnergyCode === code)?.Id
  const [EnergyInfoId, ProductInfoId] = [idOf('E1'), idOf('W1')]
  const to = dayNumber(`${monthsBefore(monthOf(now), 2)}-01`) - 1
  const from = Math.max(to - 181, Math.ceil(since / 86_400_000) + 1)
  if (!EnergyInfoId || !ProductInfoId || to - from < 60) return
  const reading = await openReading(db, person(c, planner, now), { telemetry, now }, { EnergyInfoIds: [EnergyInfoId] })
  await acceptBaseline(reading, { EnergyInfoId, DateFrom: dayOf(from), DateTo: dayOf(to), ProductInfoId, Weekday: 1 })
}

export const seedEnergyResults = async (db: Db, c: Company, telemetry: Telemetries) => {
  await closeAndBill(db, c, telemetry)
  await acceptSite(db, c, telemetry)
}
