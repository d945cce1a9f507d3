import { afterAll, beforeAll, expect, it } from 'vitest'
import { emptyScene } from '../../contract/picture/scene.ts'
import { startGateway } from '../../edge/agent.ts'
import { type FrontDoor, openFrontDoor, temporary } from '../front-door.ts'
import { startDevice } from '../modbus-device.ts'
import { dialog, expectAccessible, journey, pane, visit } from './browser.ts'
import { drag, middleOf } from './hands.ts'

journey('process pictures', {}, (at) => {
  let door: FrontDoor
  let device: Awaited<ReturnType<typeof startDevice>>
  let edge: Awaited<ReturnType<typeof startGateway>> | undefined
  let id = 0
  let project = 0
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
      ...{
        DeviceId: plant.device,
        ParaName: 'Level',
        Address: '0',
        AxisMin: 0,
        AxisMax: 100,
        AlarmHigh: 90,
        CollectPeriod: 200,
        ReadWriteType: 1,
        ParaUnitName: '%',
      },
    })
    const { ProjectId } = await door.data<{ ProjectId: number }>('GET', `/Project/Gateway?Id=${plant.gateway}`)
    project = ProjectId
    id = (await door.data<{ Id: number }>('POST', path, { FlowchartName: 'Tank farm', ProjectId })).Id
    const Scene = {
      ...emptyScene(),
      items: [
        {
          ...{ kind: 'symbol', id: 'tank', symbol: 'vessel.tank', x: 100, y: 100, w: 120, h: 160 },
          bind: [{ to: 'level', of: `#${Id} / 100` }],
          acts: [{ do: 'faceplate', device: plant.device }],
        },
        { kind: 'value', id: 'level', of: `#${Id}`, label: 'Level', x: 260, y: 140, w: 120, h: 50, size: 20 },
        {
          ...{ kind: 'text', id: 'fill', text: 'Fill', x: 100, y: 300, w: 80, h: 30, size: 18 },
          acts: [{ do: 'set', of: `#${Id}`, low: 0, high: 90, reason: true }],
        },
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

  it('a tank, a pump and a pipe are drawn, bound to three points and published with at most 40 clicks and drags, and follow the device', async () => {
    const { page } = at
    const { DeviceId } = (await door.data<{ Items: { DeviceId: number }[] }>('GET', '/Project/DevPara/List?ParaName=Level')).Items[0]!
    for (const [ParaName, Address] of [
      ['Speed', '10'],
      ['Stream', '12'],
    ])
      await door.data('POST', '/Project/DevPara', { DeviceId, ParaName, Address, AxisMin: 0, AxisMax: 100 })
    await page.evaluate(() => {
      Object.assign(globalThis, { presses: 0 })
      addEventListener('pointerdown', () => (globalThis as unknown as { presses: number }).presses++, true)
    })
    await visit(page, '/projectManagement/configManagement')
    await pane(page).getByRole('button', { name: 'Add picture' }).click()
    await dialog(page).getByRole('textbox', { name: 'Name' }).fill('Drawn')
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await pane(page).getByRole('link', { name: 'Drawn' }).click()
    await page.getByRole('button', { name: 'Tank', exact: true }).click()
    const drawn = Number(new URL(page.url()).searchParams.get('Id'))
    const sheet = page.getByRole('region', { name: 'Sheet' })
    const middle = (of: string, n = 0) => middleOf(sheet.locator(of).nth(n))
    const [x, y] = await middle('[data-item="i1"]')
    await drag(page, [x, y], [x - 150, y])
    await page.getByRole('button', { name: 'Pump', exact: true }).click()
    // Ports of the tank: top, bottom, left, right; of the pump: left first.
    await drag(page, await middle('.edit-port', 3), await middle('.edit-port', 4))
    await expect.poll(() => page.getByRole('complementary', { name: 'Properties' }).getByRole('heading').textContent()).toBe('Pipe')
    const bind = async (what: string, point: string) => {
      await page.getByRole('combobox', { name: 'Follow a value' }).click()
      await page.getByTitle(what, { exact: true }).click()
      await page.getByRole('combobox', { name: `${what}: Choose a point` }).click()
      await page
        .getByTitle(new RegExp(`${point}$`))
        .last()
        .click()
    }
    await bind('Flow', 'Stream')
    await page.mouse.click(...(await middle('[data-item="i1"]')))
    await bind('Level', 'Level')
    await page.getByRole('button', { name: /^Scale from 0 to 100/ }).click()
    await page.mouse.click(...(await middle('[data-item="i2"]')))
    await bind('Runs', 'Speed')
    await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
    await page.waitForURL(/configManagement/)
    const presses = await page.evaluate(() => (globalThis as unknown as { presses: number }).presses)
    expect(presses).toBeGreaterThan(15)
    expect(presses).toBeLessThanOrEqual(40)
    await visit(page, `/projectDetailsManagement/flowChart/${drawn}`)
    device.setFloat(0, 25)
    await expect.poll(() => page.locator('[data-item="i1"] svg').getAttribute('y').then(Number)).toBeCloseTo(75.5, 0)
    expect(await page.locator('[data-item="i3"] path').count()).toBeGreaterThan(1)
  })

  it('an operator writes with a reason: the register of the device changes once, and the history names the picture', async () => {
    const { page } = at
    await visit(page, `/projectDetailsManagement/flowChart/${id}`)
    await page.getByRole('button', { name: 'Fill', exact: true }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Write Level' })
    await dialog.getByRole('spinbutton', { name: 'New value' }).fill('33')
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Trial')
    await dialog.getByRole('button', { name: 'Write' }).click()
    await dialog.getByText('Written.').waitFor()
    await expect.poll(() => page.locator('[data-item="level"]').textContent()).toMatch(/33\.00 %/)
    const { Items } = await door.data<{ Items: { CmdType: string; Payload: object }[] }>('GET', '/Project/Gateway/CommandList?PageSize=10')
    expect(Items.filter(({ CmdType }) => CmdType === 'write').map(({ Payload }) => Payload)).toMatchObject([
      { ParaName: 'Level', Value: 33, Picture: 'Tank farm', Reason: 'Trial' },
    ])
    await dialog.getByRole('button', { name: 'Close' }).last().click()
  })

  it('an alarm marks what shows its point, where one looks, and goes when it clears', async () => {
    const { page } = at
    const stage = page.locator('.picture > svg')
    await page.getByRole('button', { name: 'Zoom in' }).click()
    const seen = await stage.getAttribute('viewBox')
    device.setFloat(0, 95)
    await page.locator('[data-item="tank"] .picture-blinks').waitFor()
    expect(await stage.getAttribute('viewBox')).toBe(seen)
    device.setFloat(0, 50)
    await expect.poll(() => page.locator('[data-item="tank"] .picture-blinks').count()).toBe(0)
  })

  it('a faceplate opens beside its symbol and acknowledges; a picture inside another lives, and the way back is shown', async () => {
    const { page } = at
    device.setFloat(0, 95)
    await page.locator('[data-item="tank"] .picture-blinks').waitFor()
    await page.getByRole('button', { name: 'tank', exact: true }).press('Enter')
    const face = page.getByRole('region', { name: /^Faceplate of/ })
    await expect.poll(() => face.locator('[data-item="values"]').textContent()).toMatch(/Level95\.00 %/)
    await expect.poll(() => face.locator('[data-item="trend"] path').count()).toBeGreaterThan(4)
    await expectAccessible(page)
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/face.png` })
    await face.getByRole('button', { name: /^Acknowledge/ }).click()
    await expect.poll(() => page.locator('[data-item="tank"] .picture-blinks').count()).toBe(0)
    await face.press('Escape')
    expect(await face.count()).toBe(0)
    device.setFloat(0, 50)
    const hall = await door.data<{ Id: number }>('POST', path, { FlowchartName: 'Hall', ProjectId: project })
    const view = { kind: 'view', id: 'v', picture: id, x: 100, y: 100, w: 640, h: 360, acts: [{ do: 'open', picture: id }] }
    await door.data('POST', `${path}/Save`, { Id: hall.Id, Scene: { ...emptyScene(), items: [view] } })
    await door.data('POST', `${path}/Publish`, { Id: hall.Id })
    await visit(page, `/projectDetailsManagement/flowChart/${hall.Id}`)
    await expect.poll(() => page.locator('[data-item="v.level"]').textContent()).toMatch(/50\.00 %/)
    await page.locator('[data-item="v.level"]').click()
    await page.getByRole('navigation', { name: 'Pictures before this one' }).getByRole('link', { name: 'Hall' }).waitFor()
    await page.getByRole('heading', { name: / · Tank farm$/ }).waitFor()
  })

  it('the past is replayed with its alarms, and nothing is written in it', async () => {
    const { page } = at
    await page.getByRole('button', { name: 'Replay' }).click()
    const replay = page.getByRole('region', { name: 'Replay' })
    await replay.getByText(/alarms? in this time/).waitFor()
    await replay
      .getByTitle(/^Medium/)
      .last()
      .click()
    await expect.poll(() => page.locator('[data-item="level"]').textContent()).toMatch(/95\.00 %/)
    expect(await page.getByRole('button', { name: 'Fill', exact: true }).count()).toBe(0)
    await expectAccessible(page)
    await replay.getByRole('button', { name: 'Back to live' }).click()
    await expect.poll(() => page.locator('[data-item="level"]').textContent()).toMatch(/50\.00 %/)
  })

  it('a picture of very many items is drawn on a canvas, follows the device, and names what one points at', async () => {
    const { page } = at
    const large = await door.data<{ Id: number }>('POST', path, { FlowchartName: 'Large', ProjectId: project })
    const point = (await door.data<{ Items: { Id: number }[] }>('GET', '/Project/DevPara/List?ParaName=Level')).Items[0]!.Id
    const dots = Array.from({ length: 1001 }, (_, i) => ({
      ...{ kind: 'shape', id: `d${i}`, shape: 'rectangle', fill: '#000000', x: 700 + (i % 40) * 10, y: 20 + Math.floor(i / 40) * 10 },
      ...{ w: 6, h: 6 },
    }))
    const bar = { kind: 'indicator', id: 'bar', look: 'bar', of: `#${point}`, low: 0, high: 100, x: 100, y: 100, w: 400, h: 60 }
    await door.data('POST', `${path}/Save`, { Id: large.Id, Scene: { ...emptyScene(), items: [...dots, bar] } })
    await door.data('POST', `${path}/Publish`, { Id: large.Id })
    await visit(page, `/projectDetailsManagement/flowChart/${large.Id}`)
    /** How far the bar is filled, of 400: pixels darker than its ground. */
    const filled = () =>
      page.evaluate(() => {
        // The picture is drawn in bands, one below the other.
        const bands = [...document.querySelectorAll<HTMLCanvasElement>('.picture canvas')]
        const whole = new OffscreenCanvas(
          bands[0]!.width,
          bands.reduce((sum, { height }) => sum + height, 0),
        )
        const on = whole.getContext('2d')!
        bands.reduce((top, band) => {
          on.drawImage(band, 0, top)
          return top + band.height
        }, 0)
        const scale = Math.min(whole.width / 1280, whole.height / 720)
        const [left, top] = [(whole.width - 1280 * scale) / 2, (whole.height - 720 * scale) / 2]
        const row = on.getImageData(left + 102 * scale, top + 130 * scale, 396 * scale, 1).data
        let dark = 0
        for (let i = 0; i < row.length; i += 4) if (row[i + 3]! > 200 && row[i]! < 160) dark++
        return dark / scale / 396
      })
    device.setFloat(0, 25)
    await expect.poll(filled).toBeCloseTo(0.25, 1)
    device.setFloat(0, 75)
    await expect.poll(filled).toBeCloseTo(0.75, 1)
    await page.locator('.picture [data-item="bar"]').hover()
    await expect.poll(() => page.locator('.picture [data-item="bar"] title').textContent()).toMatch(/Level, 75\.00 %/)
  })

  it('undo takes back step by step, redo brings it again, and the draft is stored', async () => {
    const { page } = at
    const { Id } = await door.data<{ Id: number }>('POST', path, { FlowchartName: 'Undone', ProjectId: project })
    await visit(page, `/projectManagement/configEditor?Id=${Id}`)
    const items = page.getByRole('region', { name: 'Sheet' }).locator('[data-item]')
    for (const name of ['Tank', 'Pump']) await page.getByRole('button', { name, exact: true }).click()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Control+d')
    expect(await items.count()).toBe(4)
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Control+z')
    expect(await items.count()).toBe(1)
    await page.keyboard.press('Control+y')
    expect(await items.count()).toBe(2)
    // Left before the draft was saved: leaving saves it.
    await visit(page, '/projectManagement/configManagement')
    await expect
      .poll(
        async () => (await door.data<{ Scene: { items: object[] } }>('POST', `/V3${path}/Detail`, { Id, Draft: true })).Scene.items.length,
      )
      .toBe(2)
  })

  it('says so when the device no longer answers, and shows no good value', async () => {
    const { page } = at
    await stopDevice()
    await visit(page, `/projectDetailsManagement/flowChart/${id}`)
    await page.locator('[data-item="tank"] .picture-veil').waitFor()
    await page.locator('[data-item="level"]').hover()
    expect(await page.locator('[data-item="level"] title').textContent()).toMatch(/Level/)
    expect(await page.locator('[data-item="tank"] svg').count()).toBe(0)
  })

  it('[pd-flowchart-query] a project is opened at its first picture, asked for with project and platform', async () => {
    const { page, penstock } = at
    const { ProjectId, ProjectName } = await door.data<{ ProjectId: number; ProjectName: string }>('GET', `${path}?Id=${id}`)
    const [first] = await door.data<{ Id: number }[]>('GET', `${path}?ProjectId=${ProjectId}&PlatformType=1`)
    const asked = page.waitForRequest((request) => request.url().includes(`Flowchart?ProjectId=${ProjectId}&PlatformType=1`))
    await page.goto(`${penstock.origin}/projectDetailsManagement?projectId=${ProjectId}&projectName=${encodeURIComponent(ProjectName)}`)
    await asked
    await page.waitForURL(new RegExp(`/projectDetailsManagement/flowChart/${first!.Id}\\?.*projectId=${ProjectId}`))
    await page.getByRole('heading', { name: / · Drawn$/ }).waitFor()
  })
})
