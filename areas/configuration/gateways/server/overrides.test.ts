import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { modelColumns } from '../../../../contract/point-fields.ts'
import { device } from '../../devices/contract.ts'
import { point } from '../../points/contract.ts'
import { buildConfig, configHash } from './config.ts'
import { type Plant, startPlant } from './harness.ts'

type Values = Record<string, unknown>
type Point = Values & { Id: number; ParaName: string; ModelParaId: number | null; Overrides: string[] | null }
let plant: Plant
beforeAll(async () => {
  plant = await startPlant()
})
afterAll(() => plant.close())

const post = <T>(path: string, body: object) => plant.kit.data<T>('owner', 'POST', path, body)
const put = (path: string, body: object) => plant.kit.data('owner', 'PUT', path, body)
const push = (id: number) => post('/Project/Protocol/OptionPush', { GatewayId: id })
const reset = (id: number) => post('/Project/Gateway/Reset', { Id: id })
const pointsOf = (of: number) => plant.kit.db.rows<Point>(sql`select * from point where "DeviceId" = ${of} order by "Id"`)
const hashOf = async (id: number) => configHash(await buildConfig(plant.kit.db, id))
let count = 0
/** A gateway whose device has the points of a model, A at 0 to C at 4. The gateway runs them. */
const modelled = async () => {
  const model = (await post<{ Id: number }>('/ProModel/ProModel', { ModelName: `Mixer ${++count}` })).Id
  const rows: number[] = []
  for (const [i, ParaName] of ['A', 'B', 'C'].entries())
    rows.push((await post<{ Id: number }>('/ProModel/ModelPara', { ModelId: model, ParaName, Address: String(2 * i) })).Id)
  const publish = () => post('/ProModel/ProModel/Publish', { Id: model })
  await publish()
  const g = await plant.equip(0)
  await put(device.path, { Id: g.device, ModelId: model })
  const apply = () => post('/ProModel/ProModel/Apply', { ModelId: model, DeviceIds: [g.device], RemoveGone: 1 })
  await apply()
  await plant.connect(g)
  expect(await push(g.Id)).toMatchObject({ Code: 0 })
  return { ...g, model, rows, publish, apply }
}
/** The model's values in the version of the device, whose texts contain no expressions. */
const givenTo = async (of: number) => {
  const [found] = await plant.kit.db.rows<{ Points: (Values & { Id: number })[] }>(sql`
    select "Points" from model_version v join device d on d."ModelId" = v."ModelId" and d."ModelVersion" = v."Version" where d."Id" = ${of}`)
  return new Map((found?.Points ?? []).map((row): [number, Values] => [row.Id, { ...row, SlaveNumber: 1 }]))
}
const expectTrueMarks = async (of: number) => {
  const given = await givenTo(of)
  for (const p of await pointsOf(of)) {
    const row = given.get(Number(p.ModelParaId))
    const own = row ? modelColumns.filter((name) => (row[name] ?? null) !== (p[name] ?? null)) : []
    expect([p.ParaName, [...(p.Overrides ?? [])].sort()]).toEqual([p.ParaName, own.sort()])
  }
}

test('an override that survives a new version ends at the value of that version, not of the one before', async () => {
  const g = await modelled()
  const [a] = (await pointsOf(g.device)) as [Point]
  await put(point.path, { Id: a.Id, Timeout: 500 })
  await put('/ProModel/ModelPara', { Id: g.rows[0], Timeout: 2000 })
  await g.publish()
  await g.apply()
  await put(point.path, { Id: a.Id, Timeout: 1000 })
  await expectTrueMarks(g.device)
  expect((await pointsOf(g.device))[0]!.Overrides).toEqual(['Timeout'])
  await put(point.path, { Id: a.Id, Timeout: 2000 })
  expect((await pointsOf(g.device))[0]!.Overrides).toBeNull()
})

test('an override ends where the model comes to give what the device has', async () => {
  const g = await modelled()
  const [a] = (await pointsOf(g.device)) as [Point]
  await put(point.path, { Id: a.Id, Timeout: 500 })
  await put('/ProModel/ModelPara', { Id: g.rows[0], Timeout: 500 })
  await g.publish()
  await g.apply()
  expect((await pointsOf(g.device))[0]).toMatchObject({ Timeout: 500, Overrides: null })
  await put(point.path, { Id: a.Id, Timeout: 700 })
  expect((await pointsOf(g.device))[0]!.Overrides).toEqual(['Timeout'])
})

test('a removed device comes back with its model, its version and its overrides', async () => {
  const g = await modelled()
  const [a] = (await pointsOf(g.device)) as [Point]
  await put(point.path, { Id: a.Id, Timeout: 500 })
  await push(g.Id)
  const before = await pointsOf(g.device)
  await plant.kit.data('owner', 'DELETE', `${device.path}?Id=${g.device}`)
  await put('/ProModel/ModelPara', { Id: g.rows[1], AlarmHigh: 9 })
  await g.publish()
  await reset(g.Id)
  const links = (all: Point[]) => all.map(({ Id, ModelParaId, Overrides }) => ({ Id, ModelParaId, Overrides }))
  expect(links(await pointsOf(g.device))).toEqual(links(before))
  expect(await plant.kit.data('owner', 'GET', `${device.path}?Id=${g.device}`)).toMatchObject({
    ...{ ModelId: g.model, ModelVersion: 1, IsBehind: 1 },
  })
})

test('after any edits, a push, more edits and a reset, the gateway has what runs, and exactly what differs from the model is marked', async () => {
  const g = await modelled()
  const row = fc.integer({ min: 0, max: 2 })
  const value = fc.constantFrom(500, 1000, 2000)
  const edit = fc.oneof(
    fc.record({ kind: fc.constant('point' as const), row, Timeout: value }),
    fc.record({ kind: fc.constant('model' as const), row, Timeout: value }),
    fc.record({ kind: fc.constant('remove' as const), row }),
    fc.record({ kind: fc.constant('apply' as const), row }),
  )
  const edits = fc.array(edit, { maxLength: 4 })
  const make = async (given: (typeof edits extends fc.Arbitrary<infer T> ? T : never)[number]) => {
    const held = (await pointsOf(g.device))[given.row]
    if (given.kind === 'point' && held) await put(point.path, { Id: held.Id, Timeout: given.Timeout })
    if (given.kind === 'remove' && held) await plant.kit.data('owner', 'DELETE', `${point.path}?Id=${held.Id}`)
    if (given.kind === 'model') await put('/ProModel/ModelPara', { Id: g.rows[given.row], Timeout: given.Timeout })
    if (given.kind === 'model') await g.publish()
    if (given.kind === 'apply') await g.apply()
  }
  await fc.assert(
    fc.asyncProperty(edits, edits, async (first, then) => {
      for (const one of first) await make(one)
      await push(g.Id)
      const running = await hashOf(g.Id)
      for (const one of then) await make(one)
      await reset(g.Id)
      expect(await hashOf(g.Id)).toBe(running)
      await expectTrueMarks(g.device)
      await g.apply()
      await expectTrueMarks(g.device)
    }),
    { numRuns: 8 },
  )
})
