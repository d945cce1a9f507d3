// Points arrive in the files that people have, and are edited like cells of a spreadsheet.
import { beforeAll, expect, it } from 'vitest'
import { openFrontDoor } from '../front-door.ts'
import { dialog, expectAccessible, expectFits, journey, pane, visit } from './browser.ts'

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
})
