// A machine builder makes a project for each machine of a series.

import { readFileSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import { readSheet } from '../../server/files/sheetReader.ts'
import { openFrontDoor, until } from '../front-door.ts'
import { dialog, downloaded, expectAccessible, expectFits, journey, pane, visit } from './browser.ts'

journey('a series of machines', { company: true }, (at) => {
  let door: Awaited<ReturnType<typeof openFrontDoor>>
  const numbers = Array.from({ length: 200 }, (_, i) => `MIXER${String(i + 1).padStart(6, '0')}`)
  beforeAll(async () => {
    door = await openFrontDoor(at.penstock.origin)
    const EnterpriseId = await door.ensureCompany()
    const { Id: ProjectId } = await door.data('POST', '/Project/Project', { ProjectName: 'Mixer template', EnterpriseId })
    const { Id: GatewayId } = await door.data('POST', '/Project/Gateway', { GatewayName: 'Mixer gateway', SN: 'TEMPLATE0001', ProjectId })
    const channel = { ProtocolName: 'PLC', GatewayId, Ip: '10.0.0.7', Port: 502 }
    const { Id: NetProtocolId } = await door.data('POST', '/Project/Protocol/NetProtocol', channel)
    const { Id: DeviceId } = await door.data('POST', '/Project/Device', { DeviceName: 'Mixer', GatewayId, NetProtocolId })
    for (const [i, ParaName] of ['Speed', 'Torque', 'Temperature'].entries())
      await door.data('POST', '/Project/DevPara', { DeviceId, ParaName, Address: String(i * 2) })
    await at.page.reload()
  })

  it('is made from a template project', async () => {
    const { page } = at
    await visit(page, '/productSeries/ProductSeries')
    await pane(page)
      .getByRole('button', { name: /Add product series/ })
      .first()
      .click()
    await dialog(page).getByLabel('Series name', { exact: true }).fill('Mixer')
    await dialog(page)
      .getByLabel(/^Template project/)
      .fill('Mixer template')
    await page.getByTitle('Mixer template').last().click()
    await expectAccessible(page, '.ant-drawer')
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await pane(page)
      .getByRole('row', { name: /Mixer template/ })
      .waitFor()
  })

  it('of 200 serial numbers, two bad ones are shown before anything is made, and left out', async () => {
    const { page } = at
    await visit(page, '/productSeries/productTaskList')
    await pane(page)
      .getByRole('button', { name: /Make products/ })
      .click()
    await dialog(page).getByLabel('Product series').fill('Mixer')
    await page.getByTitle('Mixer', { exact: true }).last().click()
    await dialog(page)
      .getByLabel('Serial numbers')
      .fill([...numbers.slice(0, 100), 'mixer-101', ...numbers.slice(101, 199), numbers[0]].join('\n'))
    await dialog(page).getByText('2 serial numbers cannot be used').waitFor()
    await dialog(page)
      .getByRole('row', { name: /101 mixer-101/ })
      .waitFor()
    await dialog(page).getByText('First: Mixer-0001').waitFor()
    await expectAccessible(page, '.ant-modal')
    await page.setViewportSize({ width: 390, height: 844 })
    await expectFits(page)
    await page.setViewportSize({ width: 1440, height: 900 })
    await dialog(page).getByLabel('Leave these out').check()
    await dialog(page).getByRole('button', { name: 'Make 198 projects' }).click()
    await pane(page).getByRole('link', { name: 'Mixer' }).first().click()
  })

  it('stops, starts, ends with exactly as many projects, and gives the list as a sheet', async () => {
    const { page } = at
    await pane(page).getByRole('button', { name: 'Stop' }).click()
    await pane(page).getByRole('button', { name: 'Start' }).waitFor()
    const count = async () =>
      (await door.data<{ TotalCount: number }>('GET', '/Project/Project/List?ProjectName=Mixer-&PageSize=1')).TotalCount
    const resting = await until('the runner to rest', async () => {
      const now = await count()
      await page.waitForTimeout(400)
      return now === (await count()) ? { now } : undefined
    })
    expect(resting.now).toBeLessThan(198)
    await pane(page).getByRole('button', { name: 'Start' }).click()
    await pane(page).getByText('198 / 198').waitFor({ timeout: 60_000 })
    expect(await count()).toBe(198)
    await expectFits(page)
    await expectAccessible(page)
    const list = await downloaded(page, () => pane(page).getByRole('button', { name: 'Download the list' }).click())
    const rows = await readSheet(readFileSync(await list.path()))
    expect(rows).toHaveLength(199)
    expect(rows[1]!.slice(0, 3)).toEqual(expect.arrayContaining(['MIXER000001', 'Mixer-0001']))
    expect(at.browser.problems).toEqual([])
  })
})
