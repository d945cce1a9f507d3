import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway } from '../../edge/agent.ts'
import { readSheet, writeSheet } from '../../server/files/xlsx.ts'
import { password, temporary } from '../house.ts'
import { startDevice } from '../modbus-device.ts'
import { browserPath, openBrowser, signIn, startPenstock, why } from './browser.ts'

describe.skipIf(!browserPath)(`an engineer brings a device to the screen${why}`, () => {
  let penstock: Awaited<ReturnType<typeof startPenstock>>
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let device: Awaited<ReturnType<typeof startDevice>>
  let edge: Awaited<ReturnType<typeof startGateway>> | undefined
  let page: Page
  beforeAll(async () => {
    penstock = await startPenstock({ PENSTOCK_DEMO: 'off', PENSTOCK_ADMIN_PASSWORD: password })
    device = await startDevice()
    device.setFloat(0, 42.5)
    browser = await openBrowser(penstock.origin)
    page = browser.page
    await signIn(page, penstock.origin, 'admin', password, '/projectManagement/projectConfig')
  })
  afterAll(async () => {
    await edge?.close()
    await device?.close()
    await browser?.close()
    await penstock?.close()
  })

  const choose = async (label: string, option: string) => {
    await page
      .getByRole('dialog')
      .getByLabel(new RegExp(`^${label}`))
      .click()
    await page.locator('.ant-select-dropdown:visible').getByText(option, { exact: true }).click()
  }
  const save = async () => {
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  }
  const field = (label: string) => page.getByRole('dialog').getByLabel(label, { exact: true })

  it('makes a project and a gateway, and is shown its key once', async () => {
    await page.getByRole('button', { name: 'Add project' }).first().click()
    await field('Project name').fill('Pumping station')
    await save()
    await page.getByText('Pumping station').first().waitFor()

    await page.getByRole('menuitem', { name: 'Gateways' }).click()
    await page.getByRole('button', { name: 'Add gateway' }).first().click()
    await field('Gateway name').fill('Station gateway')
    await field('Serial number (SN)').fill('not a number')
    await choose('Project', 'Pumping station')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').getByText('8 to 32 capital letters and digits.').waitFor()
    await field('Serial number (SN)').fill('STATION00001')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('The key is shown only now').waitFor()
    const key = /EDGE_KEY='?([\w-]{43})/.exec((await page.getByRole('dialog').last().textContent()) ?? '')?.[1]
    expect(key).toBeTruthy()
    edge = await startGateway({ server: `mqtt://127.0.0.1:${penstock.mqttPort}`, sn: 'STATION00001', key: key!, data: temporary() })
    await page.getByRole('button', { name: 'I have kept the key' }).click()
    await expect.poll(() => page.locator('main').textContent(), { timeout: 15_000 }).toContain('Online')
  })

  it('adds channel, device and points, the points from a sheet whose wrong cells are named', async () => {
    await page.getByRole('link', { name: 'Station gateway' }).click()
    await page.getByRole('tab', { name: 'Channels' }).click()
    await page.getByRole('button', { name: 'Add network channel' }).first().click()
    await field('Channel name').fill('PLC')
    await field('IP address or host name').fill('127.0.0.1')
    await field('Port').fill(String(device.port))
    await save()
    await page.getByRole('tab', { name: 'Devices' }).click()
    await page.getByRole('button', { name: 'Add device' }).first().click()
    await field('Device name').fill('Pump 1')
    await choose('Network channel', 'PLC')
    await save()
    await page.getByRole('link', { name: 'Pump 1' }).click()

    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Sheet' }).click()
    await page.getByRole('menuitem', { name: 'Empty template' }).click()
    const template = join(temporary(), 'points.xlsx')
    await (await downloading).saveAs(template)
    const [header, example] = await readSheet(readFileSync(template))
    const at = (name: string) => header!.indexOf(name)
    const row = (name: string, address: string, more: Record<string, string | number> = {}) =>
      example!.map((cell, i) =>
        i === at('Parameter name')
          ? name
          : i === at('Address')
            ? address
            : i === at('Collection period')
              ? 200
              : (more[String(header![i])] ?? cell),
      )
    const wrong = join(temporary(), 'wrong.xlsx')
    writeFileSync(wrong, await writeSheet(header as string[], [row('Pressure', '70000')]))
    const right = join(temporary(), 'right.xlsx')
    writeFileSync(
      right,
      await writeSheet(header as string[], [
        row('Pressure', '0', { 'High limit': 90 }),
        row('Set point', '10', { 'Read/write': 'Read and write' }),
      ]),
    )
    await page.getByRole('button', { name: 'Sheet' }).click()
    await page.getByRole('menuitem', { name: 'Import' }).click()
    await page.locator('input[type=file]').setInputFiles(wrong)
    await page
      .getByRole('dialog')
      .getByRole('row', { name: /2.*Address/ })
      .waitFor()
    await page.locator('input[type=file]').setInputFiles(right)
    await page.getByText(/2 added, 0 changed/).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('row', { name: /Set point/ }).waitFor()
  })

  it('pushes the configuration and sees the value', async () => {
    await page.goto(`${penstock.origin}/projectManagement/gatewayManagement`)
    await page.getByRole('link', { name: 'Station gateway' }).click()
    await page
      .locator('.pane:visible')
      .getByRole('button', { name: /Push configuration$/ })
      .click()
    const push = page.getByRole('dialog').getByRole('button', { name: /^Push/ })
    if (await push.isVisible()) await push.click()
    await page.getByText('The gateway works with the new configuration.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menuitem', { name: 'Real-time data' }).click()
    const row = page.getByRole('row', { name: /Pressure/ })
    await expect.poll(() => row.textContent(), { timeout: 15_000 }).toContain('42.5')
    device.setFloat(0, 43.25)
    await expect.poll(() => row.textContent(), { timeout: 15_000 }).toContain('43.25')
  })

  it('writes a value, with a confirmation that names point and value', async () => {
    await page
      .getByRole('row', { name: /Set point/ })
      .getByRole('button', { name: /Write/ })
      .click()
    await page.getByRole('dialog').getByRole('spinbutton').fill('12.5')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Continue|Write/ })
      .click()
    await page
      .getByText(/Write 12.50?.* to “Set point” of Pump 1\?/)
      .first()
      .waitFor()
    await page
      .getByRole('button', { name: /^Write 12.5/ })
      .last()
      .click()
    await page.getByText(/The gateway has written 12.5/).waitFor()
    expect(device.writes.length).toBe(1)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  })

  it('sees the alarm by itself, acknowledges and handles it', async () => {
    await page.getByRole('menuitem', { name: 'Alarms' }).click()
    device.setFloat(0, 95)
    const row = page.getByRole('row', { name: /Pressure/ }).first()
    await row.waitFor()
    await row.getByRole('button', { name: 'Acknowledge' }).click()
    await expect.poll(() => row.textContent(), { timeout: 15_000 }).toContain('acknowledged')
    await row.getByRole('button', { name: 'Handle' }).click()
    await page.getByRole('dialog').getByRole('textbox').fill('Valve opened')
    await page.getByRole('dialog').getByRole('button', { name: 'Handle' }).click()
    await expect.poll(() => row.textContent(), { timeout: 15_000 }).toContain('still standing')
    device.setFloat(0, 50)
    await page.getByText('No active alarms.').waitFor()
  })

  it('learns why a device is silent', async () => {
    await device.close()
    await page.getByRole('menuitem', { name: 'Devices' }).click()
    await page.getByRole('link', { name: 'Pump 1' }).click()
    await page.getByRole('tab', { name: /Why/ }).click()
    await expect.poll(() => page.locator('main').textContent(), { timeout: 30_000 }).toContain('has stopped answering on channel PLC')
    expect(browser.problems).toEqual([])
  })
})
