// A wrong push is undone: what changed is shown before it is sent, and a version puts it back.
import { beforeAll, expect, it } from 'vitest'
import { openFrontDoor, until } from '../front-door.ts'
import { dialog, expectAccessible, expectFits, journey, pane, visit } from './browser.ts'

type Point = { Id: number; ParaName: string; CollectPeriod: number }

journey('versions of a configuration', { env: {} }, (at) => {
  let door: Awaited<ReturnType<typeof openFrontDoor>>
  let gateway: { Id: number; GatewayName: string }
  let points: Point[]
  const state = () => door.data<{ ConfigStatus: number; ConfigVersion: number }>('GET', `/Project/Gateway?Id=${gateway.Id}`)
  const pointOf = ({ Id }: Point) => door.data<Point>('GET', `/Project/DevPara?Id=${Id}`)
  beforeAll(async () => {
    door = await openFrontDoor(at.penstock.origin)
    gateway = (await door.data<{ Items: (typeof gateway)[] }>('GET', '/Project/Gateway/List')).Items[0]!
    points = (await door.data<{ Items: Point[] }>('GET', '/Project/DevPara/List?PageSize=2')).Items
    await until('the plant to be in sync', async () => (await state()).ConfigStatus === 0)
  })

  it('a push shows its changes before sending, and takes a note', async () => {
    const { page } = at
    await door.data('PUT', '/Project/DevPara', { Id: points[0]!.Id, CollectPeriod: 7000 })
    await visit(page, `/projectManagement/gatewayPreView?Id=${gateway.Id}`)
    await pane(page).getByRole('button', { name: 'Push configuration' }).click()
    const push = dialog(page, `Push configuration to ${gateway.GatewayName}`)
    await push.getByText('0 added, 0 removed, 1 changed.').waitFor()
    await push
      .getByRole('row', { name: new RegExp(points[0]!.ParaName) })
      .getByText('7000')
      .waitFor()
    await push.getByRole('textbox').fill('Slower by mistake')
    await expectAccessible(page)
    await push.getByRole('button', { name: 'Push configuration' }).click()
    await push.getByText('The gateway is running the new configuration.').waitFor()
    await push.getByRole('button', { name: 'Close' }).last().click()
  })

  it('the previous version is restored and pushed, also on a phone', async () => {
    const { page } = at
    const before = (await state()).ConfigVersion - 1
    await pane(page).getByRole('tab', { name: 'Versions' }).click()
    await pane(page).getByRole('row').filter({ hasText: 'Slower by mistake' }).waitFor()
    expect(
      await pane(page)
        .getByRole('button', { name: /Add configuration version/ })
        .count(),
    ).toBe(0)
    await page.setViewportSize({ width: 390, height: 844 })
    const card = pane(page)
      .locator('.card')
      .filter({ hasText: new RegExp(`^${before}`) })
    await card.getByRole('button', { name: /^More actions/ }).click()
    await page.getByRole('menuitem', { name: 'Reset to this version' }).click()
    const reset = dialog(page, `Reset to version ${before}`)
    await reset.getByText('0 added, 0 removed, 1 changed.').waitFor()
    await expectFits(page)
    await expectAccessible(page)
    await reset.getByRole('button', { name: 'Reset to this version' }).click()
    await page.getByText(`Version ${before} is restored. Push it to the gateway.`).waitFor()
    expect((await pointOf(points[0]!)).CollectPeriod).toBe(points[0]!.CollectPeriod)
    await expect.poll(async () => (await state()).ConfigStatus).toBe(1)
    await door.push(gateway.Id)
    await expect.poll(async () => (await state()).ConfigStatus).toBe(0)
  })

  it('the settings of a gateway are set, pushed, and shown as it runs them', async () => {
    const { page } = at
    await page.setViewportSize({ width: 1280, height: 800 })
    await visit(page, `/projectManagement/gatewayPreView?Id=${gateway.Id}`)
    await pane(page).getByRole('tab', { name: 'Settings' }).click()
    const row = pane(page).getByRole('row', { name: /Back-fill rate/ })
    await row.getByText('Default', { exact: true }).waitFor()
    await row.getByRole('button', { name: 'Change Back-fill rate' }).click()
    await dialog(page, 'Back-fill rate').getByLabel('Back-fill rate').fill('300')
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await dialog(page).getByText('Enter a whole number from 1 to 200.').first().waitFor()
    await dialog(page).getByLabel('Back-fill rate').fill('30')
    await expectAccessible(page, '.ant-modal')
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await row.getByText('Not pushed').waitFor()
    await expectFits(page)
    await expectAccessible(page)
    await door.push(gateway.Id)
    await row.getByText('Not pushed').waitFor({ state: 'hidden' })
    expect(await row.getByText('30 1/s').count()).toBe(2)
    await row.getByRole('button', { name: 'Use default' }).click()
    await row.getByText('Default', { exact: true }).waitFor()
    await door.push(gateway.Id)
    await row.getByText('20 1/s', { exact: true }).waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await expectFits(page)
  })

  it('the history shows what was accepted, by whom and why, and leads to each kind', async () => {
    const { page } = at
    await visit(page, `/projectManagement/gatewayPreView?Id=${gateway.Id}&tab=history`)
    await pane(page).getByText('Slower by mistake').waitFor()
    await pane(page).getByText('Online', { exact: true }).first().waitFor()
    await expectFits(page)
    await pane(page).getByText('Configurations', { exact: true }).click()
    await pane(page).getByText('Online', { exact: true }).nth(1).waitFor({ state: 'hidden' })
    await pane(page).getByText('Slower by mistake').waitFor()
    await expectAccessible(page)
    expect(at.browser.problems).toEqual([])
  })
})
