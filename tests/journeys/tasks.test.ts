// Work on many gateways and devices, and the commissioning report of a plant.

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { demoPlant } from '../../contract/demo-plant.ts'
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
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  const addTask = async (kind: string) => {
    await visit(at.page, '/projectManagement/pointTaskList')
    await pane(at.page).getByRole('button', { name: 'Add task' }).first().click()
    await dialog(at.page).getByRole('radio', { name: kind }).check()
  }

  it('import a sheet as a task, and its progress is shown', async () => {
    const { page } = at
    await addTask('Import points')
    await dialog(page).getByRole('button', { name: 'Next' }).click()
    const rows = Array.from({ length: 600 }, (_, i) => `${demoPlant[0]!.DeviceName},Extra ${i},${20_000 + 2 * i}`)
    const sheet = { name: 'points.csv', mimeType: 'text/csv', buffer: Buffer.from(['DeviceId,ParaName,Address', ...rows].join('\n')) }
    await page.locator('.import-dialog input[type=file]').setInputFiles(sheet)
    await dialog(page).getByRole('checkbox', { name: 'Import as a task' }).waitFor()
    await expectAccessible(page, '.ant-modal')
    await dialog(page).getByRole('button', { name: 'Import' }).click()
    await dialog(page).getByText('Parts imported: 2 of 2').waitFor()
    await expectAccessible(page, '.ant-modal')
    await dialog(page).getByRole('button', { name: 'Show task' }).click()
    await pane(page).getByText('Rows 2 to 501').waitFor()
  })

  it('copy a project as a task, gateway by gateway', async () => {
    const { page } = at
    await addTask('Copy project')
    await dialog(page).getByRole('combobox', { name: 'Project' }).click()
    await page.locator('.ant-select-item-option').first().click()
    await dialog(page).getByRole('button', { name: 'Next' }).click()
    await dialog(page)
      .getByLabel(/New serial number/)
      .first()
      .fill('COPYTASK0001')
    await expectAccessible(page, '.ant-modal')
    await dialog(page).getByRole('button', { name: 'Copy', exact: true }).click()
    await pane(page)
      .getByRole('row', { name: /Copy project: .* \(2\)/ })
      .getByText('Done', { exact: true })
      .waitFor()
  })
})
