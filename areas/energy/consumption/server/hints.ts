// Works hints out from what circuits used: the largest by money, without those that somebody found of no use.
import { sql } from 'kysely'
import type { Answer } from '../../../../contract/call.ts'
import type { SettingsValues } from '../../../../contract/settings.ts'
import type { Db } from '../../../../server/database/db.ts'
import { noteDeed } from '../../../../server/identity/note.ts'
import { readSettings } from '../../../../server/resource/settings.ts'
import { createStatistics } from '../../../../server/telemetry/meaning/statistics.ts'
import { hour, minute, quarter } from '../../../../server/telemetry/store/store.ts'
import { recoverEnergyAlarms } from '../../../alarms/alarms/server/service.ts'
import { meaningsOf, visiblePoints } from '../../../analysis/telemetry/server/service.ts'
import { fromMeter } from '../../circuits/contract.ts'
import { byPeak } from '../../tariffs/prices.ts'
import { energyHints, type Hint, type HintRule, type hintCalls, hintRules, mostHints } from '../hints.ts'
import type { Circuit } from './circuits.ts'
import { energyOf, money, units } from './figures.ts'
import { childrenAreAbove, counterStands, type Found, nightIsUp, peakIsNear, waterNeverStands } from './hintRules.ts'
import { currencyOf } from './months.ts'
import { tariffsIn } from './priced.ts'
import { quartersOf } from './quarterHours.ts'
import { monthKeys, spanOf, textOfDay, today } from './ranges.ts'
import { kindOf, type Reading, seenCircuits } from './reading.ts'
import type { Sum } from './sums.ts'
import { added, usageOf } from './usage.ts'

type Thresholds = SettingsValues<typeof energyHints>
/** `cost` in billionths, where it is not the energy at its mean price. */
type Candidate = { circuit: Circuit; by: HintRule; found: Found; unit: string; cost?: number | null }
/** `current`: today. `settled`: the last day considered complete, allowing for late readings. */
type Asked = { reading: Reading; circuits: readonly Circuit[]; limits: Thresholds; current: number; settled: number }

const [electricity, water] = [1, 2]
const [nightHours, nightsBefore] = [5, 56]
/** Grace period for late readings of a day or night. */
const settleMs = 20 * minute
const isWhole = ({ known, count }: Sum) => count > 0 && known === count
const wholeEnergy = (sum: Sum | undefined) => (sum && isWhole(sum) ? energyOf(sum) : null)
export const powerUnit = (unit: string) => (unit.endsWith('Wh') ? unit.slice(0, -1) : `${unit}/h`)

/** A night is the first five hours of a local day. The latest complete night is used. */
const nights = async ({ reading, circuits, limits, settled }: Asked): Promise<Candidate[]> => {
  const own = circuits.filter(({ EnergyType }) => EnergyType === electricity)
  const nightOf = (day: number) => spanOf(reading.zone, { from: day, to: day }).start
  const isOver = nightOf(settled) + nightHours * hour + settleMs <= reading.deriving.now
  const last = isOver ? settled : settled - 1
  const starts = Array.from({ length: nightsBefore + 1 }, (_, i) => nightOf(last - nightsBefore + i))
  const edges = starts.flatMap((start) => [start, start + nightHours * hour])
  if (!own.length) return []
  const usage = await usageOf(reading, own, { start: edges[0]!, end: edges.at(-1)! }, { edges, priced: false })
  return own.flatMap((circuit) => {
    const all = usage.get(circuit.Id)!.filter((_, i) => i % 2 === 0)
    const found = nightIsUp(all.slice(0, -1).map(wholeEnergy), wholeEnergy(all.at(-1)), limits.NightPercent)
    return found ? [{ circuit, by: 'night' as const, found, unit: circuit.Unit }] : []
  })
}

const restlessWater = async ({ reading: { db, deriving, all, zone }, circuits, limits, settled }: Asked): Promise<Candidate[]> => {
  const own = circuits.filter(({ EnergyType, Source }) => EnergyType === water && Source === fromMeter)
  const span = spanOf(zone, { from: settled - limits.WaterDays, to: settled - 1 })
  const quarters = own.length ? await quartersOf(db, deriving, own, all, span) : new Map<number, never>()
  return own.flatMap((circuit) => {
    const { value, unknown } = quarters.get(circuit.Id)!
    const found = waterNeverStands([...value].map((one, i) => (unknown[i] ? null : units(one))))
    return found ? [{ circuit, by: 'water' as const, found, unit: circuit.Unit }] : []
  })
}

