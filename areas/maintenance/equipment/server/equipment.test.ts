import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { named } from '../../../../server/resource/sql.ts'

type Equipment = { Id: number; EquipmentName: string; ProjectId: number; DeviceId: number | null; ParentId: number | null }
const base = '/Maintenance/MtnEquipment'

let kit: Kit
let make: ReturnType<typeof maker>
let project: number
beforeAll(async () => {
  kit = await startKit()
  make = maker(kit)
  project = (await make.create(named('project'))).Id
})
afterAll(() => kit?.close())

const add = (EquipmentName: string, more: object = {}) =>
  kit.call<Equipment>('owner', 'POST', base, { EquipmentName, ProjectId: project, ...more })
const find = (Id: number) => kit.data<Equipment>('owner', 'GET', `${base}?Id=${Id}`)
const deviceIn = async (ProjectId: number) => {
  const gateway = await make.create(named('gateway'), { ProjectId })
  return { gateway: gateway.Id, device: (await make.create(named('device'), { GatewayId: gateway.Id })).Id }
}

it('is a tree of five levels below its project, and no deeper by any move', async () => {
  const ids: number[] = []
  for (let i = 0; i < 5; i++) ids.push((await add(`Level ${i}`, i ? { ParentId: ids[i - 1] } : {})).Data.Id)
  expect(await add('Too deep', { ParentId: ids[4] })).toMatchObject({ Details: { Fields: { ParentId: [expect.stringContaining('5')] } } })
  const top = (await add('A branch')).Data.Id
  await add('Its twig', { ParentId: top })
  const move = (Id: number, ParentId: number) => kit.call('owner', 'PUT', base, { Id, ParentId })
  expect(await move(top, ids[3]!)).toMatchObject({ StatusCode: 400 })
  expect(await move(ids[0]!, ids[4]!)).toMatchObject({ StatusCode: 400 })
  expect(await move(top, ids[2]!)).toMatchObject({ Succeeded: true })
  const elsewhere = (await make.create(named('project'))).Id
  expect(await add('Elsewhere', { ProjectId: elsewhere, ParentId: top })).toMatchObject({ StatusCode: 400 })
})

it('has the name and project of its device, is made when somebody first asks, and stays when the device goes', async () => {
  const { gateway, device } = await deviceIn(project)
  const ask = (DeviceId: number, as = 'owner') => kit.call<Equipment>(as, 'POST', `${base}/OfDevice`, { DeviceId })
  const all = await Promise.all(Array.from({ length: 5 }, () => ask(device)))
  expect(new Set(all.map((a) => a.Data.Id)).size).toBe(1)
  const { Id } = all[0]!.Data
  expect(await ask(device, 'stranger')).toMatchObject({ StatusCode: 404 })
  expect(await ask(device, 'viewer')).toMatchObject({ StatusCode: 403 })
  expect(await add('The same device', { DeviceId: device })).toMatchObject({ StatusCode: 409 })
  await kit.data('owner', 'PUT', '/Project/Device', { Id: device, DeviceName: 'Pump P-101' })
  expect(await find(Id)).toMatchObject({ EquipmentName: 'Pump P-101', ProjectId: project, DeviceId: device })
  expect(await kit.call('owner', 'PUT', base, { Id, EquipmentName: 'Mine' })).toMatchObject({ Data: { EquipmentName: 'Pump P-101' } })
  const part = (await add('Its coupling', { ParentId: Id })).Data.Id
  const other = (await make.create(named('project'))).Id
  await kit.data('owner', 'PUT', '/Project/Gateway', { Id: gateway, ProjectId: other })
  expect(await find(Id)).toMatchObject({ ProjectId: other, ParentId: null })
  expect(await find(part)).toMatchObject({ ProjectId: project, ParentId: null })
  await kit.data('owner', 'DELETE', '/Project/Device', { Id: device })
  expect(await find(Id)).toMatchObject({ EquipmentName: 'Pump P-101', DeviceId: null })
})

it('takes a device of its own project alone, and is seen by those who see the project', async () => {
  const other = (await make.create(named('project'))).Id
  const { device } = await deviceIn(other)
  expect(await add('Elsewhere', { DeviceId: device })).toMatchObject({ Details: { Fields: { DeviceId: expect.anything() } } })
  const { Id } = (await add('A roof')).Data
  await kit.person('elsewhere', kit.enterprises.ours, { projects: [other] })
  expect(await kit.call('elsewhere', 'GET', `${base}?Id=${Id}`)).toMatchObject({ StatusCode: 404 })
  expect(await kit.db.rows(sql`select 1 from mtn_equipment where "EquipmentName" = 'Elsewhere'`)).toEqual([])
})
