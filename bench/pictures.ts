// Process pictures in a real browser: what a person sees move, waits for and drags. The page's own hub socket is fed inside the page,
// so that the browser alone is measured; device to pixel goes the whole way.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { chromium, type Page } from 'playwright-core'
import { emptyScene, type Item } from '../contract/picture/scene.ts'
import { categories } from '../contract/picture/symbol.ts'
import { boardShown, displayForHours, displays } from './boards.ts'
import { flags } from './chromium.ts'
import { type Figure, figure } from './figures.ts'
import { mapShown, seedProjects } from './maps.ts'
import { toPixel } from './pixel.ts'
import { type At, cpuOf, drawn, frames, heapOf, open } from './tab.ts'
import { seedPlant, startWorld } from './world.ts'

const dist = join(import.meta.dirname, '../console/dist')
const points = 2000
const seconds = 10
const path = '/Project/Ddt/Flowchart'

type Made = { Id: number; shown: number }
/** Tanks, pumps, valves and numbers in a grid, each with a separate point, and pipes between neighbours. */
const sceneOf = (symbols: number, pipes: number, ids: readonly number[]) => {
  const columns = Math.ceil(Math.sqrt(symbols * 1.6))
  const [w, h] = [60, 60]
  const at = (i: number) => ({ x: 20 + (i % columns) * w, y: 20 + Math.floor(i / columns) * h, w: 36, h: 36 })
  const items = Array.from({ length: symbols }, (_, i): Item => {
    const of = `#${ids[i % ids.length]}`
    const place = { id: `i${i}`, ...at(i) }
    if (i % 4 === 0) return { kind: 'symbol', symbol: 'vessel.tank', ...place, bind: [{ to: 'level', of: `${of} / 20` }] } as Item
    if (i % 4 === 1) return { kind: 'symbol', symbol: 'pump.pump', ...place, bind: [{ to: 'running', of: `${of} > 10` }] } as Item
    if (i % 4 === 2) return { kind: 'symbol', symbol: 'valve.valve', ...place, bind: [{ to: 'open', of: `${of} > 10` }] } as Item
    return { kind: 'value', of, size: 12, ...place } as Item
  })
  const joints = Array.from({ length: pipes }, (_, i): Item => {
    const pump = 4 * (i % Math.floor(symbols / 4)) + 1
    const to = { item: `i${pump - 1}`, port: 'left' }
    return {
      ...{ kind: 'pipe', id: `p${i}`, x: 0, y: 0, w: 0, h: 0, from: { item: `i${pump}`, port: 'left' }, to },
      bind: [{ to: 'flow', of: `#${ids[pump % ids.length]}` }],
    } as Item
  })
  return { ...emptyScene(40 + columns * w, 40 + Math.ceil(symbols / columns) * h), items: [...joints, ...items] }
}

const publish = async ({ world, token, ids }: At, name: string, symbols: number, pipes: number): Promise<Made> => {
  const [project] = (await world.call<{ Items: { Id: number }[] }>(token, 'GET', '/Project/Project/List')).Items
  const { Id } = await world.call<{ Id: number }>(token, 'POST', path, { FlowchartName: name, ProjectId: project!.Id })
  await world.call(token, 'POST', `${path}/Save`, { Id, Scene: sceneOf(symbols, pipes, ids) })
  await world.call(token, 'POST', `${path}/Publish`, { Id })
  return { Id, shown: symbols }
}

/** Feeds each point so often a second, as the hub would. */
const feed = (page: Page, ids: readonly number[], perSecond: number) =>
  page.evaluate(
    ([ids, perSecond]) => {
      const all = globalThis as unknown as { hubSocket: WebSocket; feeding?: ReturnType<typeof setInterval> }
      clearInterval(all.feeding)
      if (!perSecond) return
      let n = 0
      all.feeding = setInterval(() => {
        const [now, round] = [Date.now(), n++]
        const Values = ids.map((id) => [id, now, ((id * 7 + round * 13) % 2000) / 100, 0])
        const data = `${JSON.stringify({ type: 1, target: 'Values', arguments: [{ Values }] })}\u001e`
        all.hubSocket.dispatchEvent(new MessageEvent('message', { data }))
      }, 1000 / perSecond)
    },
    [ids, perSecond] as const,
  )
