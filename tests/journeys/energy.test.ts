// From the first page to what yesterday cost, down the flow and up again, and every screen of energy at two widths.
import { expect, it } from 'vitest'
import { password, until } from '../house.ts'
import { callApi, expectAccessible, expectFits, journey, pane, settled, visit } from './browser.ts'

journey('what energy is used for and what it costs', { env: { PENSTOCK_DEMO_HISTORY: '3' } }, (at) => {
  it('says what yesterday cost within three clicks of the first page', async () => {
    const { page } = at
    const { Token } = await callApi<{ Token: string }>(at.penstock.origin, undefined, 'POST', '/Auth/Login', {
      UserNO: 'admin',
      Pwd: password,
    })
    const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
    const { Items: projects } = await callApi<{ Items: { Id: number }[] }>(at.penstock.origin, Token, 'GET', '/Project/Project/List')
    const of = `/Energy/DataCenter/Ranking?DateFrom=${day}&DateTo=${day}&ProjectId=${projects[0]!.Id}`
    // History comes while somebody looks, and the circuits after it.
    await until(
      'what yesterday cost',
      async () =>
        (await callApi<{ Items: { Cost: number | null }[] }>(at.penstock.origin, Token, 'GET', of)).Items.some(({ Cost }) => Cost),
      180_000,
    )
    await page.reload()
    await page.evaluate(() => {
      const counted = window as unknown as { clicks: number }
      counted.clicks = 0
      addEventListener('pointerdown', () => counted.clicks++, true)
    })
    await page.getByRole('menuitem', { name: 'Energy', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Energy overview', exact: true }).click()
    const yesterday = pane(page).getByRole('button', { name: /^Yesterday: [\d.,]+ kWh · \S*[\d.,]+/ })
    await yesterday.click()
    await until('the day before today', () => Promise.resolve(/of=\d{4}-\d\d-\d\d$/.test(page.url().split('&')[0]!)))
    expect(await page.evaluate(() => (window as unknown as { clicks: number }).clicks)).toBeLessThanOrEqual(3)
    await expectAccessible(page)
  }, 300_000)

  it('a click goes down the flow, the way above it leads up, and a figure leads to the readings behind it', async () => {
    const { page } = at
    const flow = pane(page).getByRole('region', { name: 'Energy flow' })
    const first = flow.locator('.sankey a').first()
    const name = (await first.locator('.sankey-name').textContent())!
    await first.click()
    await flow.getByRole('navigation').getByRole('button', { name, exact: true }).waitFor()
    await flow
      .getByRole('button', { name: /Show the readings behind it/ })
      .first()
      .click()
    const behind = page.getByRole('dialog', { name })
    await behind.locator('.uplot').waitFor()
    await expectAccessible(page, '.ant-drawer')
    await page.keyboard.press('Escape')
    await behind.waitFor({ state: 'hidden' })
    await flow.getByRole('button', { name: 'Whole site' }).click()
    await until('the whole site', () => Promise.resolve(!page.url().includes('node=')))
  }, 400_000)

  it('every screen of energy opens with figures, reads well, fits a phone and says nothing wrong', async () => {
    const { page, browser } = at
    const views = ['flow', 'time', 'levels', 'load', 'ranking', 'heat'].map((view) => `/energyManagement/energyOverView?view=${view}`)
    const reports = ['', '?columns=level', '?table=regions', '?table=custom'].map((of) => `/energyManagement/energyReport${of}`)
    const others = [
      '/energyLineManagement/energyOverView',
      '/energyLineManagement/energyCompare',
      '/powerManagement/electricityConsumption',
    ]
    browser.problems.length = 0
    for (const address of [...views, ...reports, ...others, '/powerManagement/priceCorrelation']) {
      await page.setViewportSize({ width: 1440, height: 900 })
      await visit(page, address)
      // Regions and one's own table say what to choose first.
      const wanted = address.includes('table=') ? /\w/ : /\d/
      await until(`figures on ${address}`, async () =>
        wanted.test(
          (await pane(page)
            .locator('.page')
            .textContent()
            .catch(() => '')) ?? '',
        ),
      )
      await expectAccessible(page)
      await page.setViewportSize({ width: 390, height: 844 })
      await expectFits(page)
      await settled(page)
      expect(await page.locator('body').textContent(), address).not.toMatch(/\b(energy|period|menu|explore|tariff)\.[a-zA-Z_]\w+/)
    }
    expect(browser.problems).toEqual([])
  }, 240_000)
})
