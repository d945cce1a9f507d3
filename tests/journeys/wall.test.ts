// A wall in a control room: chosen projects and points, readable from afar, without a hand on it.
import { beforeAll, expect, it } from 'vitest'
import { openFrontDoor } from '../front-door.ts'
import { expectAccessible, expectFits, journey, pane, visit } from './browser.ts'

type Named = { Id: number; ParaId: number; ParaName: string; ProjectName: string }

journey('a wall view', { env: {} }, (at) => {
  let door: Awaited<ReturnType<typeof openFrontDoor>>
  let site: Named
  let point: Named
  beforeAll(async () => {
    door = await openFrontDoor(at.penstock.origin)
    site = (await door.data<{ Items: Named[] }>('GET', '/Project/Project/List')).Items[0]!
    point = (await door.data<Named[]>('GET', `/DataCenter/ReportData/AllDevParaInfo?ProjectId=${site.Id}`))[0]!
  })

  it('opens from the projects, and shows the state of a project and the live value of a chosen point', async () => {
    const { page } = at
    await visit(page, '/projectManagement/projectConfig')
    await pane(page)
      .getByRole('link', { name: 'Wall view' })
      .or(pane(page).getByRole('button', { name: 'Wall view' }))
      .click()
    const tile = pane(page).getByRole('region', { name: site.ProjectName })
    await tile.getByText(/\d+ of \d+ gateways? online/).waitFor()
    await pane(page).getByRole('button', { name: 'Choose content' }).click()
    await page.getByRole('combobox', { name: /^Choose up to 24/ }).fill(point.ParaName)
    await page.locator('.ant-select-item-option', { hasText: point.ParaName }).first().click()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    const value = tile.locator('dd').first()
    await expect.poll(() => value.textContent()).toMatch(/\d/)
    // A bookmark opens the same wall.
    expect(new URL(page.url()).searchParams.get('points')).toBe(String(point.ParaId))
  })

  it('is dark by default whatever the mode of the console, and fits a phone', async () => {
    const { page } = at
    const wall = pane(page).locator('.wall')
    const brightness = () => wall.evaluate((element) => Number(getComputedStyle(element).backgroundColor.match(/\d+/)![0]))
    await page.emulateMedia({ colorScheme: 'light' })
    expect(await brightness()).toBeLessThan(60)
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectFits(page)
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  it('fills the display, and says when its values are interrupted and live again', async () => {
    const { page } = at
    let silent = false
    await page.routeWebSocket('**/hubs/**', (ws) => {
      const server = ws.connectToServer()
      ws.onMessage((text) => (silent ? undefined : server.send(text)))
      server.onMessage((text) => (silent ? undefined : ws.send(text)))
    })
    await page.reload()
    await pane(page).getByRole('button', { name: 'Fill the display' }).click()
    await expect.poll(() => page.evaluate(() => document.fullscreenElement?.className)).toBe('wall')
    const mark = pane(page).locator('.wall-head')
    await mark.getByText('Live', { exact: true }).waitFor()
    silent = true
    await mark.getByText('Updates interrupted').waitFor()
    silent = false
    await mark.getByText('Live', { exact: true }).waitFor()
  })

  it('a night later it is still there, live, and has not grown', async () => {
    const { page } = at
    await page.clock.install()
    await page.reload()
    const [mark, value] = [pane(page).locator('.wall-head'), pane(page).locator('.wall-points dd').first()]
    await mark.getByText('Live', { exact: true }).waitFor()
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('Performance.enable')
    const heap = async () => {
      await cdp.send('HeapProfiler.collectGarbage')
      const { metrics } = await cdp.send('Performance.getMetrics')
      return metrics.find(({ name }) => name === 'JSHeapUsedSize')!.value
    }
    await page.clock.runFor('00:30')
    const before = await heap()
    await page.clock.runFor('03:00')
    for (let hour = 0; hour < 8; hour++) await page.clock.fastForward('01:00:00')
    await mark.getByText('Live', { exact: true }).waitFor()
    await expect.poll(() => value.textContent()).toMatch(/\d/)
    expect(new URL(page.url()).pathname).toBe('/projectManagement/screenMonitor')
    expect((await heap()) - before).toBeLessThan(5 * 1024 ** 2)
  })
})
