// A newcomer's Penstock as a separate process, with plant and gateway, and a browser.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium, type Locator, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { openFrontDoor, password, until } from '../front-door.ts'
import { startServer } from './penstock.ts'

const axe = readFileSync(join(import.meta.dirname, '../../node_modules/axe-core/axe.min.js'), 'utf8')
export const flags = [
  '--no-sandbox',
  '--disable-gpu',
  // Maps are drawn with WebGL, here by the processor.
  '--enable-unsafe-swiftshader',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A page lives for seconds, so the time of optimising compilers is wasted.
  '--js-flags=--no-opt --no-maglev',
]

/** Path of the browser; the launcher of the tests finds one or leaves it empty. */
export const browserPath = process.env.CHROMIUM || undefined
export const why = browserPath ? '' : ' (skipped: no Chromium here)'

let launched: Promise<Browser> | undefined
/** Downloads the file that `press` triggers. Both are awaited together, so a failed press leaves no unhandled rejection. */
export const downloaded = async (page: Page, press: () => Promise<unknown>) => {
  const [file] = await Promise.all([page.waitForEvent('download'), press()])
  return file
}

/** One browser for all files of this process, and ends with it. Each of its windows knows nothing of the others. */
const launch = () => (launched ??= chromium.launch({ executablePath: browserPath!, args: flags }))
/** What a file that failed on its way left open. */
export const closeWindows = async () => {
  for (const context of (await launched)?.contexts() ?? []) await context.close()
}

export const startPenstock = (...given: Parameters<typeof startServer>) => {
  launch().catch(() => undefined)
  return startServer(...given)
}

/** A browser with one page; `problems` are what its console complained about. */
export const openBrowser = async (
  origin: string,
  // Without a language, the browser is new here. The help opens automatically for unknown accounts.
  {
    width = 1440,
    height = 900,
    language = 'en' as string | null,
    locale = undefined as string | undefined,
    dark = false,
    known = ['admin'] as string[],
    // A browser that saves data prefetches no screens. Otherwise each page that loads compiles all of them.
    savesData = true,
  } = {},
) => {
  const browser = await launch()
  const context = await browser.newContext({
    viewport: { width, height },
    locale: locale ?? language ?? 'en',
    colorScheme: dark ? 'dark' : 'light',
    // No animations: closing elements disappear immediately.
    reducedMotion: 'reduce',
    timezoneId: 'Europe/Madrid',
    acceptDownloads: true,
  })
  await context.addInitScript(
    ({ language, known, savesData }) => {
      if (savesData) Object.defineProperty(navigator, 'connection', { value: { saveData: true } })
      if (language) localStorage.setItem('penstock.language', language)
      if (!localStorage.getItem('penstock.loginHistory')) localStorage.setItem('penstock.loginHistory', JSON.stringify(known))
    },
    { language, known, savesData },
  )
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on(
    'console',
    (message) => message.type() === 'error' && !message.text().startsWith('Failed to load resource') && problems.push(message.text()),
  )
  page.on('response', (answer) => answer.status() >= 400 && problems.push(`${answer.status()} ${answer.url()}`))
  page.on('request', (request) => {
    if (
      !request.url().startsWith(origin) &&
      !/^(data|blob):/.test(request.url()) &&
      !request.url().startsWith(origin.replace('http', 'ws'))
    )
      problems.push(`asks outside: ${request.url()}`)
  })
  const close = async () => {
    // A call that a handler still holds would fail the test when its page is gone.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await context.close()
  }
  return { page, problems, close }
}

/** Signs in by the form. */
export const signIn = async (page: Page, origin: string, account: string, password: string, target = '/') => {
  await page.goto(`${origin}/login?redirect=${encodeURIComponent(target)}`)
  await page.locator('#UserNO').fill(account)
  await page.locator('#Pwd').fill(password)
  await page.locator('button[type=submit]').click()
  await page.waitForURL((url) => url.pathname !== '/login')
}

/** Comes with a session, as in a new tab: the console loads once, and its form never. */
export const openSignedIn = async (page: Page, origin: string, UserNO: string, Pwd: string, target = '/') => {
  const { Token } = await callApi<{ Token: string }>(origin, undefined, 'POST', '/Auth/Login', { UserNO, Pwd })
  // Storage belongs to an origin, which its smallest page has, too.
  await page.goto(`${origin}/healthz`)
  await page.evaluate((token) => localStorage.setItem('Authorization', token), Token)
  await page.goto(`${origin}${target}`)
}