const families = async ({ reading, circuits, limits, settled }: Asked): Promise<Candidate[]> => {
  const children = Map.groupBy(circuits, ({ ParentId }) => ParentId)
  const usage = await usageOf(reading, circuits, spanOf(reading.zone, { from: settled - 1, to: settled - 1 }), { priced: false })
  const energy = ({ Id }: Circuit) => wholeEnergy(added(usage.get(Id) ?? []))
  return circuits.flatMap((circuit) => {
    const own = (children.get(circuit.Id) ?? []).filter((one) => kindOf(one) === kindOf(circuit))
    const found = childrenAreAbove(energy(circuit), own.map(energy), limits.ChildrenPercent)
    return found ? [{ circuit, by: 'children' as const, found, unit: circuit.Unit }] : []
  })
}

/** A point for power beside the counter of a circuit, on the same device. */
const powerPoints = async ({ db, actor }: Reading, circuits: readonly Circuit[]) => {
  const rows = await db.rows<{ Id: number; ParaId: number; Unit: string }>(sql`
    select distinct on (s."EnergyInfoId") s."EnergyInfoId" as "Id", p."Id" as "ParaId", p."ParaUnitName" as "Unit"
    from energy_source s join point c on c."Id" = s."ParaId" join point p on p."DeviceId" = c."DeviceId" and p."ParaUnitName" in ('W', 'kW', 'MW')
    where s."EnergyInfoId" = any(${circuits.map(({ Id }) => Id)}::bigint[]) and s."From" <= now() order by s."EnergyInfoId", s."From" desc, p."Id"`)
  const seen = new Set(
    await visiblePoints(
      db,
      actor,
      rows.map(({ ParaId }) => ParaId),
    ),
  )
  return rows.filter(({ ParaId }) => seen.has(ParaId))
}
const kilowatts: Readonly<Record<string, number>> = { W: 0.001, kW: 1, MW: 1000 }

const standing = async ({ reading, circuits, limits }: Asked): Promise<Candidate[]> => {
  const { db, actor, deriving } = reading
  const own = circuits.filter(({ EnergyType, Source }) => EnergyType === electricity && Source === fromMeter)
  const end = Math.floor(deriving.now / quarter) * quarter
  const span = { start: end - limits.StandHours * hour, end }
  const usage = await usageOf(reading, own, span, { priced: false })
  const still = own.filter(({ Id }) => wholeEnergy(added(usage.get(Id)!)) === 0)
  const points = still.length ? await powerPoints(reading, still) : []
  if (!points.length) return []
  const ids = [...new Set(points.map(({ ParaId }) => ParaId))]
  const { meanings } = await meaningsOf(db, actor, ids)
  const found = await createStatistics({ store: deriving.telemetry.aside, clock: () => deriving.now }).of(meanings, {
    edges: [span.start, span.end],
  })
  const means = new Map(meanings.map(({ id }, i) => [id, found[i]!.parts[0]]))
  return points.flatMap(({ Id, ParaId, Unit }) => {
    const part = means.get(ParaId)
    const power = part?.count ? part.mean * kilowatts[Unit]! : null
    const hint = counterStands(0, power, limits.StandPower)
    return hint ? [{ circuit: reading.byId.get(Id)!, by: 'standing' as const, found: hint, unit: 'kW' }] : []
  })
}

const peaks = async ({ reading, circuits, limits, current }: Asked): Promise<Candidate[]> => {
  const { db, deriving, zone } = reading
  const start = Math.floor(deriving.now / quarter) * quarter
  const month = spanOf(zone, monthKeys(textOfDay(current).slice(0, 7)))
  const { versions } = await tariffsIn(db, circuits, { from: current, to: current })
  const demandOf = ({ Id }: Circuit) =>
    versions.get(Id)?.find(({ from, to, demand }) => from <= current && current <= to && demand.type === byPeak)?.demand
  const own = circuits.filter((circuit) => demandOf(circuit))
  if (!own.length || start <= month.start) return []
  const before = await usageOf(reading, own, { start: month.start, end: start }, { priced: false })
  const now = await usageOf(reading, own, { start, end: start + quarter }, { priced: false })
  return own.flatMap((circuit) => {
    const { peak, peakAt } = added(before.get(circuit.Id)!)
    const energy = energyOf(added(now.get(circuit.Id)!))
    const found = peakIsNear(energy, (deriving.now - start) / minute, peakAt === null ? null : units(4n * peak), limits.DemandPercent)
    const cost = found && found.amount * Number(demandOf(circuit)!.price)
    return found ? [{ circuit, by: 'demand' as const, found, unit: powerUnit(circuit.Unit), cost: cost ?? null }] : []
  })
}

