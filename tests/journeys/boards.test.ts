// Dashboards: one is looked at, made, changed and found again.

import type { Request } from 'playwright-core'
import { expect, it } from 'vitest'
import { openFrontDoor } from '../front-door.ts'
import { dialog, downloaded, expectAccessible, expectFits, journey, pane, settled, visit } from './browser.ts'

const path = '/visualizationCenter/visualizationCenter'

journey('dashboards', { env: {} }, (at) => {
  it('the demo plant’s shows live values, the past, alarms and devices, and leads on', async () => {
    const { page } = at
    const asked: string[][] = []
    const note = (request: Request) => request.url().includes('/visual/data') && asked.push(request.postDataJSON().Parts)
    page.on('request', note)
    // The company's default board opens first.
    await visit(page, path)
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
    // Current values and history come in one call. Later ones follow changes and the clock.
    expect(asked[0]).toEqual(expect.arrayContaining(['now', 'past']))
    page.off('request', note)
    await settled(page)
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectFits(page)
    await page.setViewportSize({ width: 1280, height: 800 })
    await widget('Flow through the works').getByRole('link').click()
    await page.getByRole('heading', { name: 'Trends' }).waitFor()
    expect(new URL(page.url()).searchParams.get('points')?.split(',')).toHaveLength(3)
  })

  it('a new one gets widgets, is arranged by the keyboard, undone and saved, and is left as a file', async () => {
    const { page } = at
    await visit(page, path)
    await pane(page).getByRole('button', { name: 'All dashboards' }).click()
    await pane(page).getByRole('link', { name: 'Riverside Waterworks' }).waitFor()
    await pane(page).getByRole('button', { name: 'Add' }).click()
    await dialog(page).getByLabel('Title').fill('Night shift')
    await dialog(page).getByRole('button', { name: 'Create' }).click()
    await pane(page).getByRole('heading', { name: 'Night shift' }).waitFor()
    const add = async (kind: string) => {
      await pane(page).getByRole('button', { name: 'Add widget' }).click()
      await page.getByRole('menuitem', { name: kind, exact: true }).click()
    }
    const settings = (kind: string) => pane(page).getByRole('complementary', { name: `Settings of ${kind}` })
    await add('Value')
    await settings('Value')
      .getByRole('combobox', { name: /Choose/ })
      .fill('River level')
    await page.locator('.ant-select-item-option', { hasText: 'River level' }).click()
    await page.keyboard.press('Escape')
    await add('Text')
    await settings('Text').getByRole('textbox', { name: 'Text' }).fill('# Pumps\n<b>no HTML</b>')
    await settings('Text').getByRole('button', { name: 'Close' }).click()
    const text = pane(page).getByRole('group', { name: /Widget: Text/ })
    await text.focus()
    for (const key of ['ArrowRight', 'ArrowRight', 'Shift+ArrowDown']) await page.keyboard.press(key)
    await pane(page).getByText('Column 3, row 4, 12 wide, 4 high').waitFor()
    await page.keyboard.press('Control+z')
    await expectAccessible(page)
    await pane(page).getByRole('button', { name: 'Save' }).click()
    await pane(page).getByRole('button', { name: 'Edit' }).waitFor()
    expect(await pane(page).getByText('<b>no HTML</b>').count()).toBe(1)
    await expect.poll(() => pane(page).getByRole('region', { name: 'River level' }).locator('.board-figure').textContent()).toMatch(/\d/)
    const placed = await pane(page).locator('.board > div').nth(1).getAttribute('style')
    expect(placed).toContain('4 / 3 / span 3 / span 12')
    const file = await downloaded(page, () => pane(page).getByRole('button', { name: 'Export' }).click())
    expect(file.suggestedFilename()).toBe('Night shift.json')
    await pane(page).getByRole('button', { name: 'Versions' }).click()
    await dialog(page)
      .getByRole('row', { name: /2 added/ })
      .waitFor()
    await settled(page)
    await expectAccessible(page)
    await dialog(page).getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('dialog', { name: 'Restore version 1?' }).getByRole('button', { name: 'Restore' }).click()
    await pane(page).getByText('Nothing on this dashboard yet.').waitFor()
  })

  it('the other addresses of the specification lead to all dashboards, to one, and to its editor', async () => {
    const { page, penstock } = at
    const door = await openFrontDoor(penstock.origin)
    const [board] = (await door.data<{ Items: { Id: number }[] }>('GET', '/blade-visual/visual/list')).Items
    for (const [path, to] of [
      ['admin', /visualizationCenter\?list=1$/],
      [`preview?Id=${board!.Id}`, /visualizationCenter\?Id=\d+$/],
      [`editor?Id=${board!.Id}`, /visualizationCenter\?Id=\d+&edit=1$/],
    ] as const) {
      await page.goto(`${penstock.origin}/visualizationCenter/${path}`)
      await page.waitForURL(to)
    }
  })
})
