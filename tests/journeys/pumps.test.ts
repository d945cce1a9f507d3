// An empty company to twenty live pumps, by keyboard and paste alone.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startGateway } from '../../edge/agent.ts'
import { openFrontDoor, temporary } from '../front-door.ts'
import { startDevice } from '../modbus-device.ts'
import { dialog, journey, pane } from './browser.ts'
import { byKeyboard } from './byKeyboard.ts'

const pumps = 20
/** s that a person takes for a key, with the thought before it. */
const perKey = 0.4
const block = [
  'Name\tAddr\tUnits\tHigh alarm\tScan rate',
  ...['Speed\trpm\t3000', 'Power\tkW\t90', 'Flow\tm³/h\t', 'Pressure\tbar\t16'].map((line, i) => {
    const [name, unit, limit] = line.split('\t')
    return [name, String(i * 2), unit, limit, '500'].join('\t')
  }),
].join('\n')

journey('twenty pumps', { company: true, target: '/projectManagement/projectConfig' }, (at) => {
  let device: Awaited<ReturnType<typeof startDevice>>
  let edge: Awaited<ReturnType<typeof startGateway>> | undefined
  beforeAll(async () => {
    device = await startDevice()
    for (let i = 0; i < 4; i++) device.setFloat(i * 2, 10 + i)
  })
  afterAll(async () => {
    await edge?.close()
    await device?.close()
  })

  it('live within ten minutes at the pace of a person, without a mouse', async () => {
    const { page } = at
    const { goTo: find, tabTo, type, enter, press, choose } = byKeyboard(page)
    await pane(page).getByRole('button', { name: 'Add project' }).first().waitFor()
    let searched = 0
    /** The palette is filled in one step, because keystrokes count as well. */
    const goTo = (text: string, option: string) => {
      searched += text.length
      return find(text, option)
    }
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const keys = await page.evaluateHandle(() => {
      const count = { keys: 0 }
      document.addEventListener('keydown', () => count.keys++, true)
      return count
    })
    const from = performance.now()
    const save = async () => {
      await tabTo('Save', 'button')
      await enter()
    }
    await goTo('add project', 'Add project')
    await dialog(page).getByLabel('Project name', { exact: true }).waitFor()
    await type('Pumping station')
    await save()
    await dialog(page).waitFor({ state: 'hidden' })
    await goTo('add gateway', 'Add gateway')
    await dialog(page).getByLabel('Gateway name', { exact: true }).waitFor()
    await type('Station gateway')
    await tabTo(/^Serial number/, 'textbox')
    await type('PUMPS0000001')
    await choose('Project', 'Pumping station')
    await save()
    await page.getByText('The key is shown only once').waitFor()
    const key = /EDGE_KEY='?([\w-]{43})/.exec((await dialog(page).last().textContent()) ?? '')?.[1]
    edge = await startGateway({ server: `mqtt://127.0.0.1:${at.penstock.mqttPort}`, sn: 'PUMPS0000001', key: key!, data: temporary() })
    await tabTo("I've saved the key", 'button')
    await enter()
    await tabTo(/Connect a machine$/, 'button')
    await enter()
    await pane(page)
      .getByRole('button', { name: /Add network channel$/ })
      .waitFor()
    await tabTo(/Add network channel$/, 'button')
    await enter()
    await dialog(page).getByLabel('Channel name', { exact: true }).waitFor()
    await type('PLC')
    await tabTo(/^IP address/, 'textbox')
    await type('127.0.0.1')
    await tabTo(/^Port/, 'spinbutton')
    await press('Control+a')
    await type(String(device.port))
    await save()
    await dialog(page).getByLabel('Device name', { exact: true }).waitFor()
    await press('Escape')
    await dialog(page).waitFor({ state: 'hidden' })

    await goTo('devices', 'Devices')
    await tabTo('Device models', 'link')
    await enter()
    await pane(page)
      .getByRole('button', { name: /Add device model$/ })
      .first()
      .waitFor()
    await tabTo(/Add device model$/, 'button')
    await enter()
    await dialog(page).getByLabel('Model', { exact: true }).waitFor()
    await type('Pump P-100')
    await save()
    await dialog(page).waitFor({ state: 'hidden' })
    await pane(page).getByRole('link', { name: 'Pump P-100' }).waitFor()
    await tabTo('Pump P-100', 'link')
    await enter()
    await pane(page).getByRole('button', { name: 'Edit as a spreadsheet' }).waitFor()
    await tabTo(/Edit as a spreadsheet$/, 'button')
    await enter()
    await pane(page).getByText('Paste cells with Ctrl+V', { exact: false }).waitFor()
    await page.evaluate((text) => navigator.clipboard.writeText(text), block)
    await press('Control+v')
    await pane(page).getByRole('button', { name: 'Save 4 rows' }).waitFor()
    await tabTo('Save 4 rows', 'button', 'Shift+Tab')
    await enter()
    await page.getByText('4 rows are saved.').waitFor()
    await tabTo(/Publish$/, 'button', 'Shift+Tab')
    await enter()
    await dialog(page, 'Publish version 1 of Pump P-100?').waitFor()
    await tabTo('Publish', 'button')
    await enter()
    await pane(page).getByText('Version 1', { exact: true }).waitFor()

    await goTo('devices', 'Devices')
    await pane(page)
      .getByRole('button', { name: /Add several devices$/ })
      .waitFor()
    await tabTo(/Add several devices$/, 'button')
    await enter()
    // The only gateway and its only channel are chosen.
    await dialog(page).getByText('PLC').waitFor()
    await tabTo(/^Names/, 'textbox')
    await type(`Pump {1..${pumps}}`)
    await choose('Model', 'Pump P-100')
    await dialog(page)
      .getByRole('button', { name: `Add ${pumps} devices`, disabled: false })
      .waitFor()
    await tabTo(`Add ${pumps} devices`, 'button')
    await enter()
    await dialog(page).waitFor({ state: 'hidden' })

    await goTo('gateways', 'Gateways')
    await pane(page)
      .getByRole('row', { name: /Station gateway/ })
      .getByText('Online')
      .waitFor()
    await tabTo(/^Push/, 'button')
    await enter()
    await dialog(page).getByRole('button', { name: /^Push/ }).waitFor()
    await tabTo(/^Push/, 'button')
    await enter()
    await page.getByText('The gateway is running the new configuration.').waitFor()

    const door = await openFrontDoor(at.penstock.origin)
    const online = () => door.data<{ TotalCount: number }>('GET', '/Project/Device/List?Status=1&PageSize=1')
    await expect.poll(async () => (await online()).TotalCount, { timeout: 60_000 }).toBe(pumps)
    const pressed = searched + (await keys.evaluate((count) => count.keys))
    const seconds = (performance.now() - from) / 1000
    console.log(
      `twenty pumps: ${pressed} keys, ${Math.round(seconds)} s by the script, ${Math.round(pressed * perKey + seconds)} s at a person's pace`,
    )
    expect(pressed * perKey + seconds).toBeLessThan(600)
    expect(at.browser.problems).toEqual([])
  })
})
