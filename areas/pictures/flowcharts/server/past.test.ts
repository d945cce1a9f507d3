import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyScene } from '../../../../contract/picture/scene.ts'
import { temporaryFolder } from '../../../../server/telemetry/telemetry.fixture.ts'
import { openTelemetry, type Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { type Plant, startPlant } from '../../../configuration/gateways/server/harness.ts'
import { newestAt } from '../console/engine/replayed.ts'
import type { Past } from '../contract.ts'
import { flowchartRoutes } from './routes.ts'

const path = '/Project/Ddt/Flowchart'
const minute = 60_000
const day = 24 * 60 * minute
let plant: Plant
let telemetry: Telemetry
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let place: Awaited<ReturnType<Plant['equip']>>
let picture = 0
let project = 0
/** Delays readings. */
let held: Promise<unknown> = Promise.resolve()
beforeAll(async () => {
  // The engine opens after its registry.
  const engine = {
    query: { series: (asked: Parameters<Telemetry['query']['series']>[0]) => held.then(() => telemetry.query.series(asked)) },
    latest: { get: (id: number) => telemetry.latest.get(id) },
    write: undefined,
  }
  const clock = () => plant.clock.now
  plant = await startPlant({ routes: [(api) => flowchartRoutes(api, { ...engine, clock } as never)] })
  folder = await temporaryFolder('past')
  telemetry = await openTelemetry({ folder: folder.folder, registry: plant.registry, clock, log: { warn: () => {}, error: () => {} } })
  place = await plant.equip(3)
  const { ProjectId } = (await plant.row(place.Id)) as { ProjectId: number }
  project = ProjectId
  const { Id } = await plant.kit.data<{ Id: number }>('owner', 'POST', path, { FlowchartName: 'Hall', ProjectId })
  picture = Id
  const items = place.points.slice(0, 2).map((of, i) => ({ kind: 'value', id: `v${i}`, x: 0, y: 0, w: 80, h: 30, of: `#${of}`, size: 16 }))
  await plant.kit.data('owner', 'POST', `${path}/Save`, { Id, Scene: { ...emptyScene(), items } })
  await plant.kit.data('owner', 'POST', `${path}/Publish`, { Id })
})
afterAll(async () => {
  await telemetry.close()
  await plant.close()
  await folder.remove()
})

const past = (Start: number, End: number, as = 'owner') => plant.kit.call<Past>(as, 'POST', `/V3${path}/Past`, { Id: picture, Start, End })

test('a picture’s past has the readings of its own points, and the alarms that stood', async () => {
  const [a, b, other] = place.points as [number, number, number]
  const now = plant.clock.now
  const Items = [9, 6, 3].map((ago, i) => ({ D: place.device, T: now - ago * minute, V: { [a]: i, [b]: 10 + i, [other]: 99 } }))
  await telemetry.ingest.accept(place.SN, 'data', Buffer.from(JSON.stringify({ MsgId: 'm', Ts: now, Data: { Items } })))
  const at = (ago: number) => new Date(now - ago * minute)
  const alarm = (point: number, from: number, to: number | null) =>
    plant.kit.db.rows(sql`
      insert into alarm_info ("EnterpriseId", "AlmNo", "RuleName", "AlarmLevel", "ProjectId", "DeviceId", "ParaId", "Subject", "IsActive", "StartTime", "RecoverTime")
      select "EnterpriseId", ${`A${point} ${from}`}, 'High', 2, (select "ProjectId" from gateway g where g."Id" = d."GatewayId"), "Id", ${point}, ${`s${from}`}, ${to === null ? 1 : 0}, ${at(from)}, ${to === null ? null : at(to)}
      from device d where "Id" = ${place.device}`)
  await alarm(a, 8, 7)
  await alarm(a, 2, null)
  await alarm(a, 30, 20)
  await alarm(other, 5, 4)
  const { Data } = await past(now - 10 * minute, now)
  expect(Data.Points).toEqual([
    { ParaId: a, Time: [now - 9 * minute, now - 6 * minute, now - 3 * minute], Value: [0, 1, 2] },
    { ParaId: b, Time: expect.any(Array), Value: [10, 11, 12] },
  ])
  expect(Data.Alarms).toEqual([
    { ParaId: a, Level: 2, Start: now - 2 * minute, End: null },
    { ParaId: a, Level: 2, Start: now - 8 * minute, End: now - 7 * minute },
  ])
})

test('ten moments of a replay, the first and the last among them, show what was stored by then', async () => {
  const [a, , c] = place.points as [number, number, number]
  const [now, every] = [plant.clock.now, 2000]
  const stored = Array.from({ length: 2400 }, (_, i) => [now - (2400 - i) * every, i] as const)
  for (let from = 0; from < stored.length; from += 400) {
    const Items = stored.slice(from, from + 400).map(([T, i]) => ({ D: place.device, T, V: { [c]: i } }))
    await telemetry.ingest.accept(place.SN, 'data', Buffer.from(JSON.stringify({ MsgId: `r${from}`, Ts: now, Data: { Items } })))
  }
  const { Id } = await plant.kit.data<{ Id: number }>('owner', 'POST', path, { FlowchartName: 'Replayed', ProjectId: project })
  const items = [a, c].map((of, i) => ({ kind: 'value', id: `v${i}`, x: 0, y: 0, w: 80, h: 30, of: `#${of}`, size: 16 }))
  await plant.kit.data('owner', 'POST', `${path}/Save`, { Id, Scene: { ...emptyScene(), items } })
  await plant.kit.data('owner', 'POST', `${path}/Publish`, { Id })
  const [start, end] = [now - 60 * minute, now]
  const { Data } = await plant.kit.call<Past>('owner', 'POST', `/V3${path}/Past`, { Id, Start: start, End: end })
  const newest = newestAt(Data)
  for (let i = 0; i < 10; i++) {
    const moment = start + Math.round((i * (end - start)) / 9)
    const shown = newest(c, moment)?.Value
    const held = stored.filter(([at]) => at <= moment && at > moment - 2 * Data.Step - every).map(([, value]) => value)
    expect(held, `moment ${i}, step ${Data.Step}`).toContain(shown)
  }
})

test('it answers 31 days at most, and nothing of a picture that one does not see', async () => {
  const now = plant.clock.now
  expect((await past(now - 32 * day, now)).Details?.Fields).toHaveProperty('Start')
  expect((await past(now, now)).Details?.Fields).toHaveProperty('End')
  expect((await past(now - day, now, 'stranger')).StatusCode).toBe(404)
  expect((await past(now - day, now, 'nobody')).StatusCode).toBe(403)
})

test('a replay that takes long does not hold up what takes turns', async () => {
  const release = Promise.withResolvers<void>()
  held = release.promise
  const slow = past(plant.clock.now - minute, plant.clock.now)
  await plant.kit.data('owner', 'POST', `${path}/Copy`, { Id: picture })
  release.resolve()
  expect((await slow).StatusCode).toBe(200)
})
