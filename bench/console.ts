// The built console in a real browser: what a person waits for. Times are taken inside the page, from the press to the frame after
// the requested content shows; medians of several rounds, each first visit in a browser context that knows nothing yet.
import { sql } from 'kysely'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import type { Database } from '../server/database/db.ts'
import { flags } from './chromium.ts'
import { type Figure, figure, quantile } from './figures.ts'
import { scores } from './lighthouse.ts'
import { password, seedTenants, startWorld } from './world.ts'

const rounds = 5
const list = '/projectManagement/gatewayManagement'
const row = 'tr.ant-table-row'
const long = '.rows-long .ant-table-content'

/** One tenant with a list of 12,000 gateways, and devices, as a plant of some size has. */
const seed = async (database: Database) => {
  const [tenant] = await seedTenants(database, 1)
  const db = database.system
  await db.rows(sql`
    insert into gateway ("EnterpriseId", "GatewayName", "SN", "ProjectId")
    select ${tenant}, 'Gateway ' || lpad(n::text, 5, '0'), 'CONS' || lpad(n::text, 8, '0'), "Id" from project, generate_series(1, 12000) n where "EnterpriseId" = ${tenant}`)
  await db.rows(sql`
    insert into device ("EnterpriseId", "DeviceName", "GatewayId", "SlaveNumber")
    select ${tenant}, 'Device ' || "Id", "Id", 1 from gateway where "EnterpriseId" = ${tenant} order by "Id" limit 2000`)
}

/** Milliseconds since `from` (the page's clock) at the first frame that shows the selector. */
const shownAt = (page: Page, selector: string, from = 0) =>
  page.evaluate(
    ([selector, from]) =>
      new Promise<number>((done) => {
        const look = () => {
          const found = [...document.querySelectorAll<HTMLElement>(selector)].some((e) => e.checkVisibility() && !e.matches(':disabled'))
          if (found) requestAnimationFrame(() => done(performance.now() - from))
          else requestAnimationFrame(look)
        }
        look()
      }),
    [selector, from] as const,
  )

/** Presses the element and answers when the frame is drawn in which the screen with the heading, or none, shows the other one, ms. */
const pressed = (page: Page, press: string, selector: string, heading = '') =>
  page.evaluate(
    ([press, selector, heading]) =>
      new Promise<number>((done, failed) => {
        const seen = (found: string, within: ParentNode = document) =>
          [...within.querySelectorAll<HTMLElement>(found)].find((e) => e.checkVisibility())
        const element = seen(press)
        if (!element) return failed(new Error(`Nothing to press: ${press}`))
        const there = () => {
          if (!heading) return seen(selector)
          const pane = seen('.pane')
          return pane && seen('h1', pane)?.textContent === heading && seen(selector, pane)
        }
        const start = performance.now()
        const look = () => {
          if (there()) requestAnimationFrame(() => done(performance.now() - start))
          else requestAnimationFrame(look)
        }
        element.click()
        look()
      }),
    [press, selector, heading] as const,
  )

const median = (values: number[]) => quantile(values, 0.5)

const fresh = async (browser: Browser, throttle: number): Promise<{ context: BrowserContext; page: Page }> => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en', reducedMotion: 'reduce' })
  await context.addInitScript(() => {
    localStorage.setItem('penstock.language', 'en')
    localStorage.setItem('penstock.loginHistory', '["admin","manager1"]')
  })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: throttle })
  return { context, page }
}

const signIn = async (page: Page, origin: string, target: string) => {
  await page.goto(`${origin}/login?redirect=${encodeURIComponent(target)}`, { waitUntil: 'commit' })
  const usable = await shownAt(page, 'button[type=submit]')
  await page.locator('#UserNO').fill('manager1')
  await page.locator('#Pwd').fill(password)
  return usable
}

/** Login usable after the address was entered, first list usable after the button was pressed, s. */
const firstVisit = async (browser: Browser, origin: string, throttle: number) => {
  const [login, first]: [number[], number[]] = [[], []]
  for (let i = 0; i < rounds; i++) {
    const { context, page } = await fresh(browser, throttle)
    login.push(await signIn(page, origin, list))
    first.push(await pressed(page, 'button[type=submit]', row))
    await context.close()
  }
  return [median(login) / 1000, median(first) / 1000] as const
}

const at = (where: string, path: string) => `${where} a[href^="/projectManagement/${path}"]`

/** Between two lists that are open, and to screens that were not. */
const switches = async (page: Page) => {
  const [open, fresh]: [number[], number[]] = [[], []]
  for (const [path, heading, content] of [
    ['deviceManagement', 'Devices', row],
    ['standardParam', 'Standard parameters', row],
    ['realTimeData', 'Live values', '.empty'],
    ['projectConfig', 'Projects', row],
  ] as const)
    fresh.push(await pressed(page, at('.side', path), content, heading))
  for (let i = 0; i < 10; i++)
    open.push(
      i % 2
        ? await pressed(page, at('.tabs', 'gatewayManagement'), row, 'Gateways')
        : await pressed(page, at('.tabs', 'deviceManagement'), row, 'Devices'),
    )
  console.log(`  new screens: ${fresh.map(Math.round).join(', ')} ms; open tabs: ${open.map(Math.round).join(', ')} ms`)
  return { open: median(open), fresh: median(fresh) }
}

