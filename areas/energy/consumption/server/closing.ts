// Closes months and answers their statements.
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Answer } from '../../../../contract/call.ts'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { noteDeed } from '../../../../server/identity/note.ts'
import { hiddenFields } from '../../../../server/resource/sql.ts'
import { energyInfo } from '../../circuits/contract.ts'
import { shownLines } from '../../tariffs/rounding.ts'
import type { LateLine, monthCalls, StatementCircuit } from '../closing.ts'
import { sharedMonth } from './costCentres.ts'
import { costOf, figureOf, levelsOf, money, units } from './figures.ts'
import { closedMonths, lateOf, monthsLookedAt } from './late.ts'
import { currencyOf } from './months.ts'
import { monthKeys, spanOf, textOfDay, today } from './ranges.ts'
import type { Reading } from './reading.ts'
import { draftStatement, type FrozenCircuit, type FrozenStatement, type LateAmount, serverReading, thawSum } from './statements.ts'
import { added } from './usage.ts'

const refuse = (field: string, rule: string, values = {}, key?: 'taken') => new FieldFaults([{ field, rule, values }], key)
type Asked = { ProjectId: number; Month: string }

/** A month that is over, and later than all that are closed. */
const assertClosable = async (reading: Reading, { ProjectId, Month }: Asked) => {
  const { end } = spanOf(reading.zone, monthKeys(Month))
  if (end > reading.deriving.now) throw refuse('Month', 'energy.monthRunning')
  const rows = await reading.db.rows<{ Month: string }>(
    sql`select "Month" from energy_month where "ProjectId" = ${ProjectId} order by "Month" desc limit 1`,
  )
  const last = rows[0]?.Month
  if (last && last > Month) throw refuse('Month', 'energy.monthEarlier', { month: last })
  if (last === Month) throw refuse('Month', 'energy.monthClosed', {}, 'taken')
}

const userName = async (db: Db, { UserId }: Actor) =>
  (await db.rows<{ UserName: string }>(sql`select "UserName" from "user" where "Id" = ${UserId}`))[0]?.UserName ?? null

