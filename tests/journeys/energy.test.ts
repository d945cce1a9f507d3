// From the first page to what yesterday cost, down the flow and up again, and every screen of energy at two widths.
import { expect, it } from 'vitest'
import { password, until } from '../front-door.ts'
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
    // The history is written while somebody watches, and the circuits follow.
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

  it('a month is closed after it said what that freezes, and its statement says who closed it', async () => {
    const { page } = at
    await visit(page, '/energyManagement/energyReport?table=months')
    const row = pane(page).getByRole('row').filter({ hasText: 'Not closed' }).first()
    const month = (await row.getByRole('cell').first().textContent())!
    await row.getByRole('button', { name: `Close ${month}` }).click()
    const asked = page.getByRole('dialog', { name: `Close ${month}` })
    await asked.getByText('cannot be opened again').waitFor()
    await asked.getByText('Circuits: 9').waitFor()
    await expectAccessible(page, '.ant-modal')
    await asked.getByRole('button', { name: 'Close', exact: true }).last().click()
    await asked.waitFor({ state: 'hidden' })
    const closed = pane(page).getByRole('row').filter({ hasText: month })
    await closed.getByText('Administrator').waitFor()
    expect(await closed.getByRole('button', { name: 'Close' }).count()).toBe(0)
    await closed.getByRole('button', { name: month }).click()
    const statement = page.getByRole('dialog', { name: `Statement of ${month}` })
    await statement.getByText(/^[0-9a-f]{64}$/).waitFor()
    await statement.getByRole('cell', { name: 'Site' }).waitFor()
    await expectAccessible(page, '.ant-drawer')
    await page.keyboard.press('Escape')
    await statement.waitFor({ state: 'hidden' })
  }, 200_000)

  it('an invoice is checked line by line, and says which part differs', async () => {
    const { page } = at
    const { Token } = await callApi<{ Token: string }>(at.penstock.origin, undefined, 'POST', '/Auth/Login', {
      UserNO: 'admin',
      Pwd: password,
    })
    const { Items } = await callApi<{ Items: { Id: number; EnergyName: string }[] }>(
      at.penstock.origin,
      Token,
      'GET',
      '/Energy/Info/List?PageSize=50',
    )
    const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
    await callApi(at.penstock.origin, Token, 'POST', '/Energy/Bill', {
      ...{ BillNo: 'J-1', EnergyInfoId: Items.find(({ EnergyName }) => EnergyName === 'Site')!.Id, StartDate: day, EndDate: day },
      BillLines: [{ Kind: 4, Name: 'Reading by hand', Amount: 12.5 }],
    })
    await visit(page, '/energyManagement/bills')
    const row = pane(page).getByRole('row').filter({ hasText: 'J-1' })
    await row.getByRole('button').last().click()
    await page.getByRole('menuitem', { name: 'Check against meters' }).click()
    const check = page.getByRole('dialog', { name: 'Check of invoice J-1' })
    const line = check.getByRole('row').filter({ hasText: 'Reading by hand' })
    await line.getByText('+$12.50').waitFor()
    await check.getByRole('row').filter({ hasText: 'Energy · All levels' }).waitFor()
    await check.getByRole('region', { name: 'What it differs by' }).getByText('Charges').waitFor()
    await expectAccessible(page, '.ant-drawer')
    await page.setViewportSize({ width: 390, height: 844 })
    await expectFits(page)
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.keyboard.press('Escape')
    await check.waitFor({ state: 'hidden' })
  }, 200_000)

  it('prices say what they change before they are saved, and a baseline of three days is refused', async () => {
    const { page } = at
    await visit(page, '/powerManagement/electricityPrice')
    await pane(page).getByRole('row').filter({ hasText: 'Three periods' }).getByRole('button').last().click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const form = page.getByRole('dialog', { name: /Three periods/ })
    await form.getByLabel('Price of a kW or kVA a month').fill('30')
    await form.getByRole('button', { name: 'Show what changes' }).click()
    await form.getByRole('region', { name: 'What these prices change' }).getByRole('listitem').filter({ hasText: 'Site' }).first().waitFor()
    await expectAccessible(page, '.ant-drawer')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^(Discard|Leave)/ }).click()
    await form.waitFor({ state: 'hidden' })
    await visit(page, '/powerManagement/energySaving')
    await pane(page).getByRole('button', { name: 'New baseline' }).click()
    const baseline = page.getByRole('dialog', { name: /^Baseline of/ })
    await baseline.getByRole('button', { name: 'Show the fit' }).click()
    await baseline
      .getByText(/Only \d+ days are known in full/)
      .first()
      .waitFor()
    await expectAccessible(page, '.ant-modal')
    await baseline.getByRole('button', { name: 'Cancel' }).click()
    await baseline.waitFor({ state: 'hidden' })
  }, 200_000)

  it('a forecast is trained, shows how it compares with naive ones, and is published', async () => {
    const { page } = at
    const { Token } = await callApi<{ Token: string }>(at.penstock.origin, undefined, 'POST', '/Auth/Login', {
      UserNO: 'admin',
      Pwd: password,
    })
    const send = <T>(method: string, path: string, body?: unknown) => callApi<T>(at.penstock.origin, Token, method, path, body)
    const { Items } = await send<{ Items: { ProjectId: number }[] }>('GET', '/Energy/Info/List?PageSize=1')
    const draft = { EnergyName: 'Workshop', EnergyCode: 'WS', ProjectId: Items[0]!.ProjectId, Source: 2, CountInTotal: 0, Sort: 99 }
    const { Id } = await send<{ Id: number }>('POST', '/Energy/Info', draft)
    const hour = 3_600_000
    // More at noon than at night, and each day a little different; days of UTC hours, whatever the company's zone.
    const Cells = Array.from({ length: 40 * 24 }, (_, i) => {
      const time = Math.floor(Date.now() / hour) * hour - (i + 1) * hour
      const text = new Date(time).toISOString()
      return {
        EnergyInfoId: Id,
        Time: `${text.slice(0, 10)} ${text.slice(11, 13)}:00`,
        Value: 50 + 20 * Math.sin(i / 3.82) + ((i * 7919) % 13),
      }
    })
    await send('POST', '/Energy/InfoData/Ledger', { Cells })
    await visit(page, `/energyManagement/powerForecast?node=${Id}`)
    await pane(page).getByRole('button', { name: 'Train a model' }).first().click()
    const form = page.getByRole('dialog', { name: 'Train a forecast: Workshop' })
    await expectAccessible(page, '.ant-modal')
    await form.getByRole('button', { name: 'Train a model' }).click()
    await form.waitFor({ state: 'hidden' })
    const models = pane(page).getByRole('region', { name: 'Models' })
    await models.getByText(/Mean error [\d.]+ kWh; same hour yesterday [\d.]+, last week [\d.]+/).waitFor()
    await pane(page).getByRole('region', { name: 'Next 24 hours' }).getByText(/kWh$/).first().waitFor()
    await models.getByRole('button', { name: 'Publish' }).click()
    await models.getByText('Published').waitFor()
    await expectAccessible(page)
  }, 200_000)

  it('a recording of a damaged bearing is analyzed, and names the race', async () => {
    const { page } = at
    const [rate, blows] = [12_800, 107.01]
    const samples = Array.from({ length: 8192 }, (_, i) => {
      const since = (((i / rate) * blows) % 1) / blows
      return 2 * Math.exp(-since * 900) * Math.sin(2 * Math.PI * 3000 * since) + ((i * 7919) % 13) / 100
    })
    await visit(page, '/energyManagement/bearingFailure')
    await pane(page)
      .locator('input[type=file]')
      .setInputFiles({ name: 'w.csv', mimeType: 'text/csv', buffer: Buffer.from(samples.join('\n')) })
    await pane(page).getByLabel('Speed').fill('1797')
    await pane(page).getByLabel('Sample rate').fill(String(rate))
    await pane(page).getByRole('button', { name: 'Analyze' }).click()
    await pane(page)
      .getByText(/^Outer race at 10[67](\.\d+)? Hz$/)
      .waitFor()
    await expectAccessible(page)
  }, 200_000)

  it('every screen of energy opens with figures, reads well, fits a phone and says nothing wrong', async () => {
    const { page, browser } = at
    const views = ['flow', 'time', 'levels', 'load', 'ranking', 'heat'].map((view) => `/energyManagement/energyOverView?view=${view}`)
    const reports = ['', '?columns=level', '?table=regions', '?table=custom', '?table=months'].map(
      (of) => `/energyManagement/energyReport${of}`,
    )
    const others = [
      '/energyLineManagement/energyOverView',
      '/energyLineManagement/energyCompare',
      '/powerManagement/electricityConsumption',
      '/powerManagement/energySaving',
      '/powerManagement/electricityPrice',
      ...['energyCircuit', 'energyAccount', 'bills', 'forecastingTools', 'powerForecast', 'motorFailure', 'bearingFailure'].map(
        (screen) => `/energyManagement/${screen}`,
      ),
    ]
    browser.problems.length = 0
    for (const address of [...views, ...reports, ...others, '/powerManagement/priceCorrelation']) {
      await page.setViewportSize({ width: 1440, height: 900 })
      await visit(page, address)
      // Regions, one's own table and models say what to choose first, and three days have no year before.
      const wanted = /table=|energySaving|Failure|powerForecast/.test(address) ? /\w/ : /\d/
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
      expect(await page.locator('body').textContent(), address).not.toMatch(/\b(energy|period|menu|explore|tariff)\.[a-z_]\w+/)
    }
    expect(browser.problems).toEqual([])
  }, 400_000)
})
