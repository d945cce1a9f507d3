import { sql } from 'kysely'
import type { Answer } from '../../../../contract/call.ts'
import { dayNumber } from '../../../../contract/days.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults, notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { askWorker } from '../../../../server/jobs/askWorker.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { quarter } from '../../../../server/telemetry/store/store.ts'
import { circuitAmounts, circuitWithPrices, openReading } from '../../../energy/consumption/server/service.ts'
import { levelsOf } from '../../../energy/tariffs/server/service.ts'
import { roomData } from '../../figures/server/service.ts'
import { coldStorage, Sensor } from '../../rooms/contract.ts'
import { wallText } from '../../rooms/server/service.ts'
import { type coldEnergyCalls, mostEnergyDays, stages, Use } from '../contract.ts'
import { minute } from '../stages.ts'
import { type Needs, type StagesAsk, stagesOfRoom } from './minutes.ts'

type Asked = { ColdStorageId: number; Start: number; End: number }
type Room = { Id: number; Volume: number | null; circuits: ReadonlyMap<number, number> }
/** Maximum minute values to process on the main thread. Larger requests go to a worker thread. */
const fewMinutes = 20_000
const workerLimits = { mostMs: 60_000, heapMb: 1024 }
/** Minimum share of quarter-hours with known energy. */
const leastKnown = 0.98

/** Rounds the range inwards to whole quarter-hours, the resolution of energy data. */
const whole = ({ Start, End }: Asked) => {
  if (End <= Start) throw new FieldFaults([{ field: 'End', rule: 'afterStart' }])
  if (End - Start > mostEnergyDays * 86_400_000) throw new Fault('rangeTooLong', { max: mostEnergyDays })
  const [start, end] = [Math.ceil(Start / quarter) * quarter, Math.floor(End / quarter) * quarter]
  return end > start ? { start, end } : undefined
}

const roomOf = async (db: Db, actor: Actor, id: number): Promise<Room> => {
  const [room] = await db.rows<{ Id: number; Volume: number | null }>(sql`
    select t."Id", t."Volume"::float8 as "Volume" from cold_storage t where t."Id" = ${id} and ${visible(coldStorage, actor)}`)
  if (!room) throw notFound()
  const rows = await db.rows<{ Use: number; EnergyInfoId: number }>(
    sql`select "Use", "EnergyInfoId" from cold_circuit where "ColdStorageId" = ${id}`,
  )
  return { ...room, circuits: new Map(rows.map(({ Use, EnergyInfoId }) => [Use, EnergyInfoId])) }
}

const kwh = (value: number | undefined) => (value === undefined || Number.isNaN(value) ? null : Math.round(value * 1000) / 1000)
const hundredths = (value: number | null) => (value === null ? null : Math.round(value * 100) / 100)

/** Energy of circuits between edges. Missing circuits are skipped. */
const amountsOf = async (db: Db, actor: Actor, ids: readonly number[], edges: readonly number[], needs: Needs, known = leastKnown) => {
  const unique = [...new Set(ids)]
  if (!unique.length || edges.length < 2) return new Map<number, Float64Array>()
  const deriving = { telemetry: needs.telemetry, now: needs.clock() }
  return circuitAmounts(await openReading(db, actor, deriving, { EnergyInfoIds: unique }), unique, edges, known)
}

export const energyTypes = async (db: Db, actor: Actor, asked: Asked, needs: Needs): Promise<Answer<typeof coldEnergyCalls.types>> => {
  const span = whole(asked)
  const room = await roomOf(db, actor, asked.ColdStorageId)
  const wanted = [Use.whole, Use.compressor, Use.fan, Use.defrost]
  const ids = wanted.flatMap((use) => room.circuits.get(use) ?? [])
  const amounts = await amountsOf(db, actor, ids, span ? [span.start, span.end] : [], needs)
  const of = (use: number) => kwh(amounts.get(room.circuits.get(use) ?? 0)?.[0])
  const [total, compressor, fan, defrost] = wanted.map(of) as [number | null, number | null, number | null, number | null]
  // Unknown energy of a bound circuit would inflate the remainder.
  const isKnown = [Use.compressor, Use.fan, Use.defrost].every((use) => !room.circuits.has(use) || of(use) !== null)
  const rest = total === null || !isKnown ? null : kwh(total - (compressor ?? 0) - (fan ?? 0) - (defrost ?? 0))
  const days = span ? (span.end - span.start) / 86_400_000 : 0
  const perVolume = (value: number | null) => (value === null || !room.Volume ? null : kwh(value / room.Volume / days))
  return {
    ...{ ...asked, Total: total, PerVolumeDay: perVolume(total) },
    Items: [compressor, fan, defrost, rest].map((Energy, i) => ({
      ...{ EnergyUse: i + 1, Energy, PerVolumeDay: perVolume(Energy) },
      Percent: Energy === null || !total ? null : hundredths((100 * Energy) / total),
    })),
  }
}