/** A call past the browser, in English; what is refused fails the test. */
export const callApi = async <T>(origin: string, token: string | undefined, method: string, path: string, body?: unknown): Promise<T> => {
  const answer = await fetch(`${origin}/api${path}`, {
    method,
    headers: { 'content-type': 'application/json', 'accept-language': 'en', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const { Data, Errors } = (await answer.json()) as { Data: T; Errors: string | null }
  expect(Errors, path).toBeNull()
  return Data
}

type Started = {
  penstock: Awaited<ReturnType<typeof startPenstock>>
  browser: Awaited<ReturnType<typeof openBrowser>>
  page: Page
}
type Given = Parameters<typeof openBrowser>[1] & { env?: Record<string, string>; target?: string; company?: boolean; byForm?: boolean }

/** Details for diagnosis: the address, the reported problems, and the visible text. */
const tellPage = async ({ page, browser, penstock }: Started) => {
  const shown = await page
    .locator('body > :not(#root), .pane, .tabs')
    .filter({ visible: true })
    .allInnerTexts()
    .catch((error) => [String(error)])
  console.log([page.url(), ...browser.problems, ...shown.map((text) => text.slice(0, 1500)), penstock.said().slice(-1000)].join('\n'))
}

/**
 * A file of journeys: a Penstock of its own (without the demo plant, unless `env` says otherwise) and a browser in which its
 * administrator has a session; `byForm`: he signs in by the form; `company`: it has a company, as a plant needs one. The argument of `tell` is filled before the first test.
 */
export const journey = (
  title: string,
  { env = { PENSTOCK_DEMO: 'off' }, target, company, byForm, ...view }: Given,
  tell: (at: Started) => void,
) =>
  describe.skipIf(!browserPath)(`${title}${why}`, () => {
    const at = {} as Started
    beforeAll(async () => {
      at.penstock = await startPenstock({ PENSTOCK_ADMIN_PASSWORD: password, ...env })
      if (company) await (await openFrontDoor(at.penstock.origin)).ensureCompany()
      at.browser = await openBrowser(at.penstock.origin, view)
      at.page = at.browser.page
      await (byForm ? signIn : openSignedIn)(at.page, at.penstock.origin, 'admin', password, target)
    })
    afterEach(({ task }) => {
      if (task.result?.state === 'fail') return tellPage(at)
    })
    afterAll(async () => {
      await at.browser?.close()
      await at.penstock?.close()
    })
    tell(at)
  })

/** Goes to an address inside the console that is open, without loading it again. */
export const visit = (page: Page, address: string) =>
  page.evaluate((to) => {
    history.pushState({}, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
  }, address)

/** The screen one looks at; those of other tabs stay mounted, unseen. */
export const pane = (page: Page) => page.locator('.pane:visible')
/** The open dialog or drawer; a closing one is already hidden from roles. */
export const dialog = (page: Page, name?: string | RegExp) => page.getByRole('dialog', name ? { name } : {}).filter({ visible: true })

/** What a form shows: texts, numbers, choices, switches. */
export const shownIn = (form: Locator) =>
  form.evaluate((el) =>
    [...el.querySelectorAll<HTMLElement>('input, textarea, [role=switch], .ant-select')].map((x) => {
      if (x instanceof HTMLTextAreaElement) return x.value
      if (x instanceof HTMLInputElement) return ['checkbox', 'radio'].includes(x.type) ? x.checked : x.value
      return x.getAttribute('aria-checked') ?? x.textContent
    }),
  )

/** Everything that was asked for has come, and nothing moves: what a program looks at is what a person would. */
export const settled = async (page: Page) => {
  // Not expect.poll: walks run beside each other, and it knows one test at a time.
  await until('what the screen waits for', async () => {
    // The kit shows a part that waits for ever.
    const waiting = page
      .locator(':is(.ant-spin-spinning, .ant-skeleton-active, .waiting, .ant-btn-loading):not([data-waits] *)')
      .filter({ visible: true })
    return (await waiting.count().catch(() => -1)) === 0
  })
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
  // What began in a screen that is out of sight now ends when it is looked at again.
  const moving = () =>
    document.getAnimations().some(({ playState, effect }) => {
      const isSeen = (effect as KeyframeEffect | null)?.target?.checkVisibility()
      return playState === 'running' && isSeen && effect?.getTiming().iterations !== Number.POSITIVE_INFINITY
    })
  await until('what moves', async () => !(await page.evaluate(moving)))
}

const violations = (page: Page, within: string) =>
  page.evaluate(async (within) => {
    type Node = { html: string; any: { message: string }[] }
    const { axe } = window as unknown as {
      axe: { run(within: string, o: object): Promise<{ violations: { id: string; nodes: Node[] }[] }> }
    }
    const runOnly = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
    // Passed checks are not reported per element.
    const result = await axe.run(within, { runOnly, resultTypes: ['violations'] })
    // antd puts the button for tabs that do not fit into the tab list itself.
    const ours = result.violations.filter(
      (v) => !(v.id === 'aria-required-children' && v.nodes.every((n) => n.html.includes('ant-tabs-nav'))),
    )
    return ours.map(
      (v) =>
        `${v.id}: ${v.nodes
          .slice(0, 3)
          .map((n) => `${n.html.slice(0, 160)} ${n.any[0]?.message ?? ''}`)
          .join(' | ')}`,
    )
  }, within)

/**
 * WCAG 2.2 AA, as far as a program can tell. Elements that fade are checked again after the transition. `within` limits it to a part, such
 * as a dialog above a wide table, whose cells lie under its fixed columns until one scrolls.
 */
export const expectAccessible = async (page: Page, within = 'html') => {
  await settled(page)
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  const end = Date.now() + 20_000
  let found = await violations(page, within)
  while (found.length && Date.now() < end) {
    await page.waitForTimeout(500)
    found = await violations(page, within)
  }
  expect(found, page.url()).toEqual([])
}

/** Nothing is wider than the window. */
export const expectFits = async (page: Page) => {
  await settled(page)
  const [inner, width] = await page.evaluate(() => [window.innerWidth, document.documentElement.scrollWidth] as const)
  expect(width, page.url()).toBeLessThanOrEqual(inner)
}

/** Opens screens on a phone in Spanish and light, Japanese and dark, Chinese and light. Nothing scrolls sideways and nothing is logged. */
export const expectFitsPhones = async (origin: string, password: string, screens: readonly string[]) => {
  for (const [language, dark] of [
    ['es', false],
    ['ja', true],
    ['zh', false],
  ] as const) {
    const { page, problems, close } = await openBrowser(origin, { width: 390, height: 844, language, dark })
    await openSignedIn(page, origin, 'admin', password, screens[0])
    for (const screen of screens) {
      await visit(page, screen)
      await settled(page)
      await expectFits(page)
    }
    expect(problems).toEqual([])
    await close()
  }
}
