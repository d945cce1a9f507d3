// Tabs of a real browser, and their cost.
import { readdirSync, readFileSync } from 'node:fs'
import type { BrowserContext, Page } from 'playwright-core'
import type { seedPlant, World } from './world.ts'

export type At = {
  world: World & { seeded: Awaited<ReturnType<ReturnType<typeof seedPlant>>> }
  token: string
  ids: readonly number[]
  context: BrowserContext
  pid: number
}

/** A tab of somebody who is signed in. */
export const open = async ({ world, context }: At, target: string) => {
  const page = await context.newPage()
  await page.goto(`${world.origin}${target}`)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForTimeout(2000)
  return page
}
/** Goes there within the console, ms until the last of so many items is drawn. */
export const drawn = (page: Page, address: string, selector: string, count: number) =>
  page.evaluate(
    ([address, selector, count]) =>
      new Promise<number>((done) => {
        const start = performance.now()
        history.pushState(null, '', address)
        dispatchEvent(new PopStateEvent('popstate'))
        const look = () => {
          if (document.querySelectorAll(selector).length >= count) requestAnimationFrame(() => done(performance.now() - start))
          else requestAnimationFrame(look)
        }
        look()
      }),
    [address, selector, count] as const,
  )

/** Frames a second. */
export const frames = (page: Page, ms: number) =>
  page.evaluate(
    (ms) =>
      new Promise<number>((done) => {
        const start = performance.now()
        let count = 0
        const frame = () => {
          count++
          if (performance.now() - start < ms) requestAnimationFrame(frame)
          else done((1000 * count) / (performance.now() - start))
        }
        requestAnimationFrame(frame)
      }),
    ms,
  )

/** CPU seconds of a process and all below it. */
export const cpuOf = (root: number): number => {
  const stat = (pid: string) => {
    try {
      const after = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
      return { parent: Number(after[1]), ticks: Number(after[11]) + Number(after[12]) }
    } catch {
      return undefined
    }
  }
  const all = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => {
        const found = stat(pid)
        return found ? [[Number(pid), found] as const] : []
      }),
  )
  const below = (pid: number): number =>
    (all.get(pid)?.ticks ?? 0) + [...all].filter(([, { parent }]) => parent === pid).reduce((sum, [child]) => sum + below(child), 0)
  return below(root) / 100
}
/** MB of a page's own memory. */
export const heapOf = async (page: Page) => {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize / 1e6
}
