import { afterAll, expect, it } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { path, type Row, startModels } from './harness.ts'

const { kit, model, addRow, publish, device, apply } = await startModels()
afterAll(() => kit.close())

type Behind = { Items: { ModelId: number; Count: number }[] }
const behind = async (id: number, as = 'owner') =>
  (await kit.data<Behind>(as, 'GET', `${path}/Behind`)).Items.find(({ ModelId }) => ModelId === id)?.Count ?? 0
const listed = async (id: number) =>
  (await kit.data<Page<Row>>('owner', 'GET', `/Project/Device/List?ModelId=${id}&IsBehind=1`)).Items.map(({ Id }) => Id)

it('devices are behind their model from its next version until it is applied to them', async () => {
  const { Id } = await model()
  await addRow(Id, 'Flow', '0')
  await publish(Id)
  const [one, two, never] = [await device({ ModelId: Id }), await device({ ModelId: Id }), await device({ ModelId: Id })]
  await apply(Id, [one.Id, two.Id])
  expect(await behind(Id)).toBe(0)
  await addRow(Id, 'Level', '2')
  expect(await behind(Id)).toBe(0)
  await publish(Id)
  expect(await behind(Id)).toBe(2)
  expect((await listed(Id)).sort()).toEqual([one.Id, two.Id].sort())
  expect(await behind(Id, 'stranger')).toBe(0)
  await apply(Id, [one.Id, never.Id])
  expect(await listed(Id)).toEqual([two.Id])
  const other = await model()
  await kit.data('owner', 'PUT', '/Project/Device', { Id: two.Id, ModelId: other.Id })
  expect(await behind(Id)).toBe(0)
  expect(await kit.data('owner', 'PUT', '/Project/Device', { Id: two.Id, IsBehind: 1 })).toMatchObject({ IsBehind: 0 })
})