const pictureOf = ({ Id }: Made) => `/projectDetailsManagement/flowChart/${Id}`
const item = '.picture [data-item]'
const sheetItem = '[aria-label="Sheet"] [data-item]'

/** Frames, CPU and memory of a picture whose values all change twenty times per second. */
const alive = async (at: At, made: Made, word: string): Promise<Figure[]> => {
  const page = await open(at, '/projectManagement/pictures')
  const before = await heapOf(page)
  const opening = await drawn(page, pictureOf(made), item, made.shown)
  await page.waitForTimeout(2000)
  const heap = (await heapOf(page)) - before
  await feed(page, at.ids.slice(0, made.shown), 20)
  await page.waitForTimeout(2000)
  const [cpu, start] = [cpuOf(at.pid), performance.now()]
  const fps = await frames(page, seconds * 1000)
  const share = (100 * (cpuOf(at.pid) - cpu)) / ((performance.now() - start) / 1000)
  await page.close()
  return [
    figure(`${word}: opened, values drawn`, opening, 'ms'),
    figure(`${word}: frames a second`, fps, 'fps'),
    figure(`${word}: CPU of all browser processes`, share, '% of a core'),
    figure(`${word}: heap`, heap, 'MB'),
  ]
}

/** Drags fifty of two thousand, takes it back, and opens ten thousand. */
const editing = async (at: At, made: Made): Promise<Figure[]> => {
  const page = await open(at, '/projectManagement/configManagement')
  await drawn(page, `/projectManagement/configEditor?Id=${made.Id}`, sheetItem, made.shown)
  const boxes = await page.evaluate(() => {
    const all = [...document.querySelectorAll('[aria-label="Sheet"] [data-item^="i"]')].slice(0, 50)
    return all.map((e) => {
      const { x, y, width, height } = e.getBoundingClientRect()
      return [x + width / 2, y + height / 2] as const
    })
  })
  const [first] = boxes
  await page.mouse.click(...first!)
  await page.keyboard.down('Shift')
  for (const at of boxes.slice(1)) await page.mouse.click(...at)
  await page.keyboard.up('Shift')
  await page.mouse.move(...first!)
  await page.mouse.down()
  const counting = frames(page, 4000)
  for (let i = 0; i < 120; i++) await page.mouse.move(first![0] + i, first![1] + i / 2)
  const fps = await counting
  await page.mouse.up()
  await page.waitForTimeout(500)
  const undo = await page.evaluate(
    () =>
      new Promise<number>((done) => {
        const start = performance.now()
        const target = document.activeElement ?? document.body
        target.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', code: 'KeyZ', ctrlKey: true, bubbles: true }))
        requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - start)))
      }),
  )
  await page.close()
  return [figure('editor: 50 of 2,000 dragged', fps, 'fps'), figure('editor: undone', undo, 'ms')]
}
const openLarge = async (at: At, made: Made): Promise<Figure[]> => {
  const page = await open(at, '/projectManagement/configManagement')
  const took = await drawn(page, `/projectManagement/configEditor?Id=${made.Id}`, sheetItem, made.shown)
  await page.close()
  return [figure('editor: 10,000 items opened', took / 1000, 's')]
}

