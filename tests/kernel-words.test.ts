// Words of the kernel that no area uses yet, on resources of this test's own.
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, expect, it } from 'vitest'
import { device } from '../areas/configuration/devices/contract.ts'
import { gateway } from '../areas/configuration/gateways/contract.ts'
import { project } from '../areas/configuration/projects/contract.ts'
import { resources } from '../areas/index.ts'
import type { Page } from '../contract/call.ts'
import { choice, files, ref, text } from '../contract/field.ts'
import { links } from '../contract/links.ts'
import { register, registerLinks } from '../contract/registry.ts'
import { resource } from '../contract/resource.ts'
import { maker } from '../main/testing/drafts.ts'
import { startKit } from '../main/testing/kit.ts'
import { crud } from '../server/resource/crud.ts'
import { serveLinks } from '../server/resource/links.ts'
import { linkMigrationOf, migrationOf } from '../tools/new-entity.ts'
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
const planDevices = links(plan, device, { path: '/Specimen/UpkeepPlan/Device' })
registerLinks([planDevices])
const kit = await startKit({ areas: () => [(api) => crud(api, plan), (api) => crud(api, order), (api) => serveLinks(api, planDevices)] })
const owner = new pg.Client({ connectionString: kit.adminUrl })
await owner.connect()
for (const r of [plan, order]) await owner.query(migrationOf(r))
await owner.query(linkMigrationOf(planDevices))
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

const make = maker(kit)
type Row = { Id: number } & Record<string, unknown>
const linked = async (as: string, UpkeepPlanId: number, more = '') =>
  (await kit.data<Page<Row>>(as, 'GET', `${planDevices.path}/List?UpkeepPlanId=${UpkeepPlanId}${more}`)).Items.map(({ Id }) => Id)
const link = (as: string, method: 'POST' | 'DELETE', UpkeepPlanId: number, DeviceIds: number[]) =>
  kit.call(as, method, planDevices.path, { UpkeepPlanId, DeviceIds })

it('links are added and taken, listed and searched like any records, and are in the log', async () => {
  const { Id } = await make.create(plan)
  const [a, b] = [await make.create(device, { DeviceName: 'Feed pump' }), await make.create(device, { DeviceName: 'Valve' })]
  expect(await link('owner', 'POST', Id, [a.Id, b.Id, a.Id])).toMatchObject({ Data: { Changed: 2 } })
  expect(await link('owner', 'POST', Id, [a.Id])).toMatchObject({ Data: { Changed: 0 } })
  expect((await linked('owner', Id)).sort()).toEqual([a.Id, b.Id].sort())
  expect(await linked('owner', Id, '&Search=feed')).toEqual([a.Id])
  expect(await link('owner', 'DELETE', Id, [a.Id])).toMatchObject({ Data: { Changed: 1 } })
  expect(await linked('owner', Id)).toEqual([b.Id])
  const entries = await kit.db.rows(
    sql`select "Before", "After" from change where "Resource" = 'upkeepPlan' and "RecordId" = ${Id} and "Verb" = 'update' order by "Id"`,
  )
  expect(entries).toEqual([
    { Before: {}, After: { DeviceIds: [a.Id, b.Id] } },
    { Before: { DeviceIds: [a.Id] }, After: {} },
  ])
  expect(await kit.call('owner', 'GET', `${planDevices.path}/List`)).toMatchObject({
    StatusCode: 400,
    Details: { Fields: { UpkeepPlanId: [expect.any(String)] } },
  })
  // They go with either end.
  await kit.data('owner', 'DELETE', device.path, { Id: b.Id })
  expect(await linked('owner', Id)).toEqual([])
})

it('links reach into no other tenant, at neither end', async () => {
  const theirs = maker(kit, 'stranger')
  const [mine, other] = [await make.create(plan), await theirs.create(plan)]
  const [near, far] = [await make.create(device), await theirs.create(device)]
  expect(await link('stranger', 'POST', mine.Id, [far.Id])).toMatchObject({ StatusCode: 404 })
  expect(await link('owner', 'POST', mine.Id, [near.Id, far.Id])).toMatchObject({
    Details: { Fields: { DeviceIds: [expect.any(String)] } },
  })
  expect(await linked('owner', mine.Id)).toEqual([])
  // The platform sees both, and links no tenant's record to another one's.
  expect(await link('platform', 'POST', other.Id, [near.Id])).toMatchObject({ Details: { Fields: { DeviceIds: [expect.any(String)] } } })
  expect(await kit.call('stranger', 'GET', `${planDevices.path}/List?UpkeepPlanId=${mine.Id}`)).toMatchObject({ StatusCode: 404 })
  for (const method of ['POST', 'DELETE'] as const)
    expect(await link('viewer', method, mine.Id, [near.Id])).toMatchObject({ StatusCode: 403 })
  expect(await kit.call('nobody', 'GET', `${planDevices.path}/List?UpkeepPlanId=${mine.Id}`)).toMatchObject({ StatusCode: 403 })
})

it('who sees one project links its devices only, and changes no links of devices out of his sight', async () => {
  const deviceIn = async (ProjectId: number) => make.create(device, { GatewayId: (await make.create(gateway, { ProjectId })).Id })
  const [own, other] = [await make.create(project), await make.create(project)]
  const [seen, unseen] = [await deviceIn(own.Id), await deviceIn(other.Id)]
  const [free, shared] = [await make.create(plan), await make.create(plan)]
  await link('owner', 'POST', shared.Id, [seen.Id, unseen.Id])
  await kit.person('ofProject', kit.enterprises.ours, { projects: [own.Id] })
  expect(await link('ofProject', 'POST', free.Id, [seen.Id])).toMatchObject({ Data: { Changed: 1 } })
  expect(await link('ofProject', 'POST', free.Id, [unseen.Id])).toMatchObject({ Details: { Fields: { DeviceIds: [expect.any(String)] } } })
  expect(await linked('ofProject', shared.Id)).toEqual([seen.Id])
  expect(await link('ofProject', 'DELETE', shared.Id, [seen.Id])).toMatchObject({ Details: { Fault: 'moreRights' } })
  expect((await linked('owner', shared.Id)).length).toBe(2)
})
