import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../house.ts'
import { browserPath, expectAccessible, expectFits, openBrowser, pane, signIn, startPenstock, why } from './browser.ts'

describe.skipIf(!browserPath)(`a newcomer${why}`, () => {
  let penstock: Awaited<ReturnType<typeof startPenstock>>
  let browser: Awaited<ReturnType<typeof openBrowser>>
  beforeAll(async () => {
    penstock = await startPenstock({}, { embedded: true })
    browser = await openBrowser(penstock.origin)
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
    await page.getByLabel('New password again').fill('a river runs through it')
    await pane(page).getByRole('button', { name: 'Change password' }).click()
    await page.waitForURL(`${penstock.origin}/`)
    await pane(page).getByRole('heading', { name: 'Home' }).waitFor()
    expect(refused).toEqual([])
    await page.getByRole('menuitem', { name: 'Real-time data' }).click()
    const value = pane(page)
      .getByRole('row', { name: /Free chlorine/ })
      .first()
    const before = await value.textContent()
    await expect.poll(() => value.textContent(), { timeout: 30_000 }).not.toBe(before)
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
  const words: Record<string, RegExp> = { en: /Gateways/, zh: /网关/, es: /Pasarelas/, ja: /ゲートウェイ/ }

  it.concurrent.each([
    ['en', 1440, false],
    ['zh', 390, true],
    ['es', 390, false],
    ['ja', 1440, true],
  ] as const)(
    'every screen speaks %s, fits %i px, reads well, asks nothing outside and logs no error (dark: %s)',
    async (language, width, dark) => {
      const { page, problems, close } = await openBrowser(penstock.origin, { width, height: width < 500 ? 844 : 900, language, dark })
      try {
        await signIn(page, penstock.origin, 'admin', 'a river runs through it')
        for (const screen of screens) {
          await page.goto(`${penstock.origin}${screen}`)
          await pane(page).locator('h1, h2').first().waitFor()
          await expectFits(page)
          await expectAccessible(page)
          expect(await page.locator('body').textContent(), screen).not.toMatch(
            /\b(fault|menu|button|result|section|why|point|gateway|device|alarmInfo)\.[A-Za-z_]\w+/,
          )
        }
        await page.goto(`${penstock.origin}/projectManagement/gatewayManagement`)
        await until(`the title in ${language}`, async () => words[language]!.test(await page.title()))
        expect(problems).toEqual([])
      } finally {
        await close()
      }
    },
  )

  it('finds a page for what is not there', async () => {
    await browser.page.goto(`${penstock.origin}/no/such/page`)
    await browser.page.getByRole('heading', { level: 1 }).waitFor()
    await expectAccessible(browser.page)
  })
})