/** Every frame while 10,000 rows pass by, so many pixels a frame, ms. */
const scrolled = async (page: Page, pixels: number) => {
  await page.locator(long).filter({ visible: true }).waitFor()
  return page.evaluate(
    async ([pixels, long]) => {
      const holder = [...document.querySelectorAll(long)].find((e) => e.checkVisibility())!
      const frames: number[] = []
      let last = performance.now()
      for (let i = 0; i < 300; i++) {
        holder.scrollTop += pixels
        await new Promise(requestAnimationFrame)
        const now = performance.now()
        frames.push(now - last)
        last = now
      }
      return frames.slice(5)
    },
    [pixels, long] as const,
  )
}

/** From a column chosen in one browser to the other one's frame that shows it, ms: by the clock of the pages, not of what drives them. */
const toldElsewhere = async (browser: Browser, origin: string, here: Page) => {
  const { context, page } = await fresh(browser, 1)
  await signIn(page, origin, list)
  await pressed(page, 'button[type=submit]', row)
  await page.waitForTimeout(1000)
  await here.goto(`${origin}${list}`)
  await here.getByRole('button', { name: 'Columns', exact: true }).filter({ visible: true }).click()
  const box = here.getByRole('checkbox', { name: 'Remark' })
  await box.waitFor()
  const seen = page.evaluate(
    () =>
      new Promise<number>((done) => {
        const look = () => {
          const found = [...document.querySelectorAll<HTMLElement>('thead th')].some(
            (e) => e.checkVisibility() && e.textContent === 'Remark',
          )
          requestAnimationFrame(() => (found ? done(Date.now()) : look()))
        }
        look()
      }),
  )
  const chosen = here.evaluate(
    () => new Promise<number>((done) => addEventListener('click', () => done(Date.now()), { once: true, capture: true })),
  )
  await box.click()
  const took = (await seen) - (await chosen)
  await context.close()
  return took
}

type At = { origin: string; browser: Browser; executablePath: string; token: () => Promise<string> }

/** Somebody signed in with a list before him, and nothing else under way. */
const settled = async (at: At) => {
  const { context, page } = await fresh(at.browser, 1)
  await signIn(page, at.origin, list)
  await pressed(page, 'button[type=submit]', row)
  await page.waitForTimeout(3000)
  return { context, page }
}

const parts: Record<string, (at: At) => Promise<Figure[]>> = {
  visits: async ({ browser, origin }) => {
    await firstVisit(browser, origin, 1)
    const [login, first] = await firstVisit(browser, origin, 1)
    const [slowLogin, slowFirst] = await firstVisit(browser, origin, 4)
    return [
      figure('first visit, login usable', login, 's'),
      figure('first visit, list usable after login', first, 's'),
      figure('the same, CPU x4 slower: login', slowLogin, 's'),
      figure('the same, CPU x4 slower: list', slowFirst, 's'),
    ]
  },
  switches: async (at) => {
    const { context, page } = await settled(at)
    const { open, fresh: screens } = await switches(page)
    await context.close()
    return [figure('switch to an open tab', open, 'ms'), figure('switch to a new screen with its data', screens, 'ms')]
  },
  scrolling: async (at) => {
    const { context, page } = await settled(at)
    await page.goto(`${at.origin}${list}?size=10000`)
    const wheel = await scrolled(page, 100)
    const frames = await scrolled(page, 1000)
    await context.close()
    return [
      figure('10,000 rows scrolled, median frame', median(frames), 'ms'),
      figure('10,000 rows scrolled, p95 frame', quantile(frames, 0.95), 'ms'),
      figure('the same by a wheel, 100 px a frame, p95', quantile(wheel, 0.95), 'ms'),
    ]
  },
  elsewhere: async (at) => {
    const { context, page } = await settled(at)
    const told = await toldElsewhere(at.browser, at.origin, page)
    await context.close()
    return [figure('column chosen, seen in another browser', told, 'ms')]
  },
  lighthouse: async ({ origin, executablePath, token }) =>
    scores(executablePath, { login: `${origin}/login`, list: `${origin}${list}` }, await token()),
}

/** BENCH_PARTS names those to be measured, with commas between; without it all are. */
export const consoleFigures = async (): Promise<Figure[]> => {
  const executablePath = process.env.CHROMIUM
  if (!executablePath) {
    console.log('There is no Chromium here: the console is not measured.')
    return []
  }
  const asked = process.env.BENCH_PARTS?.split(',') ?? Object.keys(parts)
  const world = await startWorld(seed)
  const browser = await chromium.launch({ executablePath, args: flags })
  try {
    const figures: Figure[] = []
    for (const part of asked)
      figures.push(...(await parts[part]!({ origin: world.origin, browser, executablePath, token: () => world.login('manager1') })))
    return figures
  } finally {
    await browser.close()
    await world.close()
  }
}
