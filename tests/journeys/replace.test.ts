// A gateway is struck by lightning: a spare from the stock takes over, and the day's curve goes on.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startGateway } from '../../edge/agent.ts'
import { openFrontDoor, temporary, until } from '../front-door.ts'
import { startDevice } from '../modbus-device.ts'
import { dialog, expectAccessible, expectFits, journey, pane, visit } from './browser.ts'

const [struck, spare, third] = ['STRUCK000001', 'SPARE0000001', 'SPARE0000002']

journey('a gateway is replaced from the stock', { company: true }, (at) => {
  let door: Awaited<ReturnType<typeof openFrontDoor>>
  let device: Awaited<ReturnType<typeof startDevice>>
  let edge: Awaited<ReturnType<typeof startGateway>> | undefined
  let plant: Awaited<ReturnType<typeof door.newGateway>>
  let point: number
  let link: string
  const codes = new Map<string, string>()
  const start = (sn: string, key: string) =>
    startGateway({ server: `mqtt://127.0.0.1:${at.penstock.mqttPort}`, sn, key, data: temporary() })
  const row = () =>
    door.data<{ SN: string | null; OnlineStatus: number; ConfigStatus: number }>('GET', `/Project/Gateway?Id=${plant.gateway}`)
  const values = async () => {
    const now = Date.now()
    const body = { ParaIds: [point], Start: now - 3_600_000, End: now + 60_000 }
    const answer = await door.data('POST', '/DataCenter/ReportData/Data', body)
    return new Set(JSON.stringify(answer).match(/\b(11|22)\.5\b/g))
  }
  beforeAll(async () => {
    door = await openFrontDoor(at.penstock.origin)
    device = await startDevice()
    device.setFloat(0, 11.5)
    plant = await door.newGateway(struck, device.port)
    const more = { CollectPeriod: 200 }
    point = (await door.data('POST', '/Project/DevPara', { DeviceId: plant.device, ParaName: 'Pressure', Address: '0', ...more })).Id
    edge = await start(struck, plant.Key)
    await door.online(plant.gateway)
    expect(await door.push(plant.gateway)).toMatchObject({ Code: 0 })
    await until('the first values', async () => (await values()).has('11.5'))
    await at.page.reload()
  })
  afterAll(async () => {
    await edge?.close()
    await device?.close()
  })

  it('spares enter the stock, and their codes are shown once as labels', async () => {
    const { page } = at
    await visit(page, '/productSeries/gatewaySN')
    await pane(page)
      .getByRole('button', { name: /Add gateway in stock/ })
      .first()
      .click()
    const sheet = { name: 'spares.csv', mimeType: 'text/csv', buffer: Buffer.from(`SN;Code\n${spare};\n${third};\n`) }
    await dialog(page).locator('input[type=file]').setInputFiles(sheet)
    await expect.poll(() => dialog(page).getByLabel('Serial numbers').inputValue()).toBe(`${spare}\n${third}`)
    await dialog(page).getByRole('button', { name: 'Add 2 gateways' }).click()
    const labels = dialog(page, 'Codes for the labels')
    await labels.getByText('These codes are shown only once.').waitFor()
    await expectAccessible(page)
    for (const sn of [spare, third]) codes.set(sn, (await labels.locator('li').filter({ hasText: sn }).locator('strong').textContent())!)
    link = `/projectManagement/gatewayManagement?bind#${new URLSearchParams({ sn: third, code: codes.get(third)! })}`
    await labels.getByRole('button', { name: "I've saved the codes" }).click()
    await pane(page).getByRole('row').filter({ hasText: spare }).getByText('In stock').waitFor()
    await expectFits(page)
  })

  it('the spare takes over, and the curve of the day goes on', async () => {
    const { page } = at
    await edge!.close()
    device.setFloat(0, 22.5)
    await visit(page, `/projectManagement/gatewayPreView?Id=${plant.gateway}`)
    await pane(page)
      .getByRole('button', { name: /^More actions/ })
      .first()
      .click()
    await page.getByRole('menuitem', { name: 'Replace' }).click()
    const form = dialog(page, `Replace ${struck}`)
    await form.getByLabel('Serial number (SN)').fill(spare)
    await form.getByLabel('Code').fill('WRONG222')
    await form.getByRole('button', { name: 'Replace' }).click()
    await form.getByText('No gateway can be bound with this serial number and code.').waitFor()
    await expectAccessible(page)
    await form.getByLabel('Code').fill(codes.get(spare)!)
    await form.getByRole('button', { name: 'Replace' }).click()
    await page.getByText('The key is shown only once').waitFor()
    const key = /EDGE_KEY='?([\w-]{43})/.exec((await dialog(page).last().textContent()) ?? '')?.[1]
    await dialog(page).last().getByRole('button', { name: "I've saved the key" }).click()
    expect(await row()).toMatchObject({ SN: spare, ConfigStatus: 1 })
    edge = await start(spare, key!)
    await door.online(plant.gateway)
    await pane(page).getByRole('button', { name: 'Push configuration' }).click()
    await dialog(page).getByRole('button', { name: 'Push configuration' }).click()
    await dialog(page).getByText('The gateway is running the new configuration.').waitFor()
    await dialog(page).getByRole('button', { name: 'Close' }).last().click()
    await until('values of both gateways', async () => (await values()).size === 2)
    await pane(page).getByText(struck, { exact: true }).first().waitFor()
  })

  it('on a phone the QR code of a label fills the form, and its code is in no address', async () => {
    const { page } = at
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(at.penstock.origin + link)
    const form = dialog(page, 'Bind a gateway')
    await form.getByText('printed below the QR code').waitFor()
    expect(await form.getByLabel('Serial number (SN)').inputValue()).toBe(third)
    expect(page.url()).not.toContain(codes.get(third)!)
    await expectFits(page)
    await expectAccessible(page)
    await form.getByLabel('Project').click()
    await page.locator('.ant-select-dropdown:visible').getByText(`Project of ${struck}`).click()
    await form.getByRole('button', { name: 'Bind' }).click()
    await page.getByText('The key is shown only once').waitFor()
    await dialog(page).last().getByRole('button', { name: "I've saved the key" }).click()
    await pane(page).getByText(third).first().waitFor()
  })

  it('unbinding says what ends and what stays', async () => {
    const { page } = at
    await pane(page)
      .getByRole('button', { name: /^More actions/ })
      .first()
      .click()
    await page.getByRole('menuitem', { name: 'Unbind' }).click()
    const question = dialog(page, `Unbind ${third}?`)
    await question.getByText('Devices, points and history stay here.').waitFor()
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Unbind' }).click()
    await pane(page).getByText(`This gateway was unbound from ${third}.`, { exact: false }).waitFor()
    await pane(page).getByRole('button', { name: 'Replace' }).waitFor()
    await expectFits(page)
    expect(at.browser.problems).toEqual([])
  })
})
