// The guide from nothing to live values, with every click counted.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startGateway } from '../../edge/agent.ts'
import { readSheet } from '../../server/files/sheetReader.ts'
import { writeSheet } from '../../server/files/xlsx.ts'
import { openFrontDoor, password, temporary } from '../front-door.ts'
import { startDevice } from '../modbus-device.ts'
import { callApi, dialog, expectAccessible, expectFits, journey, openBrowser, openSignedIn, pane } from './browser.ts'

const SN = 'MACHINE00001'
const start = '/projectManagement/gatewayManagement'

journey('a machine is connected', { target: start }, (at) => {
  let device: Awaited<ReturnType<typeof startDevice>>
  let edge: Awaited<ReturnType<typeof startGateway>> | undefined
  const sheets: string[] = []
  beforeAll(async () => {
    await (await openFrontDoor(at.penstock.origin)).ensureCompany()
    // The signed-in page learns of the company.
    await at.page.reload()
    device = await startDevice()
    device.setFloat(0, 42.5)
    const { Token } = await callApi<{ Token: string }>(at.penstock.origin, undefined, 'POST', '/Auth/Login', {
      UserNO: 'admin',
      Pwd: password,
    })
    const headers = { authorization: `Bearer ${Token}`, 'accept-language': 'en' }
    const template = await fetch(`${at.penstock.origin}/api/Project/DevPara/Template?Format=xlsx`, { headers })
    const [header, example] = await readSheet(Buffer.from(await template.arrayBuffer()))
    device.setFloat(10, 42.5)
    device.setFloat(20, 42.5)
    for (const Address of ['0', '10']) {
      const cells: Record<string, string | number> = { 'Point name': 'Pressure', Address, 'Polling interval': 200 }
      const sheet = join(temporary(), 'points.xlsx')
      writeFileSync(sheet, await writeSheet(header as string[], [example!.map((cell, i) => cells[String(header![i])] ?? cell)]))
      sheets.push(sheet)
    }
  })
  afterAll(async () => {
    await edge?.close()
    await device?.close()
  })

  /** Clicks of the mouse; a field that one has to go to is one. */
  let clicks = 0
  const click = async (name: RegExp, where = pane(at.page)) => {
    clicks++
    await where.getByRole('button', { name }).first().click()
  }
  const typeInto = async (label: string, text: string) => {
    const field = dialog(at.page).getByLabel(label, { exact: true })
    if (!(await field.evaluate((el) => el === document.activeElement))) {
      clicks++
      await field.click()
    }
    await field.fill(text)
  }
  /** The next form may open as this one closes. */
  const save = async () => {
    const title = (await dialog(at.page).locator('.ant-drawer-title').last().textContent())!
    await click(/^Save$/, dialog(at.page))
    await dialog(at.page).getByText(title, { exact: true }).waitFor({ state: 'hidden' })
  }
  const step = (name: string) =>
    pane(at.page)
      .locator('.connect-step')
      .filter({ has: at.page.getByRole('heading', { name }) })
  const deviceToValues = async (name: string, sheet: string) => {
    await click(/Add device$/)
    await typeInto('Device name', name)
    await save()
    await click(/Import$/, step('Points'))
    clicks++
    await at.page.locator('input[type=file]').setInputFiles(sheet)
    await dialog(at.page).getByText('1 to add').waitFor()
    await click(/^Import$/, dialog(at.page))
    await at.page.getByText('1 added').last().waitFor()
    await click(/Push configuration$/, step('Push'))
    await step('Live values').getByText('Values are arriving').waitFor()
    await expect
      .poll(() =>
        step('Live values')
          .getByRole('row', { name: /Pressure/ })
          .textContent(),
      )
      .toContain('42.5')
  }

  it('an empty tenant reaches live values in at most 20 clicks', async () => {
    await click(/Connect a machine$/)
    await click(/Add project$/)
    await typeInto('Project name', 'Station')
    await save()
    // The gateway's form follows automatically.
    await typeInto('Gateway name', 'Station gateway')
    await typeInto('Serial number (SN)', SN)
    await save()
    await at.page.getByText('The key is shown only once').waitFor()
    const key = /EDGE_KEY='?([\w-]{43})/.exec((await dialog(at.page).last().textContent()) ?? '')?.[1]
    await click(/I've saved the key/, dialog(at.page))
    await step('Gateway').getByText('Waiting for Station gateway to connect').waitFor()
    edge = await startGateway({ server: `mqtt://127.0.0.1:${at.penstock.mqttPort}`, sn: SN, key: key!, data: temporary() })
    await step('Gateway').getByText('Station gateway is online').waitFor()
    await click(/Add network channel$/)
    await typeInto('Channel name', 'PLC')
    await typeInto('IP address or host name', '127.0.0.1')
    await typeInto('Port', String(device.port))
    await save()
    // The device's form is open. After leaving and reopening, the guide continues at the same step.
    await dialog(at.page).getByLabel('Device name', { exact: true }).waitFor()
    await at.page.goto(`${at.penstock.origin}${start}?connect`)
    await step('Channel').getByText('PLC').first().waitFor()
    await expectAccessible(at.page)
    await deviceToValues('Pump 1', sheets[0]!)
    await expectFits(at.page)
    console.log(`gateway to values: ${clicks} clicks`)
    expect(clicks).toBeLessThanOrEqual(20)
  })

  it('takes at most 12 clicks if gateway and channel exist', async () => {
    await click(/Start over$/)
    clicks = 0
    await at.page.goto(`${at.penstock.origin}${start}`)
    await click(/Connect a machine$/)
    await step('Channel').getByText('PLC').first().waitFor()
    await deviceToValues('Pump 2', sheets[1]!)
    console.log(`device to values: ${clicks} clicks`)
    expect(clicks).toBeLessThanOrEqual(12)
    expect(at.browser.problems).toEqual([])
  })

  it('a device of a model takes its points from it, on a phone, in Spanish and dark', async () => {
    const door = await openFrontDoor(at.penstock.origin)
    const model = { ModelName: 'Booster', EnterpriseId: await door.ensureCompany() }
    const { Id: ModelId } = await door.data<{ Id: number }>('POST', '/ProModel/ProModel', model)
    await door.data('POST', '/ProModel/ModelPara', { ModelId, ParaName: 'Pressure', Address: '20', CollectPeriod: 200 })
    await door.data('POST', '/ProModel/ProModel/Publish', { Id: ModelId })
    const phone = await openBrowser(at.penstock.origin, { width: 390, height: 844, language: 'es', dark: true })
    const { page } = phone
    const form = () => dialog(page).last()
    await openSignedIn(page, at.penstock.origin, 'admin', password, `${start}?connect`)
    await pane(page)
      .getByRole('button', { name: /Añadir dispositivo/ })
      .click()
    await form().getByLabel('Nombre del dispositivo', { exact: true }).fill('Pump 3')
    await form()
      .getByLabel(/^Modelo/)
      .fill('Booster')
    await page.getByTitle('Booster').last().click()
    await form().getByRole('button', { name: 'Guardar' }).click()
    await form().waitFor({ state: 'hidden' })
    await expectAccessible(page)
    await expectFits(page)
    await pane(page).getByRole('button', { name: 'Aplicar modelo' }).click()
    await form().getByText('Pressure').first().waitFor()
    await expectFits(page)
    await form().getByRole('button', { name: 'Aplicar a dispositivos' }).click()
    await pane(page).getByRole('button', { name: 'Enviar configuración' }).click()
    await pane(page).getByText('Llegan valores').waitFor()
    expect(phone.problems).toEqual([])
    await phone.close()
  })
})
