// Dashboards: one is looked at, made, changed and found again.
import { expect, it } from 'vitest'
import { expectAccessible, expectFits, journey, pane, settled, visit } from './browser.ts'

const path = '/visualizationCenter/visualizationCenter'

journey('dashboards', { env: {} }, (at) => {
  it('the demo plant’s shows live values, the past, alarms and devices, and leads on', async () => {
    const { page } = at
    await visit(page, path)
    await pane(page).getByRole('link', { name: 'Riverside Waterworks' }).click()
    const widget = (name: string | RegExp) => pane(page).getByRole('region', { name })
    await expect
      .poll(() =>
        widget(/Raw water flow/)
          .locator('.board-figure')
          .textContent(),
      )
      .toMatch(/\d/)
    await expect.poll(() => widget('Devices').getByRole('row').count()).toBeGreaterThan(10)
    await widget('Flow through the works').locator('canvas').waitFor()
    await settled(page)
    if (process.env.SHOTS) {
      await page.waitForTimeout(15_000)
      await page.setViewportSize({ width: 1440, height: 1500 })
      await page.screenshot({ path: '/tmp/boards-light.png' })
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.screenshot({ path: '/tmp/boards-dark.png' })
      await page.emulateMedia({ colorScheme: 'light' })
      await page.setViewportSize({ width: 390, height: 2600 })
      await page.waitForTimeout(500)
      await page.screenshot({ path: '/tmp/boards-phone.png' })
    }
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectFits(page)
    await page.setViewportSize({ width: 1280, height: 800 })
    await widget('Flow through the works').getByRole('link').click()
    await page.getByRole('heading', { name: 'Trends' }).waitFor()
    expect(new URL(page.url()).searchParams.get('points')?.split(',')).toHaveLength(3)
  })
})
