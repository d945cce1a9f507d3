// Tasks of docs/console-tasks.md, walked by keyboard alone.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { startGateway } from '../../edge/agent.ts'
import { startGateway as startEdge } from '../../edge/agent.ts'
import { openFrontDoor, temporary } from '../front-door.ts'
import { startDevice } from '../modbus-device.ts'
import { dialog, downloaded, journey, pane, visit } from './browser.ts'
import { byKeyboard } from './byKeyboard.ts'

journey('by keyboard alone, in a plant', { env: { PENSTOCK_DEMO_HISTORY: '1' } }, (at) => {
  it('draws a trend and downloads it', async () => {
    const { page } = at
    const { goTo, hasHeading, tabTo, type, enter, press } = byKeyboard(page)
    await pane(page).getByRole('heading', { name: 'Home' }).waitFor()
    await goTo('trends', 'Trends')
    await hasHeading('Trends')
    await pane(page).getByRole('button', { name: 'Chlorine dosing · Free chlorine' }).waitFor()
    await tabTo('Clear all', 'button')
    await enter()
    for (const name of ['Outlet pressure', 'Header pressure']) {
      await type(name)
      // Enter takes the option that is marked; on a slow screen that is a moment later than it is listed.
      await page.locator('.ant-select-item-option-active').filter({ hasText: name, visible: true }).waitFor()
      await enter()
    }
    await press('Escape')
    for (const name of ['Outlet and tower · Outlet pressure', 'High service pumps · Header pressure'])
      await pane(page).getByRole('button', { name }).waitFor()
    await tabTo(/Download data \(CSV\)$/, 'button', 'Shift+Tab')
    expect((await downloaded(page, enter)).suggestedFilename()).toMatch(/^trend-outlet-and-tower-high-service-pumps/)
  })

  it('adds a person with a role', async () => {
    const { page } = at
    const { goTo, tabTo, type, enter, choose, focused } = byKeyboard(page)
    await goTo('add user', 'Add user')
    await dialog(page).getByRole('textbox', { name: 'Account', exact: true }).and(focused).waitFor()
    await type('olga')
    await tabTo('Name', 'textbox')
    await type('Olga')
    await choose('Role', 'Operator')
    await dialog(page)
      .getByText(/^Olga can sign in and sees/)
      .waitFor()
    await tabTo('Save', 'button')
    await enter()
    await page.getByTestId('one-time-password').waitFor()
    await tabTo("I've saved it", 'button')
    await enter()
    await pane(page).getByRole('row', { name: /olga/ }).waitFor()
  })
})

journey('by keyboard alone, with a gateway and a channel', { company: true }, (at) => {
  let device: Awaited<ReturnType<typeof startDevice>>
  let edge: Awaited<ReturnType<typeof startGateway>>
  const sheet = join(temporary(), 'points.csv')
  beforeAll(async () => {
    device = await startDevice()
    device.setFloat(0, 42.5)
    const door = await openFrontDoor(at.penstock.origin)
    const { SN, Key } = await door.newGateway('KEYBOARD0001', device.port)
    edge = await startEdge({ server: `mqtt://127.0.0.1:${at.penstock.mqttPort}`, sn: SN, key: Key, data: temporary() })
    const headers = { authorization: `Bearer ${door.admin}`, 'accept-language': 'en' }
    const template = await fetch(`${at.penstock.origin}/api/Project/DevPara/Template?Format=csv`, { headers })
    const [header = '', example = ''] = (await template.text()).replace('\uFEFF', '').split(/\r?\n/)
    writeFileSync(sheet, `${header}\n${example}\n`)
    await at.page.reload()
  })
  afterAll(async () => {
    await edge?.close()
    await device?.close()
  })

  it('connects a machine with the guide', async () => {
    const { page } = at
    const { tabTo, type, enter, press, focused } = byKeyboard(page)
    await visit(page, '/projectManagement/gatewayManagement')
    await pane(page)
      .getByRole('row', { name: /KEYBOARD0001/ })
      .waitFor()
    await tabTo(/Connect a machine$/, 'button')
    await enter()
    await pane(page).getByText('Network').first().waitFor()
    await tabTo(/Add device$/, 'button')
    await enter()
    await dialog(page).getByLabel('Device name', { exact: true }).and(focused).waitFor()
    await type('Pump 1')
    await tabTo('Save', 'button')
    await enter()
    await dialog(page).waitFor({ state: 'hidden' })
    await pane(page)
      .getByRole('button', { name: /Import$/ })
      .waitFor()
    await tabTo(/Import$/, 'button')
    await enter()
    await dialog(page).waitFor()
    const chosen = page.waitForEvent('filechooser')
    for (let i = 0; i < 10 && !(await page.locator('.ant-upload:focus').count()); i++) await press('Tab')
    await enter()
    await (await chosen).setFiles(sheet)
    await dialog(page).getByText('1 to add').waitFor()
    await tabTo(/^Import$/, 'button')
    await enter()
    await page.getByText('1 added').last().waitFor()
    await tabTo(/Push configuration$/, 'button')
    await enter()
    await pane(page).getByText('Values are arriving').waitFor()
  })

  it('learns why a device has no data, and pushes', async () => {
    const { page } = at
    const { goTo, tabTo, enter, press, focused } = byKeyboard(page)
    const { data } = await openFrontDoor(at.penstock.origin)
    const [channel] = (await data<{ Items: { Id: number; GatewayId: number }[] }>('GET', '/Project/Protocol/NetProtocol/List')).Items
    const on = { GatewayId: channel!.GatewayId, NetProtocolId: channel!.Id }
    const { Id: DeviceId } = await data('POST', '/Project/Device', { DeviceName: 'Booster', SlaveNumber: 2, ...on })
    await data('POST', '/Project/DevPara', { DeviceId, ParaName: 'Flow', Address: '0', SlaveNumber: 2 })
    await goTo('Booster', 'Booster')
    await pane(page).getByRole('heading', { name: 'Booster' }).and(focused).waitFor()
    await tabTo(/./, 'tab')
    for (
      let i = 0;
      i < 8 &&
      !(await page
        .getByRole('tab', { name: /Why no data/ })
        .and(focused)
        .count());
      i++
    )
      await press('ArrowRight')
    await enter()
    await pane(page).locator('.why').getByText('Stops here').waitFor()
    await tabTo('Push', 'button')
    await enter()
    await page.getByText('The gateway is running the new configuration.').waitFor()
    await dialog(page).waitFor({ state: 'hidden' })
  })

  it('changes the language', async () => {
    const { page } = at
    const { tabTo, enter, press, focused } = byKeyboard(page)
    await tabTo('Language', 'button', 'Shift+Tab')
    await enter()
    const spanish = page.getByRole('menuitem', { name: 'Español' })
    await page.getByRole('menuitem').and(focused).waitFor()
    // The focus follows the key a moment later.
    await expect.poll(async () => (await spanish.and(focused).count()) > 0 || (await press('ArrowDown'))).toBe(true)
    await enter()
    await page.getByRole('menuitem', { name: 'Alarmas', exact: true }).waitFor()
  })
})