type Phases = Answer<typeof coldEnergyCalls.phases>
const quartersIn = ({ start, end }: { start: number; end: number }) =>
  Array.from({ length: (end - start) / quarter + 1 }, (_, i) => start + i * quarter)

const byStage = async (db: Db, actor: Actor, asked: Asked, room: Room, needs: Needs): Promise<Phases['Items']> => {
  const span = whole(asked)
  const data = await roomData(db, actor, asked, needs)
  if (!data.sensors.some(({ SensorType }) => SensorType === Sensor.temperature)) return []
  const [start, count] = [span?.start ?? asked.Start, span ? (span.end - span.start) / minute : 0]
  const ask: StagesAsk = { room: data, start, count }
  const found =
    data.sensors.length * count <= fewMinutes
      ? stagesOfRoom(ask)
      : await askWorker<(number | null)[]>(new URL('./stages-worker.ts', import.meta.url), ask, workerLimits)
  const id = room.circuits.get(Use.whole)
  const amounts = id && span ? (await amountsOf(db, actor, [id], quartersIn(span), needs, 1)).get(id) : undefined
  const [energy, minutes] = [new Map<number, number>(), new Map<number, number>()]
  for (const [i, stage] of found.entries()) {
    if (stage === null) continue
    minutes.set(stage, (minutes.get(stage) ?? 0) + 1)
    const amount = amounts?.[Math.floor((i * minute) / quarter)]
    if (amount !== undefined && !Number.isNaN(amount)) energy.set(stage, (energy.get(stage) ?? 0) + (amount * minute) / quarter)
  }
  return stages.map((Phase) => ({ Phase, Minutes: minutes.get(Phase) ?? 0, Energy: amounts ? kwh(energy.get(Phase) ?? 0) : null }))
}

const byLevel = async (db: Db, actor: Actor, asked: Asked, room: Room, needs: Needs): Promise<Phases['Items']> => {
  const [id, span] = [room.circuits.get(Use.whole), whole(asked)]
  if (!id || !span) return []
  const deriving = { telemetry: needs.telemetry, now: needs.clock() }
  const dayAt = (at: number) => dayNumber(wallText(at, 'UTC').slice(0, 10))
  const { versions, zone, isHoliday } = await circuitWithPrices(db, actor, deriving, id, {
    from: dayAt(asked.Start) - 1,
    to: dayAt(asked.End) + 1,
  })
  if (!versions.length) return []
  const edges = quartersIn(span)
  const amounts = (await amountsOf(db, actor, [id], edges, needs, 1)).get(id)!
  const { level } = levelsOf(versions, zone, isHoliday, span.start, edges.length - 1)
  const sums = new Map<number, number>()
  for (const [i, amount] of amounts.entries()) if (!Number.isNaN(amount)) sums.set(level[i]!, (sums.get(level[i]!) ?? 0) + amount)
  return [...sums].sort(([a], [b]) => a - b).map(([Phase, sum]) => ({ Phase, Minutes: null, Energy: kwh(sum) }))
}

const byPhase = async (db: Db, actor: Actor, asked: Asked, room: Room, needs: Needs): Promise<Phases['Items']> => {
  const span = whole(asked)
  const wanted = [Use.l1, Use.l2, Use.l3]
  const amounts = await amountsOf(
    db,
    actor,
    wanted.flatMap((use) => room.circuits.get(use) ?? []),
    span ? [span.start, span.end] : [],
    needs,
  )
  return wanted.map((use, i) => ({ Phase: i + 1, Minutes: null, Energy: kwh(amounts.get(room.circuits.get(use) ?? 0)?.[0]) }))
}

export const phasesOf = async (
  db: Db,
  actor: Actor,
  { PhaseType, ...asked }: Asked & { PhaseType: 1 | 2 | 3 },
  needs: Needs,
): Promise<Phases> => {
  whole(asked)
  const room = await roomOf(db, actor, asked.ColdStorageId)
  const items = { 1: byStage, 2: byLevel, 3: byPhase }[PhaseType]
  return { ...asked, PhaseType, Items: await items(db, actor, asked, room, needs), IsShared: Number(PhaseType === 1) }
}
