// A meter behind a serial converter: browse it for points, then trace its channel.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { dlt645Layout, startMeters } from '../../edge/testing/meters.ts'
import { openFrontDoor, until } from '../front-door.ts'
import { dialog, expectAccessible, expectFits, journey, pane, visit } from './browser.ts'

type Row = { Id: number; GatewayName: string; Capabilities: string[] | null; OnlineStatus: number }
/** Every value of the meter is 220.0 V. */
const answer = ({ address, control, data }: { address: string; control: number; data: Buffer }) =>
  address === '000000000161' ? { control: control | 0x80, data: Buffer.concat([data, Buffer.of(0, 0x22)]) } : undefined

// The demo's gateway reaches no other port of this machine but its plant.
journey('a meter and its line', { env: { PENSTOCK_OUTBOUND: '127.0.0.1/32' } }, (at) => {
  let meters: Awaited<ReturnType<typeof startMeters>>
  let door: Awaited<ReturnType<typeof openFrontDoor>>
  let gateway: Row
  let device: { Id: number }
  beforeAll(async () => {
    meters = await startMeters(dlt645Layout, answer, answer, 0)
    door = await openFrontDoor(at.penstock.origin)
    gateway = await until('a gateway that browses', async () => {
      const { Items } = await door.data<{ Items: Row[] }>('GET', '/Project/Gateway/List')
      return Items.find((row) => row.OnlineStatus === 1 && row.Capabilities?.includes('browse'))
    })
    const GatewayId = gateway.Id
    const channel = { GatewayId, ProtocolName: 'Meter line', ProtocolType: 20, Ip: '127.0.0.1', Port: meters.port }
    const { Id: NetProtocolId } = await door.data('POST', '/Project/Protocol/NetProtocol', channel)
    const given = { GatewayId, DeviceName: 'Main meter', CommType: 0, NetProtocolId, SlaveNumber: 1 }
    device = await door.data('POST', '/Project/Device', { ...given, Settings: { MeterAddress: '000000000161' } })
    await door.data('POST', '/Project/DevPara', { DeviceId: device.Id, ParaName: 'Energy', Address: '00010000' })
    await door.data('POST', '/Project/Protocol/OptionPush', { GatewayId })
  })
  afterAll(() => meters?.close())

  it('its values are ticked and stand in the table with their unit, and an address is judged while it is typed', async () => {
    const { page } = at
    await visit(page, `/projectManagement/pointManagement?DeviceId=${device.Id}`)
    await pane(page).getByRole('button', { name: 'Browse device' }).click()
    const tree = dialog(page, 'Choose values of the device')
    await tree.locator('.ant-tree-treenode', { hasText: 'Present values' }).locator('.ant-tree-switcher').click()
    await tree.locator('.ant-tree-treenode', { hasText: 'Voltage A' }).locator('.ant-tree-checkbox').click()
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectFits(page)
    await page.setViewportSize({ width: 1280, height: 800 })
    await tree.getByRole('button', { name: 'Add points (1)' }).click()
    const row = pane(page).getByRole('row', { name: /Voltage A/ })
    await row.getByText('02010100').waitFor()
    await pane(page).getByRole('button', { name: 'Add point' }).click()
    const form = page.getByRole('dialog').last()
    await form.getByLabel('Address').fill('0201010G')
    await form.getByText('Wrong from character 8 on. Example: 00010000').waitFor()
    await form.getByLabel('Address').fill('02010200')
    await form.getByText('Example: 00010000', { exact: true }).waitFor()
    expect(await form.getByLabel('Unit ID').count()).toBe(0)
    await page.keyboard.press('Escape')
    await dialog(page).filter({ hasText: 'Discard unsaved changes?' }).getByRole('button', { name: 'Discard' }).click()
    await row.getByRole('button', { name: '02010100' }).click()
    await page.getByLabel('Address: Voltage A').fill('0201')
    await page.getByText('Wrong from character 5 on. Example: 00010000').waitFor()
    await page.keyboard.press('Escape')
    await row.getByText('02010100').waitFor()
  })

  it('its channel is a card that is alive, and a new one begins with what it is', async () => {
    const { page } = at
    await visit(page, `/projectManagement/setProtocolPro?GatewayId=${gateway.Id}`)
    const card = pane(page).getByRole('listitem', { name: 'Meter line' })
    await card.getByText('Connected').waitFor()
    await card.getByText('Requests a second').waitFor()
    await expectAccessible(page)
    await card.getByRole('button', { name: 'Browse' }).click()
    await dialog(page, 'Choose values of the device').getByText('Present values').waitFor()
    await page.keyboard.press('Escape')
    await visit(page, `/projectManagement/setProtocolPro?GatewayId=${gateway.Id}`)
    await pane(page).getByRole('button', { name: 'Add network channel' }).first().click()
    const form = page.getByRole('dialog').last()
    await form.getByRole('radio', { name: /^OPC UA/ }).check()
    await form.getByText('Example: opc.tcp://10.1.7.50:4840').waitFor()
    expect(await form.getByLabel('Password').count()).toBe(0)
    expect(await form.getByLabel('Port', { exact: true }).count()).toBe(0)
    await form.getByRole('radio', { name: /^DL\/T 645-2007/ }).check()
    await form.getByLabel('IP address or host name').fill('127.0.0.1')
    await form.getByLabel('Port', { exact: true }).fill(String(meters.port))
    await form.getByRole('button', { name: 'Test connection' }).click()
    await page.getByText('The gateway reaches this channel.').waitFor()
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectFits(page)
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.keyboard.press('Escape')
    await dialog(page).filter({ hasText: 'Discard unsaved changes?' }).getByRole('button', { name: 'Discard' }).click()
  })

  it('the frames of its channel show what is asked and answered, while they come', async () => {
    const { page } = at
    await visit(page, `/projectManagement/setProtocolPro?GatewayId=${gateway.Id}`)
    const row = pane(page).getByRole('row', { name: /Meter line/ })
    await row.hover()
    await row.getByRole('button', { name: 'Test connection' }).click()
    await page.getByText('The gateway reaches Meter line.').waitFor()
    await row.hover()
    await row.getByRole('button', { name: /^More actions/ }).click()
    await page.getByRole('menuitem', { name: 'Trace' }).click()
    const trace = dialog(page, 'Frames of Meter line')
    await trace.getByRole('button', { name: 'Start' }).click()
    await trace.getByText('read 00010000', { exact: false }).first().waitFor()
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectFits(page)
    await page.setViewportSize({ width: 1280, height: 800 })
    // Frames go on coming, and the dialog stays.
    const shown = await trace.locator('.trace li').count()
    await trace.locator('.trace li').nth(shown).waitFor()
    expect(at.browser.problems).toEqual([])
  })
})