/** Files of symbols: one a category. */
const ofSymbols = new RegExp(`/(${categories.join('|')})-[^/]*$`)
/** JavaScript that a screen needs beyond those of a list, brotli. */
const sizes = async (at: At, few: Made, made: Made): Promise<Figure[]> => {
  /** Files that were there when the screen had drawn, without the symbols that its picture uses. */
  const filesOf = async (address: string, selector: string) => {
    const page = await at.context.newPage()
    const fetched = new Set<string>()
    page.on('response', (answer) => {
      const { pathname } = new URL(answer.url())
      if (pathname.endsWith('.js') && !ofSymbols.test(pathname)) fetched.add(pathname)
    })
    await page.goto(`${at.world.origin}${address}`)
    await page.locator(selector).first().waitFor()
    await page.close()
    return fetched
  }
  const list = await filesOf('/projectManagement/projectConfig', 'tr.ant-table-row')
  const beyond = async (address: string, selector: string) => {
    const files = (await filesOf(address, selector)).difference(list)
    return [...files].reduce((sum, name) => sum + brotliCompressSync(readFileSync(join(dist, name))).length, 0) / 1000
  }
  return [
    figure('size of the viewer, without symbols', await beyond(pictureOf(few), item), 'KB'),
    figure('the same, for a picture so large that it is drawn on a canvas', await beyond(pictureOf(made), '.picture canvas'), 'KB'),
    figure('size of the editor', await beyond(`/projectManagement/configEditor?Id=${made.Id}`, sheetItem), 'KB'),
    figure('size of the map', await beyond('/visualizationCenter/map', '.map[data-base]'), 'KB'),
  ]
}

/** BENCH_PARTS names those to be measured: alive, pixel, editor, board, map, displays, sizes; and, only if named, `wall`: one display for BENCH_HOURS (2). */
export const pictures = async (): Promise<Figure[]> => {
  const executablePath = process.env.CHROMIUM
  if (!executablePath) {
    console.log('There is no Chromium here: pictures are not measured.')
    return []
  }
  const world = await startWorld(async (database) => {
    const plant = await seedPlant({ gateways: 1, points })(database)
    await seedProjects(database)
    return plant
  })
  const server = await chromium.launchServer({ executablePath, args: flags })
  try {
    const token = await world.login('manager1')
    const browser = await chromium.connect(server.wsEndpoint())
    const context = await browser.newContext({ viewport: { width: 1920, height: 1080 }, locale: 'en' })
    await context.addInitScript((token) => {
      localStorage.setItem('penstock.language', 'en')
      localStorage.setItem('penstock.loginHistory', '["manager1"]')
      localStorage.setItem('Authorization', token)
      // The page's socket to the hub, to feed it.
      const Own = WebSocket
      globalThis.WebSocket = class extends Own {
        constructor(...given: ConstructorParameters<typeof WebSocket>) {
          super(...given)
          Object.assign(globalThis, { hubSocket: this })
        }
      }
    }, token)
    const at: At = { world, token, ids: world.seeded[0]!.points, context, pid: server.process().pid! }
    const [small, large] = [await publish(at, 'Five hundred', 500, 100), await publish(at, 'Two thousand', 2000, 400)]
    const parts: Record<string, () => Promise<Figure[]>> = {
      alive: async () => [
        ...(await alive(at, small, '500 symbols, 100 pipes, 20 values/s each')),
        ...(await alive(at, large, '2,000 symbols, 400 pipes, 20 values/s each')),
      ],
      pixel: () => toPixel(at, pictureOf(large), points),
      editor: async () => [...(await editing(at, large)), ...(await openLarge(at, await publish(at, 'Ten thousand', 9800, 200)))],
      board: () => boardShown(at),
      map: () => mapShown(at),
      displays: () => displays(at),
      sizes: async () => sizes(at, await publish(at, 'One hundred', 100, 20), small),
    }
    const found: Figure[] = []
    const wall = () => displayForHours(at, small.Id, Number(process.env.BENCH_HOURS ?? 2))
    for (const part of process.env.BENCH_PARTS?.split(',') ?? Object.keys(parts)) found.push(...(await { ...parts, wall }[part]!()))
    return found
  } finally {
    await server.close()
    await world.close()
  }
}
