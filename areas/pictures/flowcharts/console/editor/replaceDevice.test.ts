import { expect, it } from 'vitest'
import { emptyScene, type Item, type Scene } from '../../../../../contract/picture/scene.ts'
import { devicesIn, replaceDevice, swapsOf } from './replaceDevice.ts'
import type { Points } from './Source.tsx'

const point = (ParaId: number, DeviceId: number, ParaName: string) => ({ ParaId, DeviceId, DeviceName: `Pump ${DeviceId}`, ParaName })
const points = [
  point(1, 7, 'Speed'),
  point(2, 7, 'Level'),
  point(11, 8, 'Speed'),
  point(12, 8, 'Power'),
  point(21, 9, 'Speed'),
] as unknown as Points
const item = {
  ...{ kind: 'value', id: 'a', of: 'max(#1, #21, #2)', size: 10, x: 0, y: 0, w: 10, h: 10 },
  ...{ bind: [{ to: 'visible', of: '#1 > 1' }], acts: [{ do: 'set', of: '#1', when: '{#1.Speed} > #1' }], alarms: ['#1'] },
} as Item
const scene: Scene = {
  ...emptyScene(),
  parameters: [{ name: 'Pump', type: 'device', value: 7 }],
  items: [item, { kind: 'value', id: 'b', of: '{Pump.Speed}', size: 10, x: 0, y: 0, w: 10, h: 10 }],
}
const none = new Set<string>()

it('names each point before and after, and those that the other device lacks', () => {
  expect([...devicesIn(scene, none, points)]).toEqual([
    [7, 'Pump 7'],
    [9, 'Pump 9'],
  ])
  const told = swapsOf(scene, none, points, 7, 8).map(({ item, before, after }) => [item.id, before.ParaName, after?.ParaId])
  expect(told).toEqual([
    ['a', 'Speed', 11],
    ['a', 'Level', undefined],
    ['b', 'Speed', 11],
  ])
})

it('replaces in every expression of an item and leaves the points of other devices, and those without a counterpart', () => {
  const next = replaceDevice(scene, none, points, 7, 8)
  expect(next.items[0]).toMatchObject({
    of: 'max(#11, #21, #2)',
    bind: [{ to: 'visible', of: '#11 > 1' }],
    acts: [{ do: 'set', of: '#11', when: '{#1.Speed} > #11' }],
    alarms: ['#11'],
  })
  expect(next.parameters).toMatchObject([{ value: 8 }])
})

it('of a selection, neither other items nor the parameters of the picture change', () => {
  const next = replaceDevice(scene, new Set(['b']), points, 7, 8)
  expect(next.items).toEqual(scene.items)
  expect(next.parameters).toEqual(scene.parameters)
})
