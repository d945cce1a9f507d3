import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Language } from '../../contract/languages.ts'
import { until } from '../front-door.ts'
import {
  browserPath,
  dialog,
  downloaded,
  expectAccessible,
  openBrowser,
  pane,
  settled,
  signIn,
  startPenstock,
  visit,
  why,
} from './browser.ts'
import { byKeyboard } from './byKeyboard.ts'
import { tabThrough } from './tabbing.ts'
import { walk, walks } from './walk.ts'

describe.skipIf(!browserPath)(`a newcomer${why}`, () => {
  let penstock: Awaited<ReturnType<typeof startPenstock>>
  let browser: Awaited<ReturnType<typeof openBrowser>>
  beforeAll(async () => {
    penstock = await startPenstock({}, { embedded: true })
    browser = await openBrowser(penstock.origin, { savesData: false })
  })
  afterAll(async () => {
    await browser?.close()
    await penstock?.close()
  })

  it('signs in with the printed password, must choose one, comes to Home and sees the plant alive', async () => {
    const { page } = browser
    const refused: string[] = []
    page.on('response', async (response) => {
      if (response.headers()['content-type']?.includes('json') && /mustChangePassword/.test(await response.text().catch(() => '')))
        refused.push(response.url())
    })
    await signIn(page, penstock.origin, 'admin', penstock.password!)
    await page.waitForURL(/personal\/password/)
    await page.getByLabel('Current password').fill(penstock.password!)
    await page.getByLabel('New password', { exact: true }).fill('a river runs through it')
    await page.getByLabel('Repeat new password').fill('a river runs through it')
    await pane(page).getByRole('button', { name: 'Change password' }).click()
    await page.waitForURL(`${penstock.origin}/`)
    await pane(page).getByRole('heading', { name: 'Home' }).waitFor()
    expect(refused).toEqual([])
    await page.getByRole('menuitem', { name: 'Live values' }).click()
    const value = pane(page)
      .getByRole('row', { name: /Dosing pump stroke/ })
      .first()
    const before = await value.textContent()
    await expect.poll(() => value.textContent(), { timeout: 60_000 }).not.toBe(before)
  })

  it('Home shows the live water works and a card per device, each with a link to its device', async () => {
    const { page } = browser
    await page.goto(`${penstock.origin}/#overview`)
    const overview = pane(page).locator('#overview')
    const intake = overview.getByRole('link', { name: /^Raw water intake/ })
    await expect.poll(() => intake.textContent()).toMatch(/Level[\d.]+ m/)
    const before = await intake.textContent()
    await expect.poll(() => intake.textContent(), { timeout: 60_000 }).not.toBe(before)
    expect(await overview.getByRole('link').count()).toBe(12)
    const cards = pane(page).getByRole('region', { name: 'Devices now' }).getByRole('article')
    expect(await cards.count()).toBe(18)
    const dosing = cards.filter({ hasText: 'Chlorine dosing' })
    await expect.poll(() => dosing.textContent()).toMatch(/OnlineFree chlorine ?[\d.]+ mg\/L/)
    const curve = dosing.getByRole('img', { name: 'Free chlorine, last hour' }).locator('path').first()
    await expect.poll(() => curve.getAttribute('d')).toMatch(/^M.*L/)
    await overview.getByRole('link', { name: /^Tower and outlet/ }).click()
    await pane(page).getByRole('heading', { name: 'Outlet and tower' }).waitFor()
  })

  it('draws two points of a week and downloads them in six clicks, named with their devices', async () => {
    const { page } = browser
    await page.goto(penstock.origin)
    await page.evaluate(() => {
      const counted = window as unknown as { clicks: number }
      counted.clicks = 0
      addEventListener('pointerdown', () => counted.clicks++, true)
    })
    await page.getByRole('menuitem', { name: 'Trends' }).click()
    await pane(page).getByRole('button', { name: 'Chlorine dosing · Free chlorine' }).waitFor()
    await pane(page)
      .getByText(/^Collecting since \d\d:\d\d/)
      .waitFor()
    await pane(page).getByRole('button', { name: 'Clear all' }).click()
    for (const name of ['Outlet pressure', 'Header pressure']) {
      await page.keyboard.type(name)
      await page.locator('.ant-select-item-option').filter({ hasText: name, visible: true }).click()
    }
    await pane(page).locator('.ant-segmented-item').filter({ hasText: '7 d' }).click()
    for (const name of ['Outlet and tower · Outlet pressure', 'High service pumps · Header pressure'])
      await pane(page).getByRole('button', { name }).waitFor()
    const file = await downloaded(page, () => pane(page).getByRole('button', { name: 'Download data (CSV)' }).click())
    expect(await page.evaluate(() => (window as unknown as { clicks: number }).clicks)).toBeLessThanOrEqual(6)
    expect(file.suggestedFilename()).toMatch(/^trend-outlet-and-tower-high-service-pumps-[\d-]+\.csv$/)
    const [title = ''] = (await readFile((await file.path())!, 'utf8')).split('\n')
    expect(title).toContain('Outlet and tower · Outlet pressure (bar)')
    expect(title).toContain('High service pumps · Header pressure (bar)')
    // A minute of data fills the chart of a week, and the chart the window.
    await pane(page)
      .getByText(/^Collecting since/)
      .waitFor()
    const plot = await pane(page).locator('.trend').boundingBox()
    const foot = await page.locator('footer').boundingBox()
    expect(plot!.y + plot!.height).toBeLessThanOrEqual(foot!.y)
  })

  const screens = [
    '/',
    '/projectManagement/projectConfig',
    '/projectManagement/gatewayManagement',
    '/projectManagement/gatewayPreView?Id=1',
    '/projectManagement/gatewayPreView?Id=1&tab=channels',
    '/projectManagement/gatewayPreView?Id=1&tab=commands',
    '/projectManagement/deviceManagement',
    '/projectManagement/devicePointList?Id=1',
    '/projectManagement/pointManagement?DeviceId=1',
    '/projectManagement/realTimeData',
    '/dataAnalysis/realTimeData',
    '/alarmManagement/alarmInfo',
    '/systemManagement/personal/password',
  ]
  const titles: Record<Language, RegExp> = { en: /Gateways/, zh: /网关/, es: /Pasarelas/, ja: /ゲートウェイ/ }

  it.concurrent.each(walks)(
    'every screen speaks $first and $second, fits $width px, reads well, asks nothing outside and logs no error (dark: $isDark)',
    { timeout: 900_000 },
    (steps) =>
      walk(steps, {
        origin: penstock.origin,
        password: 'a river runs through it',
        screens,
        shown: async (page) => {
          await pane(page).locator('h1, h2').first().waitFor()
          if (!page.url().endsWith('/gatewayManagement')) return
          const language = (await page.locator('html').getAttribute('lang')) as Language
          await until(`the title in ${language}`, async () => titles[language].test(await page.title()))
        },
        untranslated: /\b(fault|menu|button|result|section|why|point|gateway|device|alarmInfo)\.[A-Za-z_]\w+/,
      }),
  )

  it.concurrent('goes by keyboard alone: every stop on every screen has a name and a ring, nothing covers it, and no field holds the Tab key', {
    timeout: 900_000,
  }, async () => {
    const { page, close } = await openBrowser(penstock.origin)
    const focused = page.locator(':focus')
    try {
      await signIn(page, penstock.origin, 'admin', 'a river runs through it')
      await pane(page).getByRole('heading', { name: 'Home' }).waitFor()
      await page.keyboard.press('Tab')
      expect(await focused.textContent()).toBe('Skip to content')
      const closed = page.locator('.side .ant-menu-submenu:not(.ant-menu-submenu-open) > .ant-menu-submenu-title')
      while (await closed.count()) await closed.first().click()
      const screens = await page.locator('.side a[href]').evaluateAll((links) => links.map((link) => link.getAttribute('href')!))
      expect(screens.length).toBeGreaterThan(30)
      const faults: string[] = []
      let stops = 0
      for (const screen of screens.filter((path) => path !== '/')) {
        await visit(page, screen)
        await until(`the heading of ${screen}`, () => focused.evaluate((el) => el.tagName === 'H1').catch(() => false))
        const found = await tabThrough(page, 20)
        stops += found.length
        for (const { name, ring, covered, named, trapped } of found)
          if (!ring || covered || !named || trapped) faults.push(`${screen} ${name}: ${JSON.stringify({ ring, covered, named, trapped })}`)
      }
      expect(faults).toEqual([])
      expect(stops).toBeGreaterThan(300)
    } finally {
      await close()
    }
  })

  it('goes by keyboard to the first device in two tabs, moves, opens, searches, and comes back to where it was', async () => {
    const { page, close } = await openBrowser(penstock.origin)
    const focused = page.locator(':focus')
    const at = () => focused.getAttribute('data-row-key', { timeout: 1000 }).catch(() => '')
    try {
      await signIn(page, penstock.origin, 'admin', 'a river runs through it', '/projectManagement/deviceManagement')
      const row = pane(page).locator('.ant-table-row')
      await row.first().waitFor()
      const keys = await row.evaluateAll((rows) => rows.map((r) => r.getAttribute('data-row-key')))
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await expect.poll(at).toBe(keys[0])
      for (const [key, next] of [
        ['j', 1],
        ['j', 2],
        ['k', 1],
      ] as const) {
        await page.keyboard.press(key)
        await expect.poll(at).toBe(keys[next])
      }
      await page.keyboard.press('?')
      await dialog(page, 'Keys in this list').getByText('Next row').waitFor()
      await page.keyboard.press('Escape')
      await expect.poll(at).toBe(keys[1])
      await page.keyboard.press('Control+k')
      await dialog(page).getByRole('combobox').waitFor()
      await page.keyboard.press('Escape')
      await expect.poll(at).toBe(keys[1])
      await page.keyboard.press('/')
      expect(await focused.getAttribute('aria-label')).toBe('Search')
      await page.keyboard.type('jk')
      expect(await focused.inputValue()).toBe('jk')
      await page.keyboard.press('Escape')
      // The list is read again without the search.
      await settled(page)
      await row.nth(1).focus()
      await page.keyboard.press('Enter')
      await page.waitForURL(/devicePointList\?Id=/)
      await expect.poll(() => focused.evaluate((el) => el.tagName).catch(() => '')).toBe('H1')
    } finally {
      await close()
    }
  })

  it('writes a value and adds a rule by keyboard; a single Enter writes nothing, and no list traps the focus', async () => {
    const { page, close } = await openBrowser(penstock.origin)
    const { focused, tabTo, goTo, hasHeading } = byKeyboard(page)
    try {
      await signIn(page, penstock.origin, 'admin', 'a river runs through it')
      await pane(page).getByRole('heading', { name: 'Home' }).waitFor()
      await goTo('live values', 'Live values')
      await hasHeading('Live values')
      await tabTo('Search', 'textbox')
      await page.keyboard.type('chlorine set')
      await page.keyboard.press('Enter')
      await pane(page).getByRole('link', { name: 'Free chlorine set point' }).waitFor()
      await tabTo('Write value: Free chlorine set point', 'button')
      await page.keyboard.press('Enter')
      await expect.poll(() => focused.getAttribute('aria-label')).toBe('New value')
      await page.keyboard.type('0.6')
      await page.keyboard.press('Enter')
      await expect.poll(() => focused.textContent()).toBe('Write 0.60 mg/L')
      await page.keyboard.press('Enter')
      await dialog(page).getByText('0.60 mg/L written and read back.').waitFor()
      await page.keyboard.press('Enter')
      await expect.poll(() => focused.getAttribute('aria-label')).toBe('Write value: Free chlorine set point')

      await goTo('add alarm rule', 'Add alarm rule')
      await dialog(page, 'New alarm rule').waitFor()
      await page.getByRole('textbox', { name: 'Name', exact: true }).and(focused).waitFor()
      await page.keyboard.type('Pressure by night')
      await tabTo('Points', 'combobox')
      await page.keyboard.type('outlet pres')
      await page.locator('.ant-select-item-option').filter({ hasText: 'Outlet pressure', visible: true }).waitFor()
      await page.keyboard.press('Enter')
      await tabTo('Value', 'spinbutton')
      await page.keyboard.type('90')
      await tabTo('Save', 'button')
      await page.keyboard.press('Enter')
      await pane(page)
        .getByRole('row', { name: /Pressure by night/ })
        .waitFor()
      await hasHeading('Alarm rules')
    } finally {
      await close()
    }
  })

  it('finds a page for what is not there', async () => {
    await browser.page.goto(`${penstock.origin}/no/such/page`)
    await browser.page.getByRole('heading', { level: 1 }).waitFor()
    await expectAccessible(browser.page)
  })
})
