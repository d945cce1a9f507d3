// Words of the kernel that no area uses yet, on resources of this test's own.
import pg from 'pg'
import { afterAll, expect, it } from 'vitest'
import { resources } from '../areas/index.ts'
import { choice, files, ref, text } from '../contract/field.ts'
import { register } from '../contract/registry.ts'
import { resource } from '../contract/resource.ts'
import { startKit } from '../main/testing/kit.ts'
import { crud } from '../server/resource/crud.ts'
import { migrationOf } from '../tools/new-entity.ts'
import { conformance } from './conformance.ts'

const plan = resource('upkeepPlan', {
  path: '/Specimen/UpkeepPlan',
  permission: 'm10110',
  title: 'PlanName',
  columns: ['PlanName', 'Status'],
  parts: ['upkeepOrder'],
  acts: { start: { button: 'edit', set: { Status: 1 }, many: true } },
  fields: {
    PlanName: text({ required: true, unique: true, search: true }),
    Status: choice([0, 1, 2, 3], { required: true, default: 0, moves: { 0: [1], 1: [2, 3], 2: [3] } }),
    Files: files({ most: 3 }),
  },
})
const order = resource('upkeepOrder', {
  path: '/Specimen/UpkeepOrder',
  permission: 'm10110',
  title: 'OrderName',
  columns: ['OrderName', 'PlanId'],
  fields: { OrderName: text({ required: true, search: true }), PlanId: ref('upkeepPlan', { required: true }) },
})
register([plan, order])
const kit = await startKit({ areas: () => [(api) => crud(api, plan), (api) => crud(api, order)] })
const owner = new pg.Client({ connectionString: kit.adminUrl })
await owner.connect()
for (const r of [plan, order]) await owner.query(migrationOf(r))
await owner.end()
afterAll(() => kit.close())

conformance(kit, [...resources, plan, order], [plan, order])

it('an act, too, moves a record only where its field allows it, all records or none', async () => {
  const make = async (PlanName: string) => (await kit.data<{ Id: number }>('owner', 'POST', plan.path, { PlanName })).Id
  const [fresh, done] = [await make('Fresh'), await make('Done')]
  for (const Status of [1, 3]) await kit.data('owner', 'PUT', plan.path, { Id: done, Status })
  expect(await kit.call('owner', 'POST', `${plan.path}/Start`, { Ids: [fresh, done] })).toMatchObject({ StatusCode: 409 })
  expect(await kit.data('owner', 'GET', `${plan.path}?Id=${fresh}`)).toMatchObject({ Status: 0 })
  expect(await kit.data('owner', 'POST', `${plan.path}/Start`, { Ids: [fresh] })).toEqual({ Changed: 1 })
})
