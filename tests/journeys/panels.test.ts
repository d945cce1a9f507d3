// The panel of a pump: one person operates it, another one looks, and the log says who did what.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openFrontDoor, password, until } from '../front-door.ts'
import { type Panel, startPanel } from '../rfb-panel.ts'
import { key } from '../rfb-viewer.ts'
import { dialog, expectAccessible, expectFits, journey, openBrowser, openSignedIn, pane, visit } from './browser.ts'

journey('panels', { env: { PENSTOCK_DEMO: 'off', PENSTOCK_OUTBOUND: '127.0.0.1/32' } }, (at) => {
  let door: Awaited<ReturnType<typeof openFrontDoor>>
  let screen: Panel
  let colleague: Awaited<ReturnType<typeof openBrowser>>
  let device = 0
  beforeAll(async () => {
    door = await openFrontDoor(at.penstock.origin)
    ;({ device } = await door.newGateway('PANELS0001', 1))
    screen = await startPanel({ password: 'pumps', width: 320, height: 200 })
  })
  afterAll(async () => {
    await colleague?.close()
    await screen?.close()
  })

  it('a panel is added to its device and shows its screen', async () => {
    const { page } = at
    await visit(page, `/projectManagement/devicePointList?Id=${device}&tab=panels`)
    await pane(page).getByRole('button', { name: 'Add panel' }).first().click()
    const form = dialog(page, 'Add panel')
    await form.getByLabel('Panel name').fill('Pump panel')
    await form.getByLabel('Host').fill('127.0.0.1')
    await form.getByLabel('Port').fill(String(screen.port))
    await form.getByLabel('View only').click()
    await form.getByLabel('Password').fill('pumps')
    await form.getByRole('button', { name: 'Save' }).click()
    await pane(page).getByRole('link', { name: 'Pump panel' }).click()
    await pane(page).getByText('Nobody is operating').waitFor()
    const pixel = () =>
      pane(page)
        .locator('canvas')
        .evaluate((canvas: HTMLCanvasElement) => [...canvas.getContext('2d')!.getImageData(9, 9, 1, 1).data])
    await expect.poll(pixel).toEqual([255, 0, 0, 255])
    await expectAccessible(page)
  })

  it('one person operates, the other one sees who, and the keyboard comes back', async () => {
    const { page } = at
    const Id = (await door.data<{ Items: { Id: number }[] }>('GET', '/Project/DeviceVnc/List')).Items[0]!.Id
    colleague = await openBrowser(at.penstock.origin, { dark: true, width: 390, height: 844 })
    await openSignedIn(colleague.page, at.penstock.origin, 'admin', password, `/projectManagement/yncManagement?Id=${Id}`)
    await pane(colleague.page).getByText('2 viewers').waitFor()
    await pane(page).getByRole('button', { name: 'Operate', exact: true }).click()
    await pane(page).getByText('You are operating').waitFor()
    await pane(colleague.page).getByText('Administrator is operating').waitFor()
    expect(await pane(colleague.page).getByRole('button', { name: 'Operate', exact: true }).isDisabled()).toBe(true)
    await expectFits(colleague.page)
    await page.keyboard.press('a')
    await until('the key', () => screen.of(4).length === 2)
    expect(screen.of(4)).toEqual([key(0x61, true), key(0x61, false)])
    await page.keyboard.press('Control+Alt+Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Stop operating')
    await page.keyboard.press('Enter')
    await pane(colleague.page).getByText('Nobody is operating').waitFor()
  })

  it('a panel that is gone says so and reconnects, and the log has every session', async () => {
    const { page } = at
    screen.drop()
    await pane(page).getByText('The panel closed the connection.').waitFor()
    await pane(page).getByRole('button', { name: 'Reconnect' }).click()
    await pane(page).getByText('Nobody is operating').waitFor()
    const { Items } = await door.data<{ Items: { Verb: string; ObjectName: string }[] }>('GET', '/System/Log/List?PageSize=50')
    const verbs = Items.filter(({ ObjectName, Verb }) => ObjectName === 'Pump panel' && Verb.startsWith('panel')).map(({ Verb }) => Verb)
    expect(verbs.sort()).toEqual(['panelClose', 'panelClose', 'panelControl', 'panelOpen', 'panelOpen', 'panelOpen'])
    await expect.poll(() => at.browser.problems).toEqual([])
  })
})
