import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { named } from '../../../../server/resource/sql.ts'
import { day, hour, minute, quarter } from '../../../../server/telemetry/store/store.ts'
import { message, point as pointMeta, registryOf, temporaryFolder } from '../../../../server/telemetry/telemetry.fixture.ts'
import { openTelemetry, type Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { circuitsWhere } from './circuits.ts'
import { quartersOf } from './quarterHours.ts'
import { startDeriving } from './worker.ts'

const t0 = Date.parse('2026-01-10T00:00:00Z')
const [fall, end] = [t0 + 36 * hour, t0 + 4 * day]
let now = t0 + 5 * day
let kit: Kit
let telemetry: Telemetry
let folder: Awaited<ReturnType<typeof temporaryFolder>>
const ids = { point: 0, meter: 0 }

const load = (rows: readonly { time: number; value: number }[]) =>
  telemetry.load(
    (async function* () {
      yield rows.map(({ time, value }) => ({ point: ids.point, time, value, quality: 0 }))
    })(),
  )
/** One unit an hour; at the fall, a meter that showed 150 at its end was replaced by one that began at 5. */
const shown = (time: number) => (time < fall ? 100 + (time - t0) / hour : 5 + (time - fall) / hour)

beforeAll(async () => {
  kit = await startKit({ clock: () => now })
  folder = await temporaryFolder('energy-retention')
  const { ours } = kit.enterprises
  const make = maker(kit)
  const { Id: ProjectId } = await make.create(named('project'))
  const { Id: GatewayId } = await make.create(named('gateway'), { ProjectId })
  const { Id: DeviceId } = await make.create(named('device'), { GatewayId })
  ids.point = (await make.create(named('point'), { DeviceId })).Id
  await kit.db.rows(sql`insert into point_meaning ("PointId", "EnterpriseId", "CalDataType") values (${ids.point}, ${ours}, 1)`)
  const metas = [pointMeta(ids.point, { EnterpriseId: ours })]
  const log = { warn: () => {}, error: () => {} } as never
  telemetry = await openTelemetry({
    ...{ folder: folder.folder, registry: registryOf(metas), clock: () => now, log },
    ...{ retention: () => ({ days: 30 }), points: async () => metas },
  })
  const [row] = await kit.db.rows<{ Id: number }>(sql`
    insert into energy_info ("EnterpriseId", "EnergyName", "EnergyCode", "ProjectId", "Source", "ParaId", "Unit")
    values (${ours}, 'E01', 'E01', ${ProjectId}, 1, ${ids.point}, 'kWh') returning "Id"`)
  ids.meter = row!.Id
  const times = Array.from({ length: (end - t0) / (5 * minute) }, (_, i) => t0 + i * 5 * minute)
  for (const own of Map.groupBy(times, (time) => Math.floor(time / day)).values())
    await load(own.map((time) => ({ time, value: shown(time) })))
})
afterAll(async () => {
  await telemetry.close()
  await kit.close()
  await folder.remove()
})

const derive = async (newest: number) => {
  const { aside, arrivals, top, first, readingsSince } = telemetry
  const latest = { get: () => ({ point: ids.point, time: newest, value: shown(newest), quality: 0, n: 0 }) }
  const failed = (of: object) => {
    throw of
  }
  const needs = { aside, arrivals, top, first, readingsSince, latest }
  const worker = startDeriving({ database: kit.database, telemetry: needs, isOwner: () => true, clock: () => now, log: { warn: failed } })
  await worker.settle()
  await worker.stop()
}
const answerEvent = (time: number, oldEnd: number, newStart: number) =>
  kit.db.rows(sql`
    insert into meter_event ("PointId", "EnterpriseId", "Time", "Kind", "OldEnd", "NewStart")
    values (${ids.point}, ${kit.enterprises.ours}, ${time}, 2, ${oldEnd}, ${newStart})`)
/** The day of the fall, and the quarter-hour at it. */
const settled = async () => {
  const circuits = await circuitsWhere(kit.db, sql`t."Id" = ${ids.meter}`)
  const found = await quartersOf(kit.db, { telemetry, now }, circuits, circuits, { start: t0 + day, end: t0 + 2 * day })
  const { value, unknown, events } = found.get(ids.meter)!
  const at = (fall - t0 - day) / quarter
  const sum = value.reduce((all, one) => all + one, 0n)
  return { sum, around: [value[at - 1], value[at]], known: unknown.every((one) => one === 0), events: events.length }
}
const readingsLeft = async () =>
  (await telemetry.query.series({ ids: [ids.point], start: t0, end: t0 + 3 * day, zone: 'UTC' })).Series[0]!.Time.length

it('a reading that comes late derives its days again, and open screens hear of the circuit', async () => {
  await derive(end)
  const heard: number[] = []
  const stop = kit.database.onChange(({ resource, id }) => void (resource === 'energyInfo' && heard.push(id)))
  await derive(end)
  expect(heard).toEqual([])
  const time = t0 + 20 * hour + minute
  await telemetry.ingest.accept('GATEWAY1', 'history', message(time, { [ids.point]: shown(time) }, { history: true }))
  await derive(end)
  stop()
  expect(heard).toEqual([ids.meter])
})

it('a fall keeps its settled amount when retention takes its readings, also when rules of the meter change later', async () => {
  await derive(end)
  expect((await settled()).events).toBe(1)
  await answerEvent(fall, 150, 5)
  await derive(end)
  const before = await settled()
  expect(before).toMatchObject({ known: true, events: 0 })
  // From 135.9 to 150 on the old meter, and nothing yet on the new one.
  expect(before.sum).toBeGreaterThan(37_000n)

  now = t0 + 50 * day
  await telemetry.retain()
  expect(await readingsLeft()).toBe(0)
  expect(await settled()).toEqual(before)

  // New readings a month later, one of which falls again and is answered: what counts for the meter has changed.
  const later = now - day
  for (const value of [300, 301, 2, 3].entries()) await load([{ time: later + value[0] * hour, value: value[1] }])
  await derive(later + 4 * hour)
  expect(await settled()).toEqual(before)
  await answerEvent(later + 2 * hour, 302, 1)
  await derive(later + 4 * hour)
  expect(await settled()).toEqual(before)
})
