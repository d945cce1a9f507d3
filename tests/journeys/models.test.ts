// A make is described once: its points, a version, and what the version does to a device before it does it.
import { readFileSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import { openFrontDoor } from '../front-door.ts'
import { dialog, downloaded, expectAccessible, expectFits, journey, pane, visit } from './browser.ts'

type Row = { Id: number; EnterpriseId: number; DeviceName: string }

journey('a model and its devices', { env: {} }, (at) => {
  let door: Awaited<ReturnType<typeof openFrontDoor>>
  let device: Row
  let model: Row
  beforeAll(async () => {
    door = await openFrontDoor(at.penstock.origin)
    device = (await door.data<{ Items: Row[] }>('GET', '/Project/Device/List')).Items[0]!
    const { EnterpriseId } = device
    model = await door.data<Row>('POST', '/ProModel/ProModel', {
      ModelName: 'Booster',
      Parameters: 'base=900 First register',
      EnterpriseId,
    })
    await door.data('POST', '/ProModel/ModelPara', { ModelId: model.Id, ParaName: 'Suction', Address: '{base}', ParaUnitName: 'bar' })
    await door.data('PUT', '/Project/Device', { Id: device.Id, ModelId: model.Id })
  })

  it('adds a point in a table cell, then publishes and applies the model after a preview', async () => {
    const { page } = at
    await visit(page, '/projectManagement/pointTempManagement')
    await pane(page).getByRole('link', { name: 'Booster' }).click()
    await pane(page).getByText('Not published yet').waitFor()
    await pane(page).getByTitle('Edit High limit: Suction').click()
    await page.keyboard.type('6')
    await page.keyboard.press('Enter')
    await pane(page).getByTitle('Edit High limit: Suction').getByText('6').waitFor()
    await expectAccessible(page)
    await pane(page).getByRole('button', { name: 'Publish' }).click()
    await dialog(page, 'Publish version 1 of Booster?').getByRole('button', { name: 'Publish' }).click()
    await pane(page).getByText('Version 1', { exact: true }).waitFor()
    await pane(page).getByRole('button', { name: 'Apply to devices' }).click()
    const apply = dialog(page, 'Apply Booster, version 1')
    await apply
      .getByRole('row', { name: /Suction/ })
      .getByText('Added')
      .waitFor()
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectFits(page)
    await page.setViewportSize({ width: 1280, height: 800 })
    await apply.getByRole('button', { name: 'Apply to devices' }).click()
    await page.getByText('Version 1 is applied. Push the configuration to the gateways.').waitFor()
  })

  it("points are pasted into the model's spreadsheet with their titles, from whatever program", async () => {
    const { page } = at
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await visit(page, `/projectManagement/modelPointList?ModelId=${model.Id}`)
    await pane(page).getByRole('button', { name: 'Edit as a spreadsheet' }).click()
    const grid = pane(page).getByRole('grid')
    await grid.getByText('Suction', { exact: true }).waitFor()
    // Below the last row.
    await page.keyboard.press('Control+ArrowDown')
    await pane(page).getByRole('button', { name: 'Add row' }).click()
    await grid.focus()
    await page.keyboard.press('Control+ArrowDown')
    const pasteIt = async (text: string) => {
      await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
      await page.keyboard.press('Control+v')
    }
    // 100,001 cells are refused where they are pasted, and none is taken.
    await pasteIt('1\n'.repeat(100_001))
    await page.getByText('A paste fills at most 50,000 cells.', { exact: false }).waitFor()
    const copied = 'Tag name\tAddr\tKey\tUnits\tOwner\nSpeed\t{base+4}\tspeed\trpm\tme\nPower\t{base+6}\tspeed\tkW\tme'
    await pasteIt(copied)
    await page.getByText('were left out: Owner', { exact: false }).waitFor()
    await pane(page).getByText('2 cells have errors.', { exact: false }).waitFor()
    const key = grid.getByRole('row', { name: /Power/ }).getByText('speed', { exact: true })
    await key.click()
    await page.keyboard.type('power')
    await page.keyboard.press('Enter')
    await expectAccessible(page)
    await pane(page).getByRole('button', { name: 'Save 2 rows' }).click()
    await page.getByText('2 rows are saved.').waitFor()
    const { Items } = await door.data<{ Items: object[] }>(
      'GET',
      `/ProModel/ModelPara/List?ModelId=${model.Id}&OrderColumn=Id&OrderType=asc`,
    )
    expect(Items.slice(-2)).toMatchObject([
      { ParaName: 'Speed', Address: '{base+4}', ParaKey: 'speed', ParaUnitName: 'rpm', SlaveNumber: '{unit}' },
      { ParaName: 'Power', Address: '{base+6}', ParaKey: 'power', ParaUnitName: 'kW' },
    ])
    await pane(page).getByRole('button', { name: 'Close' }).click()
    await pane(page)
      .getByText(/unpublished edits/)
      .waitFor()
  })

  it('the list of models names the devices that are behind, and leads to them', async () => {
    const { page } = at
    await door.data('POST', '/ProModel/ModelPara', { ModelId: model.Id, ParaName: 'Discharge', Address: '{base+2}' })
    await door.data('POST', '/ProModel/ProModel/Publish', { Id: model.Id })
    await visit(page, '/projectManagement/pointTempManagement')
    await pane(page).getByRole('link', { name: '1 behind' }).click()
    await pane(page).getByRole('row', { name: device.DeviceName }).waitFor()
    await expectAccessible(page)
    expect(page.url()).toContain('IsBehind=1')
  })

  it('a company copies a model from the library, on a phone as well, and moves it into a folder', async () => {
    const { page } = at
    await door.data('POST', '/ProModel/PointTempMenu', { MenuName: 'Solar', EnterpriseId: device.EnterpriseId })
    await visit(page, '/projectManagement/pointTempManagement')
    await pane(page).getByRole('button', { name: 'Model library' }).click()
    const library = dialog(page, 'Model library')
    await library.getByRole('button', { name: 'Copy: UPS, three lines' }).waitFor()
    await library.getByText('SNMP', { exact: true }).first().waitFor()
    await expectAccessible(page, '[role=dialog]')
    await page.setViewportSize({ width: 390, height: 844 })
    await expectFits(page)
    await library.getByLabel('Search the library').fill('113')
    await library.getByRole('button', { name: 'Copy: SunSpec inverter, three-phase, float' }).click()
    await page.getByText(/is now a model of your company/).waitFor()
    await library.getByRole('button', { name: 'Close' }).last().click()
    await page.setViewportSize({ width: 1280, height: 800 })
    const row = pane(page).getByRole('row', { name: /SunSpec inverter/ })
    await row.getByRole('checkbox').check()
    await pane(page).getByRole('button', { name: 'Move to folder' }).first().click()
    const move = dialog(page, 'Move to folder')
    await move.getByRole('combobox').click()
    await page.getByTitle('Solar').click()
    await move.getByRole('button', { name: 'Move to folder' }).click()
    await row.getByText('Solar').waitFor()
  })

  it("an override is marked in the device's table and can be reset to the model", async () => {
    const { page } = at
    await visit(page, `/projectManagement/pointManagement?DeviceId=${device.Id}&q=Suction`)
    const cell = pane(page).getByTitle('Edit High limit: Suction')
    await cell.click()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('7')
    await page.keyboard.press('Enter')
    await cell.getByText('Differs from the model').waitFor()
    await pane(page)
      .getByRole('row', { name: /Suction/ })
      .getByRole('button', { name: /^More actions/ })
      .click()
    await page.getByRole('menuitem', { name: 'Reset to the model' }).click()
    await cell.getByText('6').waitFor()
    expect(await cell.getByText('Differs from the model').count()).toBe(0)
  })

  it('[point-table-type] an export of points asks for the type of point table first', async () => {
    const { page } = at
    await visit(page, `/projectManagement/pointManagement?DeviceId=${device.Id}`)
    await pane(page).getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: 'Export Excel (.xlsx)' }).click()
    const ask = dialog(page, 'Export')
    await ask.getByLabel('Point table type').focus()
    await page.keyboard.press('Tab')
    await ask.getByText('Select the point table type').waitFor()
    await expectAccessible(page, '[role=dialog]')
    await ask.getByLabel('Point table type').click()
    await page.locator('.ant-select-item-option', { hasText: 'Run point table' }).click()
    const file = await downloaded(page, () => ask.getByRole('button', { name: 'Export' }).click())
    expect(file.suggestedFilename()).toMatch(/\.xlsx$/)
  })

  it('a common point takes name, unit and axis from its standard parameter, and is added to a device', async () => {
    const { page } = at
    await visit(page, '/projectManagement/generalParam')
    await pane(page).getByRole('button', { name: 'Add common point' }).first().click()
    const form = dialog(page, 'Add common point')
    await form.getByLabel('Address', { exact: true }).fill('950')
    await form.getByLabel('Standard parameter').click()
    await page.keyboard.type('temperature.ambient')
    await page
      .getByTitle(/^temperature\.ambient/)
      .first()
      .click()
    await expect.poll(() => form.getByLabel(/^Unit \(/).inputValue()).toBe('°C')
    const name = await form.getByLabel('Point name').inputValue()
    expect(name).not.toBe('')
    await form.getByRole('button', { name: 'Save' }).click()
    const row = pane(page).getByRole('row', { name: new RegExp(name) })
    await row.getByText('temperature.ambient').waitFor()
    await expectAccessible(page)
    await row.getByRole('button', { name: /^More actions/ }).click()
    await page.getByRole('menuitem', { name: 'Add to devices' }).click()
    const add = dialog(page, 'Add common points')
    await add.getByLabel('Devices').click()
    await page.keyboard.type(device.DeviceName)
    await page.locator('.ant-select-item-option', { hasText: device.DeviceName }).first().click()
    await add
      .getByRole('row', { name: new RegExp(name) })
      .getByText('Added')
      .waitFor()
    await add.getByRole('button', { name: 'Add to devices' }).click()
    await page.getByText('1 point was added. Push the configuration to the gateways.').waitFor()
    expect(at.browser.problems).toEqual([])
  })

  it('leaves as a file, and comes in under another name after a look at what is in it', async () => {
    const { page } = at
    await page.setViewportSize({ width: 1280, height: 800 })
    await visit(page, '/projectManagement/pointTempManagement')
    await pane(page)
      .getByRole('row', { name: /Booster/ })
      .getByRole('button', { name: /More/ })
      .click()
    const saved = await downloaded(page, () => page.getByRole('menuitem', { name: 'Download as a file' }).click())
    const file = await saved.path()
    await pane(page).getByRole('button', { name: 'Import model file' }).click()
    const form = dialog(page, 'Import model file')
    await form.locator('input[type=file]').setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer: Buffer.from('no JSON') })
    await form.getByText('The file is not a model file of at most 1 MB.').waitFor()
    await form.locator('input[type=file]').setInputFiles({ name: 'booster.json', mimeType: 'application/json', buffer: readFileSync(file) })
    await expect.poll(() => form.getByLabel('Model', { exact: true }).inputValue()).toBe('Booster (2)')
    await expectAccessible(page, '.ant-modal')
    await form.getByLabel('Model', { exact: true }).fill('Booster, copied')
    await form.getByRole('button', { name: 'Import', exact: true }).click()
    await pane(page).getByRole('link', { name: 'Booster, copied' }).waitFor()
    expect(at.browser.problems).toEqual([])
  })
})