/** Number of days for the mean price of energy. */
const priceDays = 7
/** What candidates cost: their own, or their energy at the mean price of a week. */
const costsOf = async ({ reading, current }: Asked, candidates: readonly Candidate[]) => {
  const circuits = [...new Set(candidates.filter(({ cost }) => cost === undefined).map(({ circuit }) => circuit))]
  const usage = await usageOf(reading, circuits, spanOf(reading.zone, { from: current - priceDays, to: current - 1 }))
  const mean = ({ Id }: Circuit) => {
    const { energy, cost, isPriced } = added(usage.get(Id) ?? [])
    return isPriced && energy > 0n ? money(cost) / units(energy) : null
  }
  return candidates.map(({ circuit, cost, found }) => {
    const price = cost === undefined ? mean(circuit) : null
    return cost === undefined ? price && price * found.amount : cost && cost / 1e9
  })
}

const mutesOf = (db: Db, ids: readonly number[]) =>
  db.rows<{ EnergyInfoId: number; Rule: HintRule; MutedBy: string | null }>(
    sql`select "EnergyInfoId", "Rule", "MutedBy" from energy_hint_mute where "EnergyInfoId" = any(${[...ids]}::bigint[]) order by "EnergyInfoId", "Rule"`,
  )

const ruleOf = { night: nights, water: restlessWater, children: families, standing, demand: peaks }

/** A project's hints for the given rules, most expensive first, without dismissed ones. */
export const firingHints = async (reading: Reading, ProjectId: number, rules: readonly HintRule[] = hintRules) => {
  const circuits = seenCircuits(reading, { ProjectId })
  const limits = await readSettings(reading.db, energyHints, reading.enterprise)
  if (!limits.IsOn || !circuits.length) return []
  const { zone, deriving } = reading
  const asked: Asked = { reading, circuits, limits, current: today(zone, deriving.now), settled: today(zone, deriving.now - settleMs) }
  const ids = circuits.map(({ Id }) => Id)
  const muted = new Set((await mutesOf(reading.db, ids)).map(({ EnergyInfoId, Rule }) => `${EnergyInfoId} ${Rule}`))
  const all: Candidate[] = []
  for (const rule of rules) all.push(...(await ruleOf[rule](asked)).filter(({ circuit, by }) => !muted.has(`${circuit.Id} ${by}`)))
  const costs = await costsOf(asked, all)
  return all
    .map(({ circuit, by, found, unit }, i) => ({ circuit, by, found, unit, cost: costs[i] ?? null }))
    .sort((a, b) => (b.cost ?? -1) - (a.cost ?? -1) || a.circuit.Id - b.circuit.Id)
}

export const hintsOf = async (reading: Reading, { ProjectId }: { ProjectId: number }): Promise<Answer<typeof hintCalls.list>> => {
  const Items = (await firingHints(reading, ProjectId)).slice(0, mostHints).map(
    ({ circuit, by, found, unit, cost }): Hint => ({
      ...{ EnergyInfoId: circuit.Id, EnergyName: circuit.EnergyName, Rule: by, Unit: unit },
      ...{ Value: found.value, Base: found.base, Amount: found.amount },
      ...(reading.seesCost ? { Cost: cost } : {}),
    }),
  )
  return { ...currencyOf(reading), Items }
}

export const mutedHints = async (reading: Reading, { ProjectId }: { ProjectId: number }): Promise<Answer<typeof hintCalls.muted>> => {
  const circuits = new Map(seenCircuits(reading, { ProjectId }).map((circuit) => [circuit.Id, circuit]))
  const rows = await mutesOf(reading.db, [...circuits.keys()])
  return { Items: rows.map((row) => ({ ...row, EnergyName: circuits.get(row.EnergyInfoId)!.EnergyName })) }
}

/** Remembers that a rule is of no use for a circuit, or forgets it. */
export const muteHint = async (
  reading: Reading,
  { EnergyInfoId, Rule, Muted = 1 }: { EnergyInfoId: number; Rule: HintRule; Muted?: 0 | 1 | undefined },
) => {
  const { actor, enterprise, deriving } = reading
  return reading.db.tx(async (db) => {
    await db.rows(
      Muted
        ? sql`
            insert into energy_hint_mute ("EnterpriseId", "EnergyInfoId", "Rule", "MutedBy")
            select ${enterprise}, ${EnergyInfoId}, ${Rule}, (select "UserName" from "user" where "Id" = ${actor.UserId}) on conflict do nothing`
        : sql`delete from energy_hint_mute where "EnergyInfoId" = ${EnergyInfoId} and "Rule" = ${Rule}`,
    )
    // The alarm recovers with the hint.
    if (Muted) await recoverEnergyAlarms(db, [{ Circuit: EnergyInfoId, Hint: Rule }], deriving.now)
    await noteDeed(
      db,
      { ...actor, EnterpriseId: enterprise },
      { Resource: 'energyInfo', RecordId: EnergyInfoId, Verb: 'update' },
      { Rule, Muted },
    )
    return { Muted }
  }, `energyInfo ${EnergyInfoId}`)
}
