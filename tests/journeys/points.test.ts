// Points arrive in the files that people have, and are edited like cells of a spreadsheet.
import { beforeAll, expect, it } from 'vitest'
import { openFrontDoor, password } from '../front-door.ts'
import { dialog, expectAccessible, expectFits, journey, openBrowser, openSignedIn, pane, visit } from './browser.ts'

type Row = { Id: number; GatewayId: number; NetProtocolId: number; EnterpriseId: number } & Record<string, unknown>

const titles =
  'Tag Name,Address,Data Type,Respect Data Type,Client Access,Scan Rate,Scaling,Raw Low,Raw High,Scaled Low,Scaled High,Scaled Data Type,Clamp Low,Clamp High,Eng Units,Description,Negate Value'
const tags = Array.from(
  { length: 300 },
  (_, i) => `"Boiler.Tag ${i + 1}",4${String(i * 2 + 1).padStart(5, '0')},Float,1,RO,1000,,,,,,,,,°C,,`,
)

journey('points from files and cells', { env: {} }, (at) => {
  let door: Awaited<ReturnType<typeof openFrontDoor>>
  let device: Row
  beforeAll(async () => {
    door = await openFrontDoor(at.penstock.origin)
    const [first] = (await door.data<{ Items: Row[] }>('GET', '/Project/Device/List')).Items
    const { GatewayId, NetProtocolId, CommType, EnterpriseId } = first!
    device = await door.data<Row>('POST', '/Project/Device', {
      DeviceName: 'Boiler',
      GatewayId,
      NetProtocolId,
      CommType,
      SlaveNumber: 5,
      EnterpriseId,
    })
  })

  it('brings 300 tags of a Kepware export to a device, and lists the two that it cannot translate', async () => {
    const { page } = at
    await visit(page, `/projectManagement/pointManagement?DeviceId=${device.Id}`)
    await pane(page).getByRole('button', { name: 'Import' }).first().click()
    const box = dialog(page, 'Import: point')
    const text = [titles, ...tags, 'Text,400900.10H,String,1,RO,1000,,,,,,,,,,,', 'Twice,400001,Float,1,RO,1000,,,,,,,,,,,'].join('\n')
    await box.locator('input[type=file]').setInputFiles({ name: 'boiler.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await box.getByText('This is a Kepware export.', { exact: false }).waitFor()
    expect(await box.getByRole('button', { name: 'Preview' }).isDisabled()).toBe(true)
    await box.getByLabel('Word order of 32-bit values').click()
    await page.locator('.ant-select-item-option', { hasText: 'CDAB' }).click()
    expect(await box.getByLabel('Unit ID of all points').inputValue()).toBe('5')
    await box.getByRole('button', { name: 'Preview' }).click()
    await box.getByText('300 to add', { exact: false }).waitFor()
    await box.getByText('2 rows cannot be imported.').waitFor()
    await box.getByText('400900.10H').waitFor()
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectFits(page)
    await page.setViewportSize({ width: 1280, height: 800 })
    await box.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('Imported: 300 added', { exact: false }).waitFor()
    const { Items } = await door.data<{ Items: Row[] }>('GET', `/Project/DevPara/List?PageSize=1000&DeviceId=${device.Id}`)
    expect(Items).toHaveLength(300)
    expect(Items.find((row) => row.ParaName === 'Boiler.Tag 2')).toMatchObject({ Address: '2', ParaDataType: 8, SlaveNumber: 5 })
  })

  it('a block pasted into the spreadsheet is judged by the rules, undone, and saved with a series and a replacement', async () => {
    const { page } = at
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await visit(page, `/projectManagement/pointManagement?DeviceId=${device.Id}`)
    await pane(page).getByRole('button', { name: 'Edit as a spreadsheet' }).click()
    const grid = pane(page).getByRole('grid')
    await grid.getByText('Boiler.Tag 3', { exact: true }).waitFor()
    await grid.getByRole('columnheader', { name: 'Live value' }).waitFor()
    const cell = (row: number, column: number) => grid.locator(`[data-row='${row}'] [data-column='${column}']`)
    const titles = await grid.getByRole('columnheader').allTextContents()
    expect(titles).toEqual(expect.arrayContaining(['Live value', 'Age']))
    const columns = titles.filter((title) => !['Row', 'Live value', 'Age'].includes(title))
    const [low, high, unit] = ['Low limit', 'High limit', 'Unit'].map((title) => columns.indexOf(title)) as [number, number, number]
    await cell(0, low).click()
    await page.evaluate(() => navigator.clipboard.writeText('1\t5\n9\t5\n1\t5\n'))
    await page.keyboard.press('Control+v')
    await pane(page).getByText('1 cell has an error.', { exact: false }).waitFor()
    expect(await cell(1, high).getAttribute('title')).toMatch(/limit/)
    expect(await pane(page).getByRole('button', { name: 'Save 3 rows' }).isDisabled()).toBe(true)
    await page.keyboard.press('Control+z')
    await pane(page).getByRole('button', { name: 'Save 0 rows' }).waitFor()
    await page.keyboard.press('Control+y')
    await cell(1, low).click()
    await page.keyboard.type('2')
    await page.keyboard.press('Enter')
    await expectAccessible(page)
    // The series continues 1, 2.
    await cell(0, low).click()
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Shift+ArrowDown')
    await pane(page).getByRole('button', { name: 'Series' }).click()
    await cell(2, low).getByText('3').waitFor()
    await pane(page).getByRole('button', { name: 'Find and replace' }).click()
    await pane(page).getByLabel('Find', { exact: true }).fill('°c')
    await pane(page).getByLabel('Replace with').fill('K')
    await cell(0, unit).click()
    await page.keyboard.press('Shift+ArrowDown')
    await pane(page).getByRole('button', { name: 'Replace in the selection' }).click()
    await cell(0, unit).getByText('K').waitFor()
    await pane(page).getByRole('button', { name: 'Save 3 rows' }).click()
    await page.getByText('3 rows are saved.').waitFor()
    const { Items } = await door.data<{ Items: Row[] }>(
      'GET',
      `/Project/DevPara/List?PageSize=3&OrderColumn=Id&OrderType=asc&DeviceId=${device.Id}`,
    )
    expect(Items.map(({ AlarmLow, AlarmHigh, ParaUnitName }) => [AlarmLow, AlarmHigh, ParaUnitName])).toEqual([
      [1, 5, 'K'],
      [2, 5, 'K'],
      [3, 5, '°C'],
    ])
  })

  it('[devpara-delay] the points of a device are there without a timer of seconds', async () => {
    // A separate window, because the clock of a page is that of its window.
    const { page, close } = await openBrowser(at.penstock.origin)
    try {
      await openSignedIn(page, at.penstock.origin, 'admin', password, '/projectManagement/pointManagement')
      await pane(page).getByRole('heading', { level: 1, name: 'Points' }).waitFor()
      await page.clock.install()
      await page.clock.pauseAt(Date.now() + 60_000)
      await visit(page, `/projectManagement/pointManagement?DeviceId=${device.Id}`)
      // The page's clock goes on by a second, however long the machine takes for it.
      const shown = pane(page).getByText('Boiler.Tag 1', { exact: true }).first()
      for (let i = 0; i < 20 && !(await shown.isVisible()); i++) {
        await new Promise((done) => setTimeout(done, 500))
        await page.clock.runFor(50)
      }
      expect(await shown.isVisible()).toBe(true)
    } finally {
      await close()
    }
  })

  it('a standard parameter chosen in a cell fills what is empty in its row', async () => {
    const { page } = at
    const grid = pane(page).getByRole('grid')
    await pane(page).getByRole('button', { name: 'Add row' }).click()
    await grid.focus()
    await page.keyboard.press('Control+ArrowDown')
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.type('temperature.ambient')
    await page.keyboard.press('Tab')
    await grid
      .getByRole('row', { name: /temperature\.ambient/ })
      .getByText('°C')
      .waitFor()
    await pane(page).getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Discard' }).click()
    await pane(page).getByRole('button', { name: 'Edit as a spreadsheet' }).waitFor()
  })

  it('the tree of the plant is searched, opened, and decides which table is shown', async () => {
    const { page } = at
    await visit(page, '/projectManagement/pointManagement')
    const tree = pane(page).getByRole('navigation', { name: 'Plant tree' })
    await tree.getByRole('searchbox').fill('boil')
    await tree.getByText('Boiler', { exact: true }).click()
    await pane(page).getByText('Boiler.Tag 1', { exact: true }).waitFor()
    await tree.getByRole('searchbox').fill('')
    // The branch of the device is open.
    await tree.getByText('Boiler', { exact: true }).waitFor()
    await tree.getByText('Soft gateway', { exact: true }).click()
    await pane(page).getByRole('columnheader', { name: 'Device name' }).waitFor()
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectFits(page)
    await pane(page).getByRole('button', { name: 'Plant tree' }).click()
    const drawer = dialog(page, 'Plant tree')
    await drawer.getByText('Boiler', { exact: true }).click()
    await pane(page).getByText('Boiler.Tag 1', { exact: true }).waitFor()
    await page.setViewportSize({ width: 1280, height: 800 })
  })
})
