// One picture, drawn as SVG and on canvases: whatever it is made of, both look alike.
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { beforeAll, expect, it } from 'vitest'
import { emptyScene } from '../../contract/picture/scene.ts'
import { categories } from '../../contract/picture/symbol.ts'
import { categoryOf } from '../../contract/picture/symbols/index.ts'
import { openFrontDoor } from '../front-door.ts'
import { journey, settled, visit } from './browser.ts'

const [columns, cell] = [26, 60]
/** More items than an SVG draws: they are hidden, and put the same picture on canvases. */
const unseen = Array.from({ length: 401 }, (_, i) => ({
  ...{ kind: 'shape', shape: 'rectangle', id: `u${i}`, hidden: true, x: 0, y: 0, w: 10, h: 10 },
}))

/** Numbers from 0 to 1 that are the same in each run. */
let seed = 7
const next = () => {
  seed = (seed * 16_807) % 2_147_483_647
  return seed / 2_147_483_647
}
const one = <T>(of: readonly T[]) => of[Math.floor(next() * of.length)]!

const symbols = (await Promise.all(categories.map(async (name) => (await categoryOf[name]()).symbols))).flat()
const binds = ['level', 'running', 'open'] as const
/** Each symbol as it is, and once more with what values make of it; each other kind in its variants. */
const drawn = (point: string): object[] => [
  ...symbols.map(({ id }) => ({ kind: 'symbol', symbol: id })),
  ...symbols.map(({ id }) => ({
    ...{ kind: 'symbol', symbol: id, bind: binds.map((to) => ({ to, of: one(['0', '0.37', '1', point]) })) },
    ...one([
      {},
      { rotate: 90 },
      { rotate: 33 },
      { flip: 'x' },
      { flip: 'xy' },
      { opacity: 0.5 },
      { fill: 'sunk', stroke: 'action' },
      { width: 4 },
    ]),
  })),
  ...['rectangle', 'ellipse', 'polygon', 'line'].flatMap((shape) => [
    { kind: 'shape', shape, fill: 'sunk', radius: 8 },
    { kind: 'shape', shape, dash: true, stroke: '#d9480f', width: 3, rotate: 20 },
  ]),
  ...(['start', 'middle', 'end'] as const).flatMap((align) => [
    { kind: 'text', text: 'Ab 12', size: 14, align },
    { kind: 'text', text: 'Two\nlines', size: 12, align, weight: 600, fill: 'action' },
    { kind: 'value', of: '12.5', size: 16, unit: 'bar', align },
    { kind: 'value', of: point, size: 14, label: 'Flow', align },
  ]),
  ...['bar', 'deviation', 'spark'].flatMap((look) => [
    { kind: 'indicator', look, of: '40', target: '60', low: 0, high: 100 },
    { kind: 'indicator', look, of: point, target: '60', low: 0, high: 100 },
  ]),
  ...['button', 'switch', 'slider', 'number'].map((look) => ({ kind: 'input', look, of: '1', title: 'Set', low: 0, high: 1 })),
  { kind: 'table', reads: ['12', point], size: 10 },
  { kind: 'table', reads: ['12', '30', '20'], look: 'radar', size: 10 },
  { kind: 'alarms', size: 10 },
]

