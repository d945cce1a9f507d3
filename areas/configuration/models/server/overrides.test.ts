import { afterAll, expect, it } from 'vitest'
import { point } from '../../points/contract.ts'
import { startModels } from './harness.ts'

const { kit, model, addRow, publish, device, apply, pointsOf, change } = await startModels()
afterAll(() => kit.close())

it('an edit that is undone leaves no override, whether in a cell, in the table or for many points', async () => {
  const { Id } = await model()
  for (const [i, name] of ['A', 'B'].entries()) await addRow(Id, name, String(2 * i))
  await publish(Id)
  const { Id: DeviceId } = await device({ ModelId: Id })
  await apply(Id, [DeviceId])
  const [a, b] = (await pointsOf(DeviceId)).map((p) => p.Id) as [number, number]
  const marks = async () => (await pointsOf(DeviceId)).map(({ Overrides }) => Overrides)
  await change(a, { AlarmHigh: 7, Timeout: 500 })
  expect(await marks()).toEqual([expect.arrayContaining(['AlarmHigh', 'Timeout']), null])
  await change(a, { AlarmHigh: null })
  expect(await marks()).toEqual([['Timeout'], null])
  const cells = (Rows: object[]) => kit.data('owner', 'POST', `${point.path}/Cells`, { DeviceId, Rows })
  await cells([
    { Id: a, ParaName: 'B', Timeout: 1000 },
    { Id: b, ParaName: 'A' },
  ])
  expect(await marks()).toEqual([['ParaName'], ['ParaName']])
  await cells([
    { Id: a, ParaName: 'A' },
    { Id: b, ParaName: 'B' },
  ])
  const setUnit = (SlaveNumber: number) => kit.data('owner', 'POST', `${point.path}/SlaveNumberBatchUpdate`, { Ids: [a, b], SlaveNumber })
  await setUnit(9)
  expect(await marks()).toEqual([['SlaveNumber'], ['SlaveNumber']])
  await setUnit(1)
  expect(await marks()).toEqual([null, null])
  expect((await apply(Id, [DeviceId], { Preview: 1 })).Data.Rows).toEqual([])
})