/** Closes a month. Concurrent requests to close the same month get a conflict (409), except for the first. */
export const closeMonth = async (reading: Reading, asked: Asked & { Confirmed?: number | undefined }) => {
  const { ProjectId, Month, Confirmed = 0 } = asked
  const { actor, enterprise, deriving } = reading
  await assertClosable(reading, asked)
  return reading.db.tx(async (db) => {
    const own = await serverReading({ db, deriving, enterprise })
    await db.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`energy month ${ProjectId}`}, 0))`)
    await assertClosable(own, asked)
    const late = await lateOf(own, ProjectId, await closedMonths(db, ProjectId))
    const statement = await draftStatement(own, ProjectId, Month, late)
    if (statement.Events.length !== Confirmed) throw refuse('Confirmed', 'energy.openEvents', { count: statement.Events.length })
    const text = JSON.stringify(statement)
    const Sha256 = createHash('sha256').update(text).digest('hex')
    const [row] = await db.rows<{ Id: number; ClosedTime: number }>(sql`
      insert into energy_month ("EnterpriseId", "ProjectId", "Month", "Statement", "Prices", "Sha256", "CloserName", "CreateTime")
      values (${enterprise}, ${ProjectId}, ${Month}, ${text}, ${JSON.stringify(statement.Prices)}::jsonb, ${Sha256}, ${await userName(db, actor)}, ${new Date(deriving.now)})
      returning "Id", (extract(epoch from "CreateTime") * 1000)::float8 as "ClosedTime"`)
    const deed = { Resource: 'energyMonth', RecordId: row!.Id, Verb: 'create' }
    await noteDeed(db, { ...actor, EnterpriseId: enterprise }, deed, { ProjectId, Month, Sha256, Events: statement.Events.length })
    return { Month, Sha256, ClosedTime: row!.ClosedTime }
  }, `energy month ${ProjectId}`)
}

type MonthList = Answer<typeof monthCalls.list>
/** Closed months, and those after the last of them; without any, the last thirteen. */
export const listMonths = async (reading: Reading, ProjectId: number): Promise<MonthList> => {
  const { db, zone, deriving } = reading
  const closed = await db.rows<{ Month: string; ClosedTime: number; ClosedBy: string | null; Sha256: string }>(sql`
    select "Month", (extract(epoch from "CreateTime") * 1000)::float8 as "ClosedTime", "CloserName" as "ClosedBy", "Sha256" from energy_month
    where "ProjectId" = ${ProjectId} order by "Month" desc`)
  const current = textOfDay(today(zone, deriving.now)).slice(0, 7)
  const open: string[] = []
  for (let month = current; open.length < monthsLookedAt && month > (closed[0]?.Month ?? ''); month = monthBefore(month)) open.push(month)
  return {
    Items: [
      ...open.map((Month) => ({ Month, IsClosed: 0, IsOver: Number(Month < current), ClosedTime: null, ClosedBy: null, Sha256: null })),
      ...closed.map((row) => ({ ...row, IsClosed: 1, IsOver: 1 })),
    ],
  }
}
const monthBefore = (month: string) => textOfDay(monthKeys(month).from - 1).slice(0, 7)

const numberOf = (value: string | null, per: (value: bigint) => number) => (value === null ? null : per(BigInt(value)))
const kinds = ['energy', 'demand', 'powerFactor', 'charge', 'tax']

/** Costs of lines in the decimals of the currency, so that they add up to their total. */
const linesOf = ({ Lines }: FrozenCircuit, currency: string | null) => {
  const costs = shownLines(
    Lines.map(({ cost }) => BigInt(cost)),
    // ISO 4217 for “no currency”: two decimals.
    currency ?? 'XXX',
  )
  return Lines.map(({ kind, name, level, tier, from, to, quantity, price, percent }, i) => ({
    ...{ Kind: kinds.indexOf(kind) + 1, Name: name, Level: level, Tier: tier, DateFrom: from, DateTo: to },
    ...{ Quantity: numberOf(quantity, units), Price: numberOf(price, money), Percent: percent, Cost: costs[i]! },
  }))
}

const circuitOf = (frozen: FrozenCircuit, currency: string | null, { seesCost, actor }: Reading): StatementCircuit => {
  const { Id, EnergyType, Unit, ParentId, Source, CountInTotal, AreaM2, RegionName, Demand, CostCentres, Factors, Lines } = frozen
  const hidden = hiddenFields(energyInfo, actor)
  const shown = <T, U>(name: string, value: T, none: U) => (hidden?.has(name) ? none : value)
  const days = frozen.Days.map(thawSum)
  const sum = added(days)
  const kg = (factor: string) => (sum.known ? Number(sum.energy * BigInt(factor)) / 1e12 : null)
  const total = Lines.reduce((all, { cost }) => all + BigInt(cost), 0n)
  const shares = CostCentres.map((share) => ({ ...share, percent: BigInt(share.percent) }))
  return {
    ...{ EnergyInfoId: Id, EnergyType, Unit, Source, CountInTotal },
    EnergyName: shown('EnergyName', frozen.EnergyName, ''),
    EnergyCode: shown('EnergyCode', frozen.EnergyCode, ''),
    ParentId: shown('ParentId', ParentId, null),
    RegionName: shown('RegionId', RegionName, null),
    AreaM2: shown('AreaM2', AreaM2, null),
    ...figureOf(sum, { seesCost }),
    Levels: levelsOf(sum, { seesCost }),
    ...{ Kgce: kg(Factors.kgce), Kgco2e: kg(Factors.kgco2e) },
    ...{ Demand: Demand ? units(BigInt(Demand.power)) : null, DemandAt: Demand?.at ?? null },
    CostCentres: sharedMonth(shares, days, total).map(({ costCentre, percent, energy, cost }) => ({
      ...{ CostCentre: costCentre, Percent: Number(percent) / 10_000, Energy: sum.known ? units(energy) : null },
      ...(seesCost ? { Cost: Lines.length ? money(cost) : null } : {}),
    })),
    ...(seesCost ? { Lines: linesOf(frozen, currency), TotalCost: Lines.length ? money(total) : costOf(sum) } : {}),
  }
}
const lateLine = (reading: Reading, { Circuit, Month, EnergyName, EnergyCode, Unit, Energy, Cost }: LateAmount): LateLine => {
  const hidden = hiddenFields(energyInfo, reading.actor)
  return {
    ...{ Month, EnergyInfoId: Circuit, Unit, Energy: units(BigInt(Energy)) },
    ...{ EnergyName: hidden?.has('EnergyName') ? '' : EnergyName, EnergyCode: hidden?.has('EnergyCode') ? '' : EnergyCode },
    ...(reading.seesCost ? { Cost: money(BigInt(Cost)) } : {}),
  }
}

const statementIn = async (reading: Reading, { ProjectId, Month }: Asked) => {
  const own = await serverReading(reading)
  const closed = await closedMonths(reading.db, ProjectId)
  const held = closed.find((one) => one.Month === Month) ?? (await closedMonths(reading.db, ProjectId, Month))[0]
  // Closed month: late amounts. Open month: amounts of earlier months that it settles.
  const late = await lateOf(own, ProjectId, closed, held ? [held] : closed)
  return held ? { held, statement: held.Statement, late } : { statement: await draftStatement(own, ProjectId, Month, late), late }
}
export const readStatement = async (reading: Reading, asked: Asked): Promise<Answer<typeof monthCalls.statement>> => {
  monthKeys(asked.Month)
  const { held, statement, late } = await statementIn(reading, asked)
  const byId = new Map(statement.Circuits.map((circuit) => [circuit.Id, circuit]))
  const { Month, ProjectName, Zone, Currency } = statement as FrozenStatement
  const hidden = hiddenFields(energyInfo, reading.actor)
  return {
    ...{ ProjectId: asked.ProjectId, ProjectName, Month, Zone },
    ...(reading.seesCost ? { Currency } : currencyOf(reading)),
    ...{
      IsClosed: Number(held !== undefined),
      ClosedTime: held?.ClosedTime ?? null,
      ClosedBy: held?.CloserName ?? null,
      Sha256: held?.Sha256 ?? null,
    },
    Circuits: statement.Circuits.map((circuit) => circuitOf(circuit, Currency, reading)),
    Late: [...(held ? statement.Late : []), ...late].map((line) => lateLine(reading, line)),
    Events: statement.Events.map(({ Circuit, Time }) => {
      const { EnergyName = '', EnergyCode = '' } = byId.get(Circuit) ?? {}
      return {
        ...{ EnergyInfoId: Circuit, Time },
        ...{ EnergyName: hidden?.has('EnergyName') ? '' : EnergyName, EnergyCode: hidden?.has('EnergyCode') ? '' : EnergyCode },
      }
    }),
  }
}