journey('both painters', {}, (at) => {
  const path = '/Project/Ddt/Flowchart'
  const made: number[] = []
  let items: { id: string; x: number; y: number }[] = []
  let height = 0
  beforeAll(async () => {
    const door = await openFrontDoor(at.penstock.origin)
    const plant = await door.newGateway('PAINTERS0001', 502)
    // A point that nobody reads: what shows it is veiled.
    const { Id } = await door.data('POST', '/Project/DevPara', { DeviceId: plant.device, ParaName: 'Level', Address: '0' })
    const cells = drawn(`#${Id}`).map((given, i) => {
      const size = { w: cell - 24, h: cell - 24 }
      return { ...given, id: `i${i}`, x: 12 + (i % columns) * cell, y: 20 + Math.floor(i / columns) * cell, ...size }
    })
    items = cells
    const pipes = ['pipe', 'signal', 'power'].map((line, i) => ({
      ...{ kind: 'pipe', id: `p${i}`, line, x: 0, y: 0, w: 0, h: 0, from: { item: 'i1', port: 'bottom' }, bind: [{ to: 'flow', of: '1' }] },
      to: { x: 400 + 300 * i, y: 30 + Math.ceil(cells.length / columns) * cell },
    }))
    height = 80 + Math.ceil(cells.length / columns) * cell
    expect(cells.length).toBeLessThan(397)
    for (const more of [[], unseen]) {
      const made1 = await door.data('POST', path, { FlowchartName: more.length ? 'Canvas' : 'SVG', ProjectId: plant.project })
      const Scene = { ...emptyScene(24 + columns * cell, height), items: [...cells, ...pipes, ...more] }
      await door.data('POST', `${path}/Save`, { Id: made1.Id, Scene })
      await door.data('POST', `${path}/Publish`, { Id: made1.Id })
      made.push(made1.Id)
    }
  })

  /** Half as large, so that a line that lies half a pixel beside another is none. */
  const seen = async (page: Page) => {
    const shot = sharp(await page.locator('.picture').screenshot({ animations: 'disabled' }))
    const { width, height } = await shot.metadata()
    return shot
      .resize(Math.round(width / 3), Math.round(height / 3))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
  }
  type Shot = Awaited<ReturnType<typeof seen>>
  const boxes = (page: Page) =>
    page.evaluate(() => {
      const frame = document.querySelector('.picture')!.getBoundingClientRect()
      const all = [...document.querySelectorAll<SVGElement>('.picture [data-item^="i"]')]
      return all.map((node) => {
        const { x, y, width, height } = node.getBoundingClientRect()
        return [node.dataset.item!, (x - frame.x) / 3, (y - frame.y) / 3, width / 3, height / 3] as const
      })
    })
  /** Levels of 255 by which an item may differ on average: each painter smooths letters, and lays the hatch of a veil, in its own way. */
  const tolerance = (id: string) => (/text|value|"#/.test(JSON.stringify(items.find((item) => item.id === id))) ? 24 : 12)
  /** The items that do not look alike. */
  const differing = (a: Shot, b: Shot, places: Awaited<ReturnType<typeof boxes>>) =>
    places.flatMap(([id, x, y, w, h]) => {
      let [sum, count] = [0, 0]
      for (let row = Math.max(0, Math.floor(y)); row < Math.min(a.info.height, y + h); row++)
        for (let column = Math.max(0, Math.floor(x)); column < Math.min(a.info.width, x + w); column++)
          for (let i = 0; i < 3; i++, count++) {
            const at = 3 * (row * a.info.width + column) + i
            sum += Math.abs(a.data[at]! - b.data[at]!)
          }
      return count && sum / count > tolerance(id)
        ? [`${id} ${JSON.stringify(items.find((item) => item.id === id))}: ${(sum / count).toFixed(1)}`]
        : []
    })
  const open = async (id: number) => {
    await visit(at.page, `/projectDetailsManagement/flowChart/${id}`)
    await at.page.locator('.picture [data-item="i3"]').waitFor()
    await settled(at.page)
  }

  it('each symbol in its states, and each other kind, turned, flipped and veiled, looks alike; from near, too', async () => {
    const { page } = at
    await page.setViewportSize({ width: 1600, height: 1000 })
    const shots = async (id: number) => {
      await open(id)
      expect(await page.locator('.picture canvas').count()).toBe(id === made[0] ? 0 : 2)
      const far = await seen(page)
      const places = await boxes(page)
      for (let i = 0; i < 3; i++) await page.getByRole('button', { name: 'Zoom in' }).click()
      await page.waitForTimeout(1500)
      const near = await seen(page)
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/painter-${id}.png` })
      return { far, near, places, nearer: await boxes(page) }
    }
    const svg = await shots(made[0]!)
    const canvas = await shots(made[1]!)
    expect(differing(svg.far, canvas.far, svg.places)).toEqual([])
    expect(differing(svg.near, canvas.near, svg.nearer)).toEqual([])
    const dark = canvas.far.data.filter((level) => level < 128).length
    expect(dark / canvas.far.data.length, 'something is drawn').toBeGreaterThan(0.01)
  })
})
