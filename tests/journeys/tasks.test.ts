// Work on many gateways and devices, and the commissioning report of a plant.

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readSheet } from '../../server/files/sheetReader.ts'
import { dialog, expectAccessible, expectFits, journey, pane, visit } from './browser.ts'

journey('tasks', { env: { PENSTOCK_DEMO_HISTORY: '0' } }, (at) => {
  it('check the points of a project, and the report leaves as a sheet', async () => {
    const { page } = at
    await visit(page, '/projectManagement/pointTaskList')
    await pane(page).getByText('No tasks yet.', { exact: false }).waitFor()
    await pane(page).getByRole('button', { name: 'Add task' }).first().click()
    await dialog(page).getByRole('radio', { name: 'Commissioning check' }).check()
    await dialog(page).getByLabel('All devices of a project').click()
    await page.locator('.ant-select-item-option').first().click()
    await expectAccessible(page, '.ant-modal')
    await dialog(page).getByRole('button', { name: 'Start' }).click()
    await page.getByText('The task has started.').waitFor()
    const row = pane(page).getByRole('row', { name: /Commissioning check/ })
    await row.getByText('Done', { exact: true }).waitFor()
    await row.getByRole('link', { name: 'Commissioning check' }).click()
    await pane(page)
      .getByRole('tab', { name: /Checked points/ })
      .click()
    await pane(page).getByText('Fine').first().waitFor()
    await expectAccessible(page)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      pane(page).getByRole('button', { name: 'Download report' }).click(),
    ])
    const [header, ...rows] = await readSheet(readFileSync(await download.path()))
    expect(header).toContain('Finding')
    expect(rows.length).toBeGreaterThan(20)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectFits(page)
  })
})
