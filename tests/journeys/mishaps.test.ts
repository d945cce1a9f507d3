import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openFrontDoor, password } from '../front-door.ts'
import { dialog, expectAccessible, expectFits, journey, openBrowser, pane, settled, signIn } from './browser.ts'

const logo = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
const projects = '/projectManagement/projectConfig'
const icon = (page: Page) => page.locator('link[rel=icon]').getAttribute('href')

/** The server's menus with some more: what a newer server, or an area that is not built in, would send. */
const withMenus = (page: Page, ...more: { code: string; path: string; shows?: string }[]) =>
  page.route('**/System/BasicData', async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    const home = json.Data.AllPageMenu[0]
    for (const { code, path, shows = 'nowhere/Nothing' } of more)
      json.Data.AllPageMenu.push({ ...home, MenuEncoding: code, MenuName: code, RoutingAddress: path, FrontComponent: shows })
    await route.fulfill({ response, json })
  })

/** Freezes the page's clock. Only `until` advances it. */
const freeze = async (page: Page) => page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000)
const until = async (page: Page, note: Locator, count: number) => {
  await expect
    .poll(async () => {
      await page.clock.runFor(100)
      return note.count()
    })
    .toBe(count)
  return page.evaluate(() => Date.now())
}
/** How long a message shows, ms, to half a second. */
const standing = async (page: Page, note: Locator) => {
  const from = await until(page, note, 1)
  const to = await until(page, note, 0)
  return Math.round((to - from) / 500) * 500
}

