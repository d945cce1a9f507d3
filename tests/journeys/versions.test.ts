// A wrong push is undone: what changed is shown before it is sent, and a version puts it back.
import { beforeAll, expect, it } from 'vitest'
import type { SeriesAnswer } from '../../contract/telemetry.ts'
import { openFrontDoor, until } from '../front-door.ts'
import { dialog, expectAccessible, expectFits, journey, pane, visit } from './browser.ts'

type Point = { Id: number; ParaName: string; CollectPeriod: number; Address: string }
/** ms in which a busy machine reads a point again. */
const late = 15_000

journey('versions of a configuration', { env: {} }, (at) => {
  let door: Awaited<ReturnType<typeof openFrontDoor>>
  let gateway: { Id: number; GatewayName: string }
  let points: Point[]
  let wrongAt: number
  let rightAt: number
  const state = () => door.data<{ ConfigStatus: number; ConfigVersion: number }>('GET', `/Project/Gateway?Id=${gateway.Id}`)
  const pointOf = ({ Id }: Point) => door.data<Point>('GET', `/Project/DevPara?Id=${Id}`)
  /** Moments of the good readings of a point, ms. */
  const goodTimes = async ({ Id }: Point) => {
    const body = { ParaIds: [Id], Start: Date.now() - 3_600_000, End: Date.now() + 60_000, Buckets: 10_000 }
    const { Series } = await door.data<SeriesAnswer>('POST', '/DataCenter/ReportData/Data', body)
    return Series[0]!.Time.filter((_, i) => Series[0]!.Last[i] !== null)
  }
  beforeAll(async () => {
    door = await openFrontDoor(at.penstock.origin)
    gateway = (await door.data<{ Items: (typeof gateway)[] }>('GET', '/Project/Gateway/List')).Items[0]!
    points = (await door.data<{ Items: Point[] }>('GET', '/Project/DevPara/List?PageSize=2')).Items
    await until('the plant to be in sync', async () => (await state()).ConfigStatus === 0)
    await until('its first readings', async () => (await goodTimes(points[0]!)).length > 2)
  })

  it('a push shows its changes before sending, and takes a note', async () => {
    const { page } = at
    // No register of the device has this address.
    await door.data('PUT', '/Project/DevPara', { Id: points[0]!.Id, CollectPeriod: 7000, Address: '60000' })
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
    wrongAt = Date.now()
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
    expect(await pointOf(points[0]!)).toMatchObject({ CollectPeriod: points[0]!.CollectPeriod, Address: points[0]!.Address })
    await expect.poll(async () => (await state()).ConfigStatus).toBe(1)
    await door.push(gateway.Id)
    await expect.poll(async () => (await state()).ConfigStatus).toBe(0)
    rightAt = Date.now()
  })

  it('the chart has no gap but the time between the two pushes', async () => {
    const { page } = at
    const after = await until('readings after the undo', async () => {
      const times = (await goodTimes(points[0]!)).filter((time) => time > rightAt)
      return times.length > 2 && times
    })
    expect(after[0]! - rightAt).toBeLessThan(late)
    const times = await goodTimes(points[0]!)
    const gaps = times.slice(1).flatMap((to, i) => (to - times[i]! > late ? [{ from: times[i]!, to }] : []))
    expect(times[0]).toBeLessThan(wrongAt)
    expect(gaps.filter(({ from, to }) => to < wrongAt || from > rightAt)).toEqual([])
    const between = times.filter((time) => time > wrongAt + late && time < rightAt - late)
    expect(between).toEqual([])
    // Its trend shows both sides as one line.
    const answered = page.waitForResponse(async (answer) => {
      if (!answer.url().endsWith('/DataCenter/ReportData/Data') || !answer.ok()) return false
      const { Data } = (await answer.json()) as { Data: SeriesAnswer }
      return Number(Data.Deltas?.[0]?.Time.length) > 0
    })
    await visit(page, `/dataAnalysis/realTimeData?points=${points[0]!.Id}`)
    const { Data } = (await (await answered).json()) as { Data: SeriesAnswer }
    const [line] = Data.Deltas ?? []
    let moment = 0
    const moments = line!.Time.map((step) => (moment += step))
    expect(line!.ParaId).toBe(points[0]!.Id)
    // A bucket begins up to a step before its readings.
    expect([moments.some((m) => m < wrongAt), moments.some((m) => m + Data.Step > rightAt)]).toEqual([true, true])
    await pane(page).locator('canvas').first().waitFor()
    await expectFits(page)
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
