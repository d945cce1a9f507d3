import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { noticeTabs } from '../../areas/system/notices/contract.ts'
import { startGateway } from '../../edge/agent.ts'
import { type FrontDoor, openFrontDoor, password, temporary, until } from '../front-door.ts'
import { startDevice } from '../modbus-device.ts'
import { dialog, expectAccessible, journey, openBrowser, openSignedIn, pane, settled, visit } from './browser.ts'
import { smallTargets } from './hands.ts'

type Tab = keyof typeof noticeTabs
const titles: Record<Tab, string> = { announcements: 'Announcements', notifications: 'Notifications', alarms: 'Alarms' }

journey('the message centre', {}, (at) => {
  let deaf: Awaited<ReturnType<typeof openBrowser>>
  let device: Awaited<ReturnType<typeof startDevice>>
  let edge: Awaited<ReturnType<typeof startGateway>> | undefined
  let door: FrontDoor
  beforeAll(async () => {
    const { penstock, page } = at
    door = await openFrontDoor(penstock.origin)
    device = await startDevice()
    device.setFloat(0, 50)
    device.setFloat(10, 50)
    const plant = await door.newGateway('NOTICES00001', device.port)
    const point = (ParaName: string, Address: string) =>
      door.data('POST', '/Project/DevPara', { DeviceId: plant.device, ParaName, Address, AlarmHigh: 90, CollectPeriod: 200 })
    await point('Pressure', '0')
    await point('Level', '10')
    edge = await startGateway({ server: `mqtt://127.0.0.1:${penstock.mqttPort}`, sn: plant.SN, key: plant.Key, data: temporary() })
    await door.online(plant.gateway)
    await door.push(plant.gateway)
    await page.locator('.live-on').waitFor()
    // A second console without hub, whose clock the test advances.
    deaf = await openBrowser(penstock.origin)
    await deaf.page.clock.install()
    await deaf.page.route('**/hubs/**', (route) => route.abort())
    await openSignedIn(deaf.page, penstock.origin, 'admin', password)
    await bell(deaf.page).waitFor()
    await counted(deaf.page)
  })
  afterAll(async () => {
    await edge?.close()
    await device?.close()
    await deaf?.close()
  })

  const bell = (of: Page) => of.getByRole('button', { name: /^Unread notices/ })
  const drawer = (of: Page) => of.getByRole('dialog', { name: 'Notices' })
  const counted = (of: Page) =>
    of.waitForResponse((r) => /UnReadCount$/.test(new URL(r.url()).pathname) && r.ok(), { timeout: 15_000 }).catch(() => undefined)
  const items = (of: Page) => drawer(of).getByRole('tabpanel').locator('.ant-collapse-item')
  const openTab = async (of: Page, tab: Tab) => {
    if (!(await drawer(of).isVisible())) await bell(of).click()
    await drawer(of).getByRole('tab', { name: titles[tab] }).click()
  }
  const show = (of: Page, tab: Tab, text: string) => openTab(of, tab).then(() => items(of).filter({ hasText: text }).first().waitFor())
  /** What the tab says is unread, what its list shows as unread, and what the server counts. */
  const expectEqual = async (of: Page) => {
    let all = 0
    for (const tab of Object.keys(noticeTabs) as Tab[]) {
      await openTab(of, tab)
      const panel = drawer(of).getByRole('tabpanel')
      await panel
        .getByText(/^(Show all|No )/)
        .first()
        .waitFor()
      const listed = await items(of).locator('.notice-unread').count()
      const server = (await door.data<Record<string, number>>('GET', '/System/Notice/UnReadCount'))[noticeTabs[tab].count]!
      const label = (await drawer(of).getByRole('tab', { name: titles[tab] }).textContent())!
      expect({ tab, listed, badge: Number(/(\d+)$/.exec(label.trim())?.[1] ?? 0) }).toEqual({ tab, listed: server, badge: server })
      all += server
    }
    expect(await bell(of).getAttribute('aria-label')).toBe(`Unread notices: ${all}`)
  }

  it('[notice-tabs] [notice-empty] [counts-empty-below-1] begins with three empty tabs and no badge', async () => {
    for (const tab of Object.keys(noticeTabs) as Tab[]) {
      await openTab(at.page, tab)
      await drawer(at.page)
        .getByText(tab === 'alarms' ? 'No alarm notices.' : `No ${tab}.`)
        .waitFor()
    }
    expect((await drawer(at.page).getByRole('tab').allTextContents()).map((text) => text.trim())).toEqual(Object.values(titles))
    expect(await at.page.locator('.notice-bell .ant-badge-count').count()).toBe(0)
    await expectAccessible(at.page)
  })

  it('[notice-hub] [notice-device-alarm-warning] a real alarm lands in its tab at once, with a warning', async () => {
    device.setFloat(0, 95)
    await at.page.getByText('1 alarm notice, please handle promptly').waitFor()
    await show(at.page, 'alarms', 'Pressure > 90')
    await expectEqual(at.page)
  })

  it('[notice-list] [notice-date-part] [notice-alarm-link] an item shows title, date and read state, and leads to what it is about', async () => {
    await openTab(at.page, 'alarms')
    const item = items(at.page).first()
    await expect.poll(() => item.textContent()).toMatch(/Pressure > 90\s*\d{4}-\d{2}-\d{2}\s*Unread/)
    await item
      .getByRole('button', { name: /Pressure/ })
      .first()
      .click()
    expect(await item.getByRole('link', { name: 'Open' }).getAttribute('href')).toContain('/alarmManagement/alarmInfo')
  })

  it('[notice-open-read] [notice-tab-unread] opening reads it: state, tab, bell and server say so', async () => {
    await expect.poll(() => items(at.page).first().textContent()).toContain('Read')
    await until(
      'the server to know',
      async () => (await door.data<{ UnReadCount_SheBei: number }>('GET', '/System/Notice/UnReadCount')).UnReadCount_SheBei === 0,
    )
    await expect.poll(() => bell(at.page).getAttribute('aria-label')).toBe('Unread notices: 0')
    await expectEqual(at.page)
  })

  it('[notice-more] an announcement is written in the full list, and everybody sees it at once', async () => {
    await openTab(at.page, 'announcements')
    await drawer(at.page).getByRole('link', { name: 'Show all' }).click()
    await at.page.waitForURL(/NoticeList\?tab=announcements/)
    await at.page.getByRole('button', { name: 'New announcement' }).click()
    const form = at.page.getByRole('dialog', { name: 'New announcement' })
    await form.getByLabel('Title').fill('Power cut on Monday')
    await form.getByRole('textbox', { name: 'Content' }).click()
    await at.page.keyboard.type('From six to eight. <img src=x onerror=alert(1)>')
    await form.getByRole('button', { name: 'Publish' }).click()
    await at.page.getByText('Announcement published.').waitFor()
    await at.page.locator('main').getByText('Power cut on Monday').waitFor()
    await show(at.page, 'announcements', 'Power cut on Monday')
    await expectEqual(at.page)
  })

  it('[notice-pin] a pinned item moves to the top, and to the bottom when the pin is taken', async () => {
    await door.data('POST', '/System/Notice', { PushTitle: 'Newer' })
    await show(at.page, 'announcements', 'Newer')
    const first = () => items(at.page).locator('.notice-title').allTextContents()
    expect(await first()).toEqual(['Newer', 'Power cut on Monday'])
    await drawer(at.page).getByRole('button', { name: 'Pin Power cut on Monday', exact: true }).click()
    await expect.poll(first).toEqual(['Power cut on Monday', 'Newer'])
    await drawer(at.page).getByRole('button', { name: 'Unpin Power cut on Monday', exact: true }).click()
    await expect.poll(first).toEqual(['Newer', 'Power cut on Monday'])
  })

  it('[notice-pin] the pin stays when the list is read again before the server has heard of it', async () => {
    const { page } = at
    const first = () => items(page).locator('.notice-title').allTextContents()
    const read = Promise.withResolvers<void>()
    await page.route('**/FirstPage', (route) => read.promise.then(() => route.continue()))
    try {
      await drawer(page).getByRole('button', { name: 'Pin Power cut on Monday', exact: true }).click()
      await expect.poll(first).toEqual(['Power cut on Monday', 'Newer'])
      await door.data('POST', '/System/Notice', { PushTitle: 'Newest' })
      await expect.poll(first).toEqual(['Power cut on Monday', 'Newest', 'Newer'])
      await Promise.all([page.waitForResponse('**/FirstPage'), read.resolve()])
      await settled(page)
      expect(await first()).toEqual(['Power cut on Monday', 'Newest', 'Newer'])
    } finally {
      // The route stays until the page closes: to remove it would continue a call that its handler is about to continue.
      read.resolve()
    }
  })

  it('[notice-hub] [notice-biztypes-notifications] an export that is finished lands among the notifications at once', async () => {
    await door.data('POST', '/Project/ImportExportTask', { Resource: 'project', Format: 'csv' })
    await show(at.page, 'notifications', '.csv is ready')
    await expectEqual(at.page)
  })

  it('[notice-poll] with the hub blocked, the poll brings alarm, announcement and export, and every count equals its list', async () => {
    const { page } = deaf
    device.setFloat(10, 95)
    await until(
      'the second alarm',
      async () => (await door.data<{ UnReadCount_SheBei: number }>('GET', '/System/Notice/UnReadCount')).UnReadCount_SheBei > 0,
    )
    await page.clock.fastForward(61_000)
    await show(page, 'alarms', 'Level > 90')
    await show(page, 'announcements', 'Newer')
    await show(page, 'notifications', '.csv is ready')
    await expectEqual(page)
    const before = await bell(page).getAttribute('aria-label')
    await page.clock.fastForward(61_000)
    await counted(page)
    expect(await bell(page).getAttribute('aria-label')).toBe(before)
  })

  it('[alarm-poll-warning] without the hub, the first poll after 3 s warns of active alarms in a line of its own, and once a sign-in', async () => {
    const { page, close } = await openBrowser(at.penstock.origin)
    try {
      await page.clock.install()
      await page.route('**/hubs/**', (route) => route.abort())
      let asked = 0
      page.on('request', (r) => /UnReadCount$/.test(new URL(r.url()).pathname) && asked++)
      await openSignedIn(page, at.penstock.origin, 'admin', password)
      await bell(page).waitFor()
      await page.clock.runFor(3000)
      const warning = page.locator('.alarm-warning')
      await warning.getByText(/^(1 alarm notice|2 alarm notices), please handle promptly$/).waitFor()
      const [line, screen] = [(await warning.boundingBox())!, (await page.locator('#main').boundingBox())!]
      expect(line.y).toBeGreaterThanOrEqual(screen.y + screen.height)
      await page.clock.runFor(10_000)
      await warning.waitFor({ state: 'detached' })
      await page.reload()
      await bell(page).waitFor()
      const before = asked
      await page.clock.runFor(61_000)
      await expect.poll(() => asked).toBeGreaterThan(before)
      await bell(page).click()
      expect(await warning.count()).toBe(0)
    } finally {
      await close()
    }
  })

  it('a page that nobody has touched for a minute marks what it asks, and keeps no session awake; what a person asks counts', async () => {
    const { page } = deaf
    const askedNext = async (path: RegExp, act: () => Promise<unknown>) => {
      const asked = page.waitForRequest((r) => path.test(new URL(r.url()).pathname))
      await act()
      return (await (await asked).allHeaders())['x-background']
    }
    await page.keyboard.press('Escape')
    expect(await askedNext(/UnReadCount$/, () => page.clock.fastForward(121_000))).toBe('1')
    await bell(page).waitFor()
    expect(await askedNext(/NoticeList/i, () => bell(page).click())).toBeUndefined()
    await page.keyboard.press('Escape')
  })

  const alarmRow = (of: Page) => pane(of).locator('.ant-table-row, .card').filter({ hasText: '> 90' })
  it('the key a opens the acknowledgement, Enter confirms it, and the focus returns to the row', async () => {
    const { page } = at
    await page.keyboard.press('Escape')
    await drawer(page).waitFor({ state: 'hidden' })
    await visit(page, '/alarmManagement/alarmInfo')
    await alarmRow(page).first().waitFor()
    await page.locator('h1:focus').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.locator('.ant-table-row:focus').waitFor()
    await page.keyboard.press('a')
    await dialog(page, /^Acknowledge 1 alarm/).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.ant-table-row:focus').getByText('Active, acknowledged').waitFor()
  })

  it('a phone acknowledges in three taps, touch targets fit a thumb, and the bell opens a tab with unread notices', async () => {
    const { page, problems, close } = await openBrowser(at.penstock.origin, { width: 390, height: 844 })
    let taps = 0
    const tap = async (target: Locator) => {
      taps++
      await target.click()
    }
    // The alarm of before is acknowledged already.
    const open = async () =>
      (await door.data<{ Items: { RuleName: string; AckStatus: number }[] }>('GET', '/Alarm/AlarmInfo/List?IsActive=1')).Items.filter(
        ({ RuleName }) => RuleName.startsWith('Level'),
      )
    device.setFloat(10, 50)
    await until('the end of the alarm', async () => (await open()).length === 0)
    device.setFloat(10, 95)
    await until('a new alarm', async () => (await open()).some(({ AckStatus }) => AckStatus === 0))
    try {
      await openSignedIn(page, at.penstock.origin, 'admin', password)
      await tap(page.locator('.bottom-bar').getByRole('link', { name: 'Alarms' }))
      const card = alarmRow(page).filter({ has: page.getByRole('button', { name: 'Acknowledge' }) })
      const name = (await card.first().locator('strong').textContent())!
      await tap(card.first().getByRole('button', { name: 'Acknowledge' }))
      await alarmRow(page).filter({ hasText: name }).getByText('Active, acknowledged').waitFor()
      expect(taps).toBeLessThanOrEqual(3)
      expect(await page.locator('footer, .tabs, .tab-switch').count()).toBe(0)
      expect(
        await page
          .locator('.alarm-card-open')
          .first()
          .evaluate((lines) => lines.childElementCount),
      ).toBe(3)
      expect(await smallTargets(page, '.pane:not([inert]) .page, .bottom-bar')).toEqual([])
      await page.locator('.alarm-card-open').first().click()
      await dialog(page).getByRole('button', { name: 'Handle' }).waitFor()
      expect(await smallTargets(page, '.ant-drawer')).toEqual([])
      await dialog(page)
        .getByRole('button', { name: /^More actions/ })
        .click()
      await page.getByRole('menuitem', { name: 'Shelve' }).waitFor()
      await page.goto(at.penstock.origin)
      await bell(page).and(page.locator(':not([aria-label$=": 0"])')).click()
      await expect.poll(() => drawer(page).getByRole('tab', { selected: true }).textContent()).toContain('Alarms')
      expect(problems).toEqual([])
    } finally {
      await close()
    }
  })

  it('looks right on a telephone and complains of nothing', async () => {
    await at.page.setViewportSize({ width: 390, height: 844 })
    await openTab(at.page, 'announcements')
    await expectAccessible(at.page)
    expect(at.browser.problems).toEqual([])
  })
})