journey('what goes wrong in the shell', { target: projects }, (at) => {
  const fresh = async (tell: (page: Page) => Promise<void>, target = '/', width = 1440) => {
    const { page, close } = await openBrowser(at.penstock.origin, { width, height: width < 500 ? 844 : 900 })
    try {
      await signIn(page, at.penstock.origin, 'admin', password, target)
      await tell(page)
    } finally {
      await close()
    }
  }

  describe('screens', () => {
    it('[routes-fallback-view] a menu whose screen is not there says so, and the help leads to every step that has a screen', () =>
      fresh(async (page) => {
        await withMenus(
          page,
          { code: 'x1', path: '/newArea/board' },
          { code: 'x2', path: '/visualizationCenter/visualizationCenter', shows: '/' },
        )
        await page.goto(`${at.penstock.origin}/newArea/board`)
        await page.getByRole('heading', { name: 'This screen cannot be shown' }).waitFor()
        await expectAccessible(page)
        await page.getByRole('button', { name: 'Getting started' }).click()
        const links = page.getByRole('dialog', { name: 'Getting started' }).getByRole('link')
        expect(await links.evaluateAll((all) => all.map((a) => a.getAttribute('href')))).toEqual([
          '/systemManagement/enterpriseManage',
          projects,
          '/projectManagement/configManagement',
          '/projectManagement/realTimeData',
        ])
      }))

    it('a screen whose file is cut off on its way is fetched once more and comes', () =>
      fresh(async (page) => {
        const asked: string[] = []
        await page.route('**/assets/AlarmScreen-*.js', (route) => {
          asked.push(route.request().url())
          return asked.length > 1 ? route.continue() : route.abort('connectionreset')
        })
        await page.reload()
        await page.getByRole('menuitem', { name: 'Alarms', exact: true }).click()
        await pane(page).getByRole('heading', { name: 'Alarms', exact: true }).waitFor()
        expect(asked.filter((url) => url === asked[0])).toHaveLength(2)
      }))

    it('[view-load-failure] a screen that cannot be loaded shows the fallback, and the others work on', () =>
      fresh(async (page) => {
        await page.route('**/assets/AlarmScreen-*.js', (route) => route.abort())
        // None has been fetched ahead.
        await page.reload()
        await page.getByRole('menuitem', { name: 'Alarms', exact: true }).click()
        await page.getByText('This screen crashed.').waitFor()
        await expectAccessible(page)
        await page.getByRole('menuitem', { name: 'Devices' }).click()
        await pane(page).getByRole('heading', { name: 'Devices' }).waitFor()
        await page.unrouteAll({ behavior: 'wait' })
        await page.getByRole('menuitem', { name: 'Alarms', exact: true }).click()
        await page.getByRole('button', { name: 'Reload' }).click()
        await pane(page).getByRole('heading', { name: 'Alarms', exact: true }).waitFor()
      }))

    it('[project-details-no-topbar] [project-details-favicon] screens of one project have no top bar and the enterprise’s mark in the tab', async () => {
      const door = await openFrontDoor(at.penstock.origin)
      await door.data('PUT', '/System/Enterprise', { Id: 1, Logo: logo })
      await fresh(async (page) => {
        await withMenus(page, { code: 'x3', path: '/projectDetailsManagement/board', shows: '/' })
        await page.goto(`${at.penstock.origin}${projects}`)
        await page.getByRole('banner').waitFor()
        expect(await icon(page)).toBe('/penstock.svg')
        await page.goto(`${at.penstock.origin}/projectDetailsManagement/board`)
        await pane(page).getByRole('heading', { level: 1 }).waitFor()
        expect(await page.getByRole('banner').count()).toBe(0)
        await expect.poll(() => icon(page)).toBe(logo)
        await expectFits(page)
        await page.getByRole('menuitem', { name: 'Projects' }).click()
        await page.getByRole('banner').waitFor()
        await expect.poll(() => icon(page)).toBe('/penstock.svg')
      })
      await door.data('PUT', '/System/Enterprise', { Id: 1, Logo: null })
    })
  })

  describe('messages', () => {
    it('[err-toast] [err-body-other] what the server refuses is said for 4,000 ms', async () => {
      const door = await openFrontDoor(at.penstock.origin)
      await door.ensureCompany()
      const { Id } = await door.data('POST', '/Project/Project', { ProjectName: 'Held' })
      await door.data('POST', '/Project/Gateway', { GatewayName: 'Holder', SN: 'HOLDER000001', ProjectId: Id })
      await fresh(async (page) => {
        await page.clock.install()
        await page.goto(`${at.penstock.origin}${projects}`)
        const row = pane(page).getByRole('row', { name: /Held/ })
        await row.getByRole('button', { name: /^More actions/ }).click()
        await page.getByRole('menuitem', { name: 'Delete' }).click()
        const note = page.locator('.ant-message-error')
        await dialog(page).getByRole('button', { name: 'Delete' }).waitFor()
        await freeze(page)
        await dialog(page).getByRole('button', { name: 'Delete' }).click()
        expect(await standing(page, note.filter({ hasText: 'This record is still in use' }))).toBe(4000)
      }, projects)
    })

    it('[global-message] others show for 3,500 ms, unless a click or Escape closes them', () =>
      fresh(async (page) => {
        await page.clock.install()
        await page.goto(`${at.penstock.origin}/systemManagement/personal/info`)
        const save = () => pane(page).getByRole('button', { name: 'Save' }).click()
        const note = page.locator('.ant-message-success')
        await pane(page).getByLabel('Name').first().waitFor()
        await freeze(page)
        await save()
        expect(await standing(page, note)).toBe(3500)
        for (const close of [() => note.click(), () => page.keyboard.press('Escape')]) {
          await save()
          const from = await until(page, note, 1)
          await close()
          expect((await until(page, note, 0)) - from).toBeLessThan(2000)
        }
      }))
  })

  it('a list shows what was made before its line to the server stood', () =>
    fresh(async (live) => {
      const late = await openBrowser(at.penstock.origin)
      const line = Promise.withResolvers<void>()
      await late.page.route('**/hubs/**', async (route) => {
        await line.promise
        await route.continue()
      })
      await signIn(late.page, at.penstock.origin, 'admin', password, projects)
      for (const page of [live, late.page]) {
        await pane(page).getByRole('columnheader', { name: 'Project name' }).waitFor()
        await settled(page)
      }
      const door = await openFrontDoor(at.penstock.origin)
      await door.ensureCompany()
      await door.data('POST', '/Project/Project', { ProjectName: 'Late works' })
      // Connected consoles have been notified by now.
      await pane(live).getByText('Late works').waitFor()
      line.resolve()
      await pane(late.page).getByText('Late works').waitFor()
      await late.close()
    }, projects))

  it('a line that falls silent is interrupted after 5 s, says since when across the page, and is live again with the next answer', () =>
    fresh(async () => {
      const { page, close } = await openBrowser(at.penstock.origin)
      let silent = false
      await page.routeWebSocket('**/hubs/**', (ws) => {
        const server = ws.connectToServer()
        ws.onMessage((text) => (silent ? undefined : server.send(text)))
        server.onMessage((text) => (silent ? undefined : ws.send(text)))
      })
      await signIn(page, at.penstock.origin, 'admin', password, projects)
      const bar = page.getByRole('alert').filter({ hasText: 'No live values since' })
      await page.getByRole('status', { name: 'Live', exact: true }).waitFor()
      const from = Date.now()
      silent = true
      await bar.waitFor()
      expect(Date.now() - from).toBeGreaterThan(3000)
      expect(await bar.textContent()).toMatch(/since \d\d:\d\d:\d\d/)
      await page.getByRole('status', { name: 'Updates interrupted' }).waitFor()
      silent = false
      await bar.waitFor({ state: 'detached' })
      await page.getByRole('status', { name: 'Live', exact: true }).waitFor()
      await close()
    }))

  it('on a phone the bottom bar stays in view, and the account menu has help and palette', () =>
    fresh(
      async (page) => {
        const bar = page.locator('.bottom-bar')
        // The screen is loaded whole, which takes a busy machine long.
        await bar.waitFor({ timeout: 60_000 })
        await expect.poll(async () => Math.round((await bar.boundingBox())!.y + (await bar.boundingBox())!.height)).toBe(844)
        await expectFits(page)
        await page.getByRole('button', { name: /^Account/ }).click()
        await page.getByRole('menuitem', { name: 'Getting started' }).click()
        await page.getByRole('dialog', { name: 'Getting started' }).waitFor()
        await expectAccessible(page)
        await page.keyboard.press('Escape')
        await page.getByRole('button', { name: /^Account/ }).click()
        await page.getByRole('menuitem', { name: 'Go to…' }).click()
        await dialog(page).getByRole('combobox').waitFor()
        await expectFits(page)
      },
      projects,
      390,
    ))
})
