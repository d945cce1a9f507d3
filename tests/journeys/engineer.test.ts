import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startGateway } from '../../edge/agent.ts'
import { readSheet } from '../../server/files/sheetReader.ts'
import { writeSheet } from '../../server/files/xlsx.ts'
import { openFrontDoor, temporary } from '../front-door.ts'
import { startDevice } from '../modbus-device.ts'
import { dialog, downloaded, journey, pane } from './browser.ts'

journey('an engineer brings a device to the screen', { target: '/projectManagement/projectConfig' }, (at) => {
  let device: Awaited<ReturnType<typeof startDevice>>
  let edge: Awaited<ReturnType<typeof startGateway>> | undefined
  beforeAll(async () => {
    await (await openFrontDoor(at.penstock.origin)).ensureCompany()
    // The signed-in page learns of the company.
    await at.page.reload()
    device = await startDevice()
    device.setFloat(0, 42.5)
  })
  afterAll(async () => {
    await edge?.close()
    await device?.close()
  })

  const choose = async (label: string, option: string) => {
    await dialog(at.page)
      .getByLabel(new RegExp(`^${label}`))
      .click()
    await at.page.locator('.ant-select-dropdown:visible').getByText(option, { exact: true }).click()
  }
  const save = async () => {
    await dialog(at.page).getByRole('button', { name: 'Save' }).click()
    await dialog(at.page).waitFor({ state: 'hidden' })
  }
  const field = (label: string) => dialog(at.page).getByLabel(label, { exact: true })

  it('makes a project and a gateway, and is shown its key once', async () => {
    await pane(at.page).getByRole('button', { name: 'Add project' }).first().click()
    await field('Project name').fill('Pumping station')
    await save()
    await at.page.getByText('Pumping station').first().waitFor()

    await at.page.getByRole('menuitem', { name: 'Gateways' }).click()
    await pane(at.page).getByRole('button', { name: 'Add gateway' }).first().click()
    await field('Gateway name').fill('Station gateway')
    await field('Serial number (SN)').fill('not a number')
    await choose('Project', 'Pumping station')
    await dialog(at.page).getByRole('button', { name: 'Save' }).click()
    await dialog(at.page).getByText('8 to 32 capital letters and digits.').waitFor()
    await field('Serial number (SN)').fill('STATION00001')
    await dialog(at.page).getByRole('button', { name: 'Save' }).click()
    await at.page.getByText('The key is shown only once').waitFor()
    const key = /EDGE_KEY='?([\w-]{43})/.exec((await dialog(at.page).last().textContent()) ?? '')?.[1]
    expect(key).toBeTruthy()
    edge = await startGateway({ server: `mqtt://127.0.0.1:${at.penstock.mqttPort}`, sn: 'STATION00001', key: key!, data: temporary() })
    await dialog(at.page).getByRole('button', { name: "I've saved the key" }).click()
    await expect.poll(() => pane(at.page).textContent(), { timeout: 60_000 }).toContain('Online')
  })

  it('changes the gateway, which goes on with its key', async () => {
    const resets: string[] = []
    at.page.on('request', (request) => {
      if (/ResetKey/i.test(request.url())) resets.push(request.url())
    })
    await pane(at.page)
      .getByRole('row', { name: /Station gateway/ })
      .locator('[aria-haspopup=menu]')
      .click()
    await at.page.getByRole('menuitem', { name: 'Edit' }).click()
    await dialog(at.page).getByLabel('Remark').fill('At the inlet')
    await save()
    expect(resets).toEqual([])
    expect(await at.page.getByText('The key is shown only once').count()).toBe(0)
  })

  it('adds channel, device and points, the points from a sheet whose wrong cells are named', async () => {
    await pane(at.page).getByRole('link', { name: 'Station gateway' }).click()
    await pane(at.page).getByRole('tab', { name: 'Channels' }).click()
    await pane(at.page).getByRole('button', { name: 'Add network channel' }).first().click()
    await field('Channel name').fill('PLC')
    await field('IP address or host name').fill('127.0.0.1')
    await field('Port').fill(String(device.port))
    await save()
    await pane(at.page).getByRole('tab', { name: 'Devices' }).click()
    await pane(at.page).getByRole('button', { name: 'Add device' }).first().click()
    await field('Device name').fill('Pump 1')
    await choose('Network channel', 'PLC')
    await save()
    await pane(at.page).getByRole('link', { name: 'Pump 1' }).click()
    await pane(at.page).getByRole('tab', { name: 'Points' }).click()

    // The gateway's devices, which are still there for a moment, have such a button too.
    const points = pane(at.page).getByRole('region', { name: 'Point', exact: true })
    await points.getByRole('button', { name: /Import$/ }).click()
    const saved = await downloaded(at.page, () => dialog(at.page).getByRole('button', { name: '.xlsx' }).click())
    const template = join(temporary(), 'points.xlsx')
    await saved.saveAs(template)
    const [header, example] = await readSheet(readFileSync(template))
    const column = (name: string) => header!.indexOf(name)
    const row = (name: string, address: string, more: Record<string, string | number> = {}) =>
      example!.map((cell, i) =>
        i === column('Point name')
          ? name
          : i === column('Address')
            ? address
            : i === column('Polling interval')
              ? 200
              : (more[String(header![i])] ?? cell),
      )
    const wrong = join(temporary(), 'wrong.xlsx')
    writeFileSync(wrong, await writeSheet(header as string[], [row('Pressure', '70000', { Register: '5x nonsense' })]))
    const right = join(temporary(), 'right.xlsx')
    writeFileSync(
      right,
      await writeSheet(header as string[], [
        row('Pressure', '0', { 'High limit': 90 }),
        row('Set point', '10', { 'Read/write': 'Read and write' }),
      ]),
    )
    await at.page.locator('input[type=file]').setInputFiles(wrong)
    await dialog(at.page).getByText('Nothing was imported').waitFor()
    const letter = (name: string) => String.fromCharCode(65 + column(name))
    const error = (name: string) => dialog(at.page).getByRole('row', { name: new RegExp(`^${letter(name)}2 ${name}`) })
    expect(await error('Address').textContent()).toContain('70000')
    expect(await error('Register').textContent()).toContain('“5x nonsense” is not a valid choice. Use 0x coil, 1x discrete input,')
    await at.page.locator('input[type=file]').setInputFiles(right)
    await dialog(at.page)
      .getByText(/2 to add/)
      .waitFor()
    // A row is a line, and the button is in sight.
    const lines = dialog(at.page).locator('tbody tr.ant-table-row')
    expect(Math.max(...(await lines.evaluateAll((all) => all.map((el) => el.clientHeight))))).toBeLessThan(60)
    await lines
      .first()
      .getByRole('button', { name: /^\+\d+ more fields$/ })
      .click()
    await lines.first().getByText('High limit:').waitFor()
    await dialog(at.page).getByRole('button', { name: 'Import', exact: true }).click()
    await at.page.getByText(/2 added, 0 updated/).waitFor()
    await dialog(at.page).waitFor({ state: 'hidden' })
    await pane(at.page)
      .getByRole('row', { name: /Set point/ })
      .waitFor()
  })

  it('reads each column of the point table below its own head, however far he has scrolled', async () => {
    await at.page.setViewportSize({ width: 1100, height: 900 })
    const table = pane(at.page).locator('.point-table')
    const edges = (cells: string) =>
      table.locator(cells).evaluateAll((all) =>
        all
          .map((cell) => cell.getBoundingClientRect())
          .map(({ left, right }) => [Math.round(left), Math.round(right)] as const)
          .sort(([a], [b]) => a - b),
      )
    const [heads, body] = ['thead > tr:last-child > th, thead > tr:first-child > th[rowspan]', 'tbody > .ant-table-row:last-child > td']
    // The head takes the widths of the body once the body has them.
    const inLine = () => expect.poll(async () => String(await edges(heads)) === String(await edges(body)), { timeout: 60_000 }).toBe(true)
    await inLine()
    const started = await edges(body)
    expect(started.length).toBeGreaterThan(10)
    await table.locator('.ant-table-body').evaluate((scroller) => {
      scroller.scrollLeft = scroller.scrollWidth
    })
    await inLine()
    expect(await edges(body)).not.toEqual(started)
    await at.page.setViewportSize({ width: 1440, height: 900 })
  })

  it('sees on the device page that nothing is pushed, pushes from "Why is there no data?", and sees the value', async () => {
    const bar = pane(at.page).getByText('The configuration has never been pushed to Station gateway.')
    await bar.waitFor()
    await pane(at.page).getByRole('tab', { name: /Why/ }).click()
    const stages = pane(at.page).locator('.why')
    await stages.getByText('Stops here').waitFor()
    expect(await stages.getByText('Stops here').count()).toBe(1)
    await stages.getByRole('button', { name: 'Push', exact: true }).first().click()
    await at.page.getByText('The gateway is running the new configuration.').waitFor()
    await bar.waitFor({ state: 'hidden' })
    await at.page.getByRole('menuitem', { name: 'Live values' }).click()
    const row = pane(at.page).getByRole('row', { name: /Pressure/ })
    await expect.poll(() => row.textContent(), { timeout: 60_000 }).toContain('42.5')
    device.setFloat(0, 43.25)
    await expect.poll(() => row.textContent(), { timeout: 60_000 }).toContain('43.25')
  })

  it('writes a value, with a confirmation that names point and value', async () => {
    await pane(at.page)
      .getByRole('row', { name: /Set point/ })
      .getByRole('button', { name: /Write/ })
      .click()
    await dialog(at.page).getByRole('spinbutton').fill('12.5')
    await dialog(at.page)
      .getByRole('button', { name: /Continue|Write/ })
      .click()
    await at.page
      .getByText(/Write 12.50?.* to “Set point” of Pump 1\?/)
      .first()
      .waitFor()
    await at.page
      .getByRole('button', { name: /^Write 12.5/ })
      .last()
      .click()
    await at.page.getByText(/12.5.* written and read back/).waitFor()
    expect(device.writes.length).toBe(1)
    await at.page.keyboard.press('Escape')
    await dialog(at.page).waitFor({ state: 'hidden' })
  })

  it('sees the alarm by itself, acknowledges and handles it', async () => {
    await at.page.getByRole('menuitem', { name: 'Alarms', exact: true }).click()
    device.setFloat(0, 95)
    const row = pane(at.page)
      .getByRole('row', { name: /Pressure/ })
      .first()
    await row.waitFor()
    await row.getByRole('button', { name: 'Acknowledge' }).click()
    await expect.poll(() => row.textContent(), { timeout: 60_000 }).toContain('acknowledged')
    await row.getByRole('button', { name: 'Handle' }).click()
    await dialog(at.page).getByRole('textbox').fill('Valve opened')
    await dialog(at.page).getByRole('button', { name: 'Handle' }).click()
    await expect.poll(() => row.textContent(), { timeout: 60_000 }).toContain('still active')
    device.setFloat(0, 50)
    await at.page.getByText('No active alarms.').waitFor()
  })

  it('learns why a device is silent', async () => {
    await device.close()
    await at.page.getByRole('menuitem', { name: 'Devices', exact: true }).click()
    await pane(at.page).getByRole('link', { name: 'Pump 1' }).click()
    await pane(at.page).getByRole('tab', { name: /Why/ }).click()
    await expect.poll(() => pane(at.page).textContent(), { timeout: 60_000 }).toContain('has stopped answering on channel PLC')
    const stages = pane(at.page).locator('.why')
    expect(await stages.getByText('Stops here').count()).toBe(1)
    await stages.getByRole('button', { name: 'Open channel' }).click()
    await pane(at.page).getByRole('row', { name: /PLC/ }).getByRole('button', { name: /^Edit/ }).click()
    await field('Port').fill('1502')
    await save()
    await at.page.goBack()
    // What is changed says so, and is pushed from here.
    await pane(at.page).getByText('1 change has not been pushed to Station gateway yet.').waitFor()
    await pane(at.page).getByRole('button', { name: 'Push configuration' }).click()
    await pane(at.page).getByText('1 change has not been pushed to Station gateway yet.').waitFor({ state: 'hidden' })
    expect(at.browser.problems).toEqual([])
  })
})
