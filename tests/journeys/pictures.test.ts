import { afterAll, beforeAll, expect, it } from 'vitest'
import { emptyScene } from '../../contract/picture/scene.ts'
import { startGateway } from '../../edge/agent.ts'
import { type FrontDoor, openFrontDoor } from '../front-door.ts'
import { temporary } from '../house.ts'
import { startDevice } from '../modbus-device.ts'
import { expectAccessible, journey, visit } from './browser.ts'

journey('process pictures', {}, (at) => {
  let door: FrontDoor
  let device: Awaited<ReturnType<typeof startDevice>>
  let edge: Awaited<ReturnType<typeof startGateway>> | undefined
  let id = 0
  let stopped: Promise<void> | undefined
  const stopDevice = () => (stopped ??= device.close())
  const path = '/Project/Ddt/Flowchart'
  beforeAll(async () => {
    const { penstock } = at
    door = await openFrontDoor(penstock.origin)
    device = await startDevice()
    device.setFloat(0, 50)
    const plant = await door.newGateway('PICTURES0001', device.port)
    const { Id } = await door.data<{ Id: number }>('POST', '/Project/DevPara', {
      ...{ DeviceId: plant.device, ParaName: 'Level', Address: '0', AxisMin: 0, AxisMax: 100, CollectPeriod: 200, ParaUnitName: '%' },
    })
    const { ProjectId } = await door.data<{ ProjectId: number }>('GET', `/Project/Gateway?Id=${plant.gateway}`)
    id = (await door.data<{ Id: number }>('POST', path, { FlowchartName: 'Tank farm', ProjectId })).Id
    const Scene = {
      ...emptyScene(),
      items: [
        { kind: 'symbol', id: 'tank', symbol: 'vessel.tank', x: 100, y: 100, w: 120, h: 160, bind: [{ to: 'level', of: `#${Id} / 100` }] },
        { kind: 'value', id: 'level', of: `#${Id}`, label: 'Level', x: 260, y: 140, w: 120, h: 50, size: 20 },
      ],
    }
    await door.data('POST', `${path}/Save`, { Id: id, Scene })
    await door.data('POST', `${path}/Publish`, { Id: id })
    edge = await startGateway({ server: `mqtt://127.0.0.1:${penstock.mqttPort}`, sn: plant.SN, key: plant.Key, data: temporary() })
    await door.online(plant.gateway)
    await door.push(plant.gateway)
  })
  afterAll(async () => {
    await edge?.close()
    await stopDevice()
  })

  it('a published picture is opened from its list, and follows a register of a real device', async () => {
    const { page } = at
    await visit(page, '/projectManagement/pictures')
    await page.getByRole('link', { name: /Tank farm/ }).click()
    const value = page.locator('[data-item="level"]')
    await expect.poll(() => value.textContent()).toMatch(/Level50\.00 %/)
    device.setFloat(0, 75)
    await expect.poll(() => value.textContent()).toMatch(/Level75\.00 %/)
    // The inside of the tank is 98 high and begins at 2: a quarter of it is empty.
    await expect.poll(() => page.locator('[data-item="tank"] svg').getAttribute('y').then(Number)).toBeCloseTo(26.5, 0)
    await expectAccessible(page)
  })

  it('says so when the device no longer answers, and shows no good value', async () => {
    const { page } = at
    await stopDevice()
    await page.locator('[data-item="tank"] .picture-veil').waitFor()
    expect(await page.locator('[data-item="level"] title').textContent()).toMatch(/Level/)
    expect(await page.locator('[data-item="tank"] svg').count()).toBe(0)
  })

  it('pd-flowchart-query: a project is opened at its first picture, asked for with project and platform', async () => {
    const { page, penstock } = at
    const { ProjectId, ProjectName } = await door.data<{ ProjectId: number; ProjectName: string }>('GET', `${path}?Id=${id}`)
    const asked = page.waitForRequest((request) => request.url().includes(`Flowchart?ProjectId=${ProjectId}&PlatformType=1`))
    await page.goto(`${penstock.origin}/projectDetailsManagement?projectId=${ProjectId}&projectName=${encodeURIComponent(ProjectName)}`)
    await asked
    await page.waitForURL(new RegExp(`/projectDetailsManagement/flowChart/${id}\\?.*projectId=${ProjectId}`))
    await page.getByRole('heading', { name: /Tank farm/ }).waitFor()
  })
})
