import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Row } from '../../../../contract/resource.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { device as devices } from '../../devices/contract.ts'
import type { proModel } from '../contract.ts'

type Model = Row<typeof proModel>
let kit: Kit
let make: ReturnType<typeof maker>
beforeAll(async () => {
  kit = await startKit()
  make = maker(kit)
})
afterAll(() => kit.close())

const path = '/ProModel/ProModel'
const device = (given: object = {}) => make.create(devices, given as Record<string, unknown>)
const model = (ModelName: string, as = 'owner') => kit.data<Model>(as, 'POST', path, { ModelName, Brand: 'Acme' })

it('a copy has what the model has, a name of its own, and no devices', async () => {
  const { Id } = await model('P-100')
  await device({ ModelId: Id })
  expect(await kit.data('owner', 'POST', `${path}/Copy`, { Ids: [Id] })).toEqual({ Added: 1 })
  await kit.data('owner', 'POST', `${path}/Copy`, { Ids: [Id] })
  const { Items } = await kit.data<{ Items: Model[] }>('owner', 'GET', `${path}/List?Search=P-100`)
  expect(Items.map((m) => [m.ModelName, m.Brand])).toEqual(['P-100', 'P-100 (2)', 'P-100 (3)'].map((name) => [name, 'Acme']))
  expect(await kit.data('owner', 'GET', `${path}/MaxId`)).toEqual({ MaxId: Items.at(-1)!.Id })
  const of = (id: number) => kit.data<{ Items: object[] }>('owner', 'GET', `/Project/Device/List?ModelId=${id}`)
  expect((await of(Id)).Items).toMatchObject([{ ModelName: 'P-100' }])
  expect((await of(Items[1]!.Id)).Items).toEqual([])
  expect(await kit.call('stranger', 'POST', `${path}/Copy`, { Ids: [Id] })).toMatchObject({ StatusCode: 404 })
})

it('a device has a model of its own tenant only', async () => {
  const [own, foreign] = [await model('P-200'), await model('P-200', 'stranger')]
  const { Id } = await device()
  for (const ModelId of [foreign.Id, 999_999_999])
    expect(await kit.call('owner', 'PUT', '/Project/Device', { Id, ModelId })).toMatchObject({
      StatusCode: 400,
      Details: { Fields: { ModelId: [expect.any(String)] } },
    })
  expect(await kit.data('owner', 'PUT', '/Project/Device', { Id, ModelId: own.Id })).toMatchObject({ ModelName: 'P-200' })
  expect(await kit.data('owner', 'PUT', '/Project/Device', { Id, ModelId: null })).toMatchObject({ ModelId: null, ModelName: null })
})

it('one that a device or a fault code uses stays, and the answer names these', async () => {
  const { Id } = await model('P-300')
  const free = await model('P-301')
  const used = await device({ ModelId: Id, DeviceName: 'Feed pump' })
  for (const suffix of ['', '/BatchDelete'])
    expect(await kit.call('owner', 'DELETE', `${path}${suffix}`, { Ids: [free.Id, Id] })).toMatchObject({
      StatusCode: 409,
      Details: { Fault: 'inUse', UsedBy: [{ Resource: 'device', Id: used.Id, Title: 'Feed pump' }] },
    })
  await kit.data('owner', 'PUT', '/Project/Device', { Id: used.Id, ModelId: null })
  const code = await kit.data<{ Id: number }>('owner', 'POST', '/Alarm/Alarmcode', { Code: 'M-300', Name: 'Leaks', ModelId: Id })
  expect(await kit.call('owner', 'DELETE', path, { Id })).toMatchObject({
    Details: { Fault: 'inUse', UsedBy: [{ Resource: 'alarmCode', Id: code.Id, Title: 'M-300' }] },
  })
  await kit.data('owner', 'PUT', '/Alarm/Alarmcode', { Id: code.Id, ModelId: null })
  expect(await kit.data('owner', 'DELETE', path, { Ids: [free.Id, Id] })).toEqual({ Removed: 2 })
})

it('leaves as a sheet', async () => {
  await model('P-400')
  const sheet = await kit.request('owner', 'GET', `${path}/Output?Format=csv&Search=P-400`)
  expect(sheet.rawPayload.toString()).toContain('P-400,')
})
