import { expect, test } from 'vitest'
import type { ParaInfo } from '../../../../contract/telemetry.ts'
import type { BoardContent, Widget } from '../contract.ts'
import { fromFile, readFile, toFile } from './boardFile.ts'
import { arranged, stepped } from './grid.ts'

const point = (ParaId: number, DeviceName: string, ParaName: string) => ({ ParaId, DeviceName, ParaName }) as ParaInfo
const widget = (Id: string, more: Partial<Widget> = {}): Widget => ({ Id, Kind: 'value', X: 0, Y: 0, W: 6, H: 4, ...more })

test('a board that leaves as a file comes back with the points of the same names, without what belongs to it alone', () => {
  const Content: BoardContent = {
    ...{ Version: 1, Range: '6h', Variables: [{ Name: 'device', Id: 7 }] },
    Widgets: [widget('a', { Points: [1, 2] }), widget('b', { Kind: 'image', Image: 'files/1/x.png' }), widget('c', { Devices: [7] })],
  }
  const text = JSON.stringify(toFile('Intake', Content, [point(1, 'Pump', 'Speed'), point(2, 'Pump', 'Current'), point(3, 'Fan', 'Speed')]))
  expect(text).not.toContain('Fan')
  const file = readFile(text)!
  expect(file.Title).toBe('Intake')
  expect(fromFile(file, [point(91, 'Pump', 'Speed'), point(92, 'Other', 'Current')])).toEqual({
    missing: 1,
    content: {
      ...Content,
      Variables: [{ Name: 'device' }],
      Widgets: [widget('a', { Points: [91] }), widget('b', { Kind: 'image' }), widget('c')],
    },
  })
})

test('other files are no boards', () => {
  for (const text of ['', '[]', '{}', 'null', '{"Format":"penstock-board","Version":2}']) expect(readFile(text)).toBeUndefined()
})

test('arrow keys bring a widget past its neighbour, to the side and to another size', () => {
  const all = arranged([widget('a'), widget('b', { Y: 4 })])
  const places = (of: readonly Widget[]) => of.map(({ Id, X, Y, W, H }) => [Id, X, Y, W, H])
  const down = stepped(all, all[0]!, 'ArrowDown', false)
  expect(places(down)).toEqual([
    ['a', 0, 4, 6, 4],
    ['b', 0, 0, 6, 4],
  ])
  expect(places(stepped(down, down[0]!, 'ArrowUp', false))).toEqual(places(all))
  expect(places(stepped(all, all[0]!, 'ArrowRight', false))[0]).toEqual(['a', 1, 0, 6, 4])
  expect(places(stepped(all, all[0]!, 'ArrowDown', true))).toEqual([
    ['a', 0, 0, 6, 5],
    ['b', 0, 5, 6, 4],
  ])
})
