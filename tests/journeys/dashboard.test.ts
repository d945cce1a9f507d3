// Tiles open their lists, update when a record is added, and stay where the person placed them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openFrontDoor, password } from '../front-door.ts'
import { browserPath, expectAccessible, expectFits, openBrowser, openSignedIn, startPenstock, why } from './browser.ts'

describe.skipIf(!browserPath)(`the dashboard${why}`, () => {
  let penstock: Awaited<ReturnType<typeof startPenstock>>
  let browser: Awaited<ReturnType<typeof openBrowser>>
  beforeAll(async () => {
    penstock = await startPenstock({ PENSTOCK_ADMIN_PASSWORD: password, PENSTOCK_DEMO: 'off' })
    await (await openFrontDoor(penstock.origin)).ensureCompany()
    browser = await openBrowser(penstock.origin)
    await openSignedIn(browser.page, penstock.origin, 'admin', password)
  })
  afterAll(async () => {
    await browser?.close()
    await penstock?.close()
  })
  const tile = (name: string) => browser.page.locator('.pane:visible').getByRole('region', { name, exact: true })

  it('counts one more when one more is there, without being asked, and leads to the list', async () => {
    const { page } = browser
    await expect.poll(() => tile('Projects').locator('.tile-figure').textContent()).toBe('0')
    // Where there is no device, Home says what to do; the water works are drawn in the demo company alone.
    await tile('Devices now').getByRole('link', { name: 'Go to devices' }).waitFor()
    expect(await page.locator('#overview').count()).toBe(0)
    const door = await openFrontDoor(penstock.origin)
    const city = await door.data('POST', '/System/Region', { RegionName: 'Riverside' })
    await door.data('POST', '/Project/Project', { ProjectName: 'Water works', RegionId: city.Id })
    await expect.poll(() => tile('Projects').locator('.tile-figure').textContent(), { timeout: 60_000 }).toBe('1')
    await expectAccessible(page)
    await page.getByRole('link', { name: /Riverside/ }).click()
    await page.getByRole('heading', { name: 'Projects' }).waitFor()
    await page.locator('.pane:visible').getByText('Water works').waitFor()
    expect(new URL(page.url()).searchParams.get('RegionId')).toBe(String(city.Id))
  })

  it('stays as it was arranged', async () => {
    const { page } = browser
    await page.goto(penstock.origin)
    await page.getByRole('button', { name: 'Edit dashboard' }).click()
    const devices = page.getByRole('checkbox', { name: 'Devices', exact: true })
    // The water works are the demo company's.
    await devices.waitFor()
    expect(await page.getByRole('dialog').getByRole('checkbox', { name: 'Overview of the water works' }).count()).toBe(0)
    await devices.click()
    await expect.poll(() => devices.isChecked()).toBe(false)
    for (let i = 0; i < 5; i++) await page.getByRole('button', { name: 'Move up: Projects', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    const stored = () =>
      page.evaluate(async () => {
        const headers = { authorization: `Bearer ${localStorage.getItem('Authorization')}` }
        const answer = await fetch('/api/System/User/MenuTable?MenuEncoding=m100', { headers })
        const { Columns } = ((await answer.json()) as { Data: { Columns: { Field: string; Sort: number }[] } }).Data
        return Columns.find((c) => c.Sort === 0)?.Field
      })
    await expect.poll(stored).toBe('projects')
    await page.reload()
    await tile('Projects').waitFor()
    await expect.poll(() => tile('Devices').count()).toBe(0)
    const labels = () => page.locator('.pane:visible .tile-label').allTextContents()
    // One of them: the noun follows the count.
    await expect.poll(async () => (await labels())[0]).toBe('Project')
    await page.setViewportSize({ width: 390, height: 844 })
    await expectFits(page)
    expect(browser.problems).toEqual([])
  })
})
