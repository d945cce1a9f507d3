// Circuits of a plant whose counters have a history, for the benches of energy.
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import type { Database } from '../server/database/db.ts'
import { startPostgres } from '../server/database/embedded.ts'
import { prepareFolder } from '../server/telemetry/format.ts'
import { openDuckDbStore } from '../server/telemetry/store/duckdb/duckdbStore.ts'
import { day, hour, minute } from '../server/telemetry/store/store.ts'
import { sleep } from './beside.ts'
import type { Gateway } from './load/publisher.ts'
import { seedPlant, startWorld, type World } from './world.ts'

export const quarter = 15 * minute
const waitMs = 600_000
export const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)
/** kWh an hour of a meter. */
export const hourly = (i: number) => 1 + (i % 40)

export const Periods = [
  ['00:00', '06:00', 5, 0.05],
  ['06:00', '08:00', 4, 0.09],
  ['08:00', '12:00', 2, 0.2],
  ['12:00', '18:00', 3, 0.14],
  ['18:00', '21:00', 1, 0.31],
  ['21:00', '24:00', 3, 0.14],
].map(([Start, End, Level, Price]) => ({ Start, End, Level, Price }))

/** Counter reading: constant rate; on odd days, from noon only. */
export const shown = (i: number, time: number, begin: number) => {
  const [days, rest] = [Math.floor((time - begin) / day), (time - begin) % day]
  const passed = days % 2 ? Math.max(0, 2 * rest - day) : rest
  return 1000 + ((days * day + passed) / hour) * hourly(i)
}
type Past = { days: number; end: number; gaps?: readonly number[] }
export const beginOf = ({ days, end }: Past) => end - days * day
const readingsOf = (points: readonly number[], from: number, begin: number) =>
  points.flatMap((point, i) =>
    Array.from({ length: day / quarter }, (_, k) => {
      const time = from + k * quarter
      return { point, time, value: shown(i, time, begin), quality: 0 }
    }),
  )

/** Counters with a reading every quarter-hour, except on days that are gaps. */
const fillCounters = async (folder: string, points: readonly number[], past: Past) => {
  const { days, end, gaps = [] } = past
  await prepareFolder(folder)
  const store = await openDuckDbStore({ folder: join(folder, 'store'), clock: () => end + hour, log: console.error })
  // A load covers one month, or one day of a month that may be open.
  const monthOf = (time: number) => dayOf(time).slice(0, 7)
  const all = Array.from({ length: days }, (_, i) => end - (days - i) * day).filter((from) => !gaps.includes(from))
  const open = monthOf(end - 2 * day)
  for (const froms of Map.groupBy(all, (from) => (monthOf(from) < open ? monthOf(from) : dayOf(from))).values())
    await store.load(
      (async function* () {
        for (const from of froms) yield readingsOf(points, from, beginOf(past))
      })(),
    )
  await store.close()
}

/** A gateway of meters, and others that send anything. */
const seed =
  (meters: number, others: number) =>
  async (database: Database): Promise<Gateway[]> => {
    const gateways = await seedPlant({ gateways: 1 + others, points: meters })(database)
    const { points } = gateways[0]!
    await database.system.rows(sql`
      insert into point_meaning ("PointId", "EnterpriseId", "CalDataType") select "Id", "EnterpriseId", 1 from point where "Id" = any(${points}::bigint[])`)
    await database.system.rows(
      sql`update point set "ProjectLow" = null, "ProjectHigh" = null, "AlarmLow" = null, "AlarmHigh" = null where "Id" = any(${points}::bigint[])`,
    )
    return gateways
  }
export const openMeters = ({ meters, others = 0, ...past }: Past & { meters: number; others?: number }) =>
  startWorld(seed(meters, others), {}, ({ telemetry, seeded }) => fillCounters(telemetry, seeded[0]!.points, past))
export type Metered = World & { seeded: Gateway[] }

/** Circuits below one incomer, all with the same tariff. */
export const addCircuits = async (world: World, token: string, points: readonly number[], formulas = 0) => {
  const [project] = (await world.call<{ Items: { Id: number }[] }>(token, 'GET', '/Project/Project/List')).Items
  const Seasons = [{ Months: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], Days: 0, Periods }]
  const tariff = { StandardName: 'Five levels', ValidFrom: '2020-01-01', TariffType: 2, Seasons }
  const { Id: PriceStandardId } = await world.call<{ Id: number }>(token, 'POST', '/Energy/ElectricityPriceStandard', tariff)
  const add = async (EnergyCode: string, more: object) =>
    (
      await world.call<{ Id: number }>(token, 'POST', '/Energy/Info', {
        ...{ EnergyName: EnergyCode, EnergyCode, ProjectId: project!.Id, PriceStandardId },
        ...more,
      })
    ).Id
  const top = await add('M0', { Source: 1, ParaId: points[0] })
  for (const [i, ParaId] of points.slice(1).entries()) await add(`M${i + 1}`, { Source: 1, ParaId, ParentId: top })
  for (let i = 0; i < formulas; i++)
    await add(`F${i}`, { Source: 3, Formula: `[M${i + 1}]+[M${i + 2}]*0.5`, ParentId: top, CountInTotal: 0 })
  return top
}

/** Months whose sums the server stores. */
const months = 27
/** Seconds until all days and month sums are derived, except the last day. */
export const derived = async (world: World, circuits: number, end: number) => {
  const start = performance.now()
  const log = { info: () => undefined, error: console.error }
  const { url } = await startPostgres({ folder: join(world.folder, 'postgres'), log, borrow: true })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (; performance.now() - start < waitMs; await sleep(200)) {
      const { rows } = await client.query<{ sums: number; due: number }>(
        `select (select count(*)::int from energy_sum) as sums, (select count(*)::int from energy_state where "DerivedUntil" < $1::date) as due`,
        [dayOf(end - day)],
      )
      if (rows[0]!.sums === circuits * months && !rows[0]!.due) return (performance.now() - start) / 1000
    }
  } finally {
    await client.end()
  }
  throw new Error('The days are not derived.')
}
