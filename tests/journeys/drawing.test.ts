import { beforeAll, expect, it } from 'vitest'
import { emptyScene } from '../../contract/picture/scene.ts'
import { type FrontDoor, openFrontDoor } from '../front-door.ts'
import { downloaded, expectAccessible, journey, visit } from './browser.ts'

journey('the editor of pictures', {}, (at) => {
  let door: FrontDoor
  let project = 0
  let device = 0
  const points: number[] = []
  const path = '/Project/Ddt/Flowchart'
  const draft = async (Id: number) =>
    (await door.data<{ Scene: { items: Record<string, unknown>[] } }>('POST', `/V3${path}/Detail`, { Id, Draft: true })).Scene
  /** A picture with these items, opened in the editor. */
  const draw = async (FlowchartName: string, items: object[], more: object = {}) => {
    const { Id } = await door.data<{ Id: number }>('POST', path, { FlowchartName, ProjectId: project })
    await door.data('POST', `${path}/Save`, { Id, Scene: { ...emptyScene(), ...more, items } })
    await visit(at.page, `/projectManagement/configEditor?Id=${Id}`)
    await at.page.locator('[data-item]').first().waitFor()
    return Id
  }
  const saved = () => at.page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
  const tank = (id: string, x: number, y: number) => ({ kind: 'symbol', symbol: 'vessel.tank', id, x, y, w: 80, h: 120 })
  beforeAll(async () => {
    door = await openFrontDoor(at.penstock.origin)
    const plant = await door.newGateway('DRAWING00001', 502)
    project = plant.project
    device = plant.device
    for (const ParaName of ['Level', 'Speed']) {
      const { Id } = await door.data('POST', '/Project/DevPara', { DeviceId: device, ParaName, Address: '0', AxisMin: 0, AxisMax: 100 })
      points.push(Id)
    }
  })

  it('a pipe goes around a tank that is put in its way, jumps over another pipe, and keeps a corner that is pulled', async () => {
    const { page } = at
    const pipe = (id: string, from: object, to: object) => ({ kind: 'pipe', id, x: 0, y: 0, w: 0, h: 0, from, to })
    const Id = await draw('Pipes', [
      tank('a', 100, 200),
      tank('b', 700, 200),
      tank('c', 400, 500),
      pipe('p', { item: 'a', port: 'right' }, { item: 'b', port: 'left' }),
      pipe('q', { x: 300, y: 100 }, { x: 300, y: 400 }),
    ])
    const d = (id: string) => page.locator(`[data-item="${id}"] path`).first().getAttribute('d')
    await expect.poll(() => d('q')).toMatch(/A9 9 /)
    const straight = await d('p')
    await page.locator('[data-item="c"]').click()
    for (let i = 0; i < 15; i++) await page.keyboard.press('Shift+ArrowUp')
    await expect.poll(() => d('p')).not.toBe(straight)
    const near = await page
      .locator('[data-item="p"] path')
      .first()
      .evaluate((path: SVGPathElement) => {
        const { x, y } = path.getPointAtLength(50).matrixTransform(path.getScreenCTM()!)
        return [x, y] as const
      })
    await page.mouse.click(...near)
    const corner = page.locator('.edit-bend-corner').first()
    const { x, y } = (await corner.boundingBox())!
    await page.mouse.move(x + 4, y + 4)
    await page.mouse.down()
    await page.mouse.move(x + 4, y - 60, { steps: 4 })
    await page.mouse.up()
    await page.getByRole('button', { name: 'Let the pipe find its way' }).waitFor()
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/pipes.png` })
    await saved()
    expect((await draft(Id)).items.find(({ id }) => id === 'p')!.bends).toBeTruthy()
  })

  it('the outline adds a layer, moves the selection there, hides and locks it; what is locked is no longer moved by hand', async () => {
    const { page } = at
    const Id = await draw('Layers', [tank('a', 100, 200), tank('b', 500, 200)])
    await page.locator('[data-item="a"]').click()
    await page.getByText('Outline', { exact: true }).click()
    await page.getByRole('button', { name: 'Add layer' }).click()
    await page.getByRole('button', { name: 'More for Layer 1' }).click()
    await page.getByRole('menuitem', { name: 'Move the selection here' }).click()
    await page.getByRole('button', { name: 'Lock Layer 1' }).click()
    await page.locator('[data-item="a"]').click()
    await page.keyboard.press('Shift+ArrowRight')
    await page.locator('.edit-outline').getByText('Tank b').click()
    await page.keyboard.press('Shift+ArrowRight')
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/layers.png` })
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Hide Layer 1' }).click()
    await expect.poll(() => page.locator('[data-item="a"]').count()).toBe(0)
    await saved()
    const scene = await draft(Id)
    expect(scene).toMatchObject({ layers: [{ name: 'Layer 1', hidden: true, locked: true }] })
    expect(scene.items).toMatchObject([
      { id: 'a', x: 100, layer: 'l1' },
      { id: 'b', x: 516 },
    ])
  })

  it('before publishing, each thing to mend leads to its item: texts over each other, and languages without one', async () => {
    const { page } = at
    const text = (id: string, x: number, words: unknown) => ({ kind: 'text', id, text: words, size: 16, x, y: 1000, w: 160, h: 24 })
    const Id = await draw('Checks', [text('a', 1600, { en: 'Inlet pump' }), text('b', 1640, 'Outlet')], { width: 2400, height: 1600 })
    await page.getByRole('button', { name: 'Publish' }).click()
    const dialog = page.getByRole('dialog')
    await expectAccessible(page)
    expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringContaining('overlaps that of “Outlet”'),
      expect.stringContaining('no text in: 中文, Español, 日本語'),
    ])
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/checks.png` })
    await dialog.getByRole('button', { name: 'Inlet pump' }).last().click()
    await page.getByRole('textbox', { name: 'Text (日本語)' }).fill('入口ポンプ')
    await page.getByText('Checks (2)').click()
    await page.getByText('no text in: 中文, Español.').waitFor()
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/checks2.png` })
    await saved()
    expect((await draft(Id)).items[0]).toMatchObject({ text: { en: 'Inlet pump', ja: '入口ポンプ' } })
  })

  it('commands are found by typing, favourites stay at hand, several items change together, and values come alive in place', async () => {
    const { page } = at
    const Id = await draw('Commands', [tank('a', 100, 200), tank('b', 1000, 200)])
    await page.keyboard.press('/')
    await page.keyboard.type('select all')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: '2 items' }).waitFor()
    await page.getByRole('combobox', { name: 'Fill' }).click()
    await page.getByTitle('Shaded ground').click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Favourite: Flat-roof tank' }).click()
    await page.getByText('Favourites', { exact: true }).waitFor()
    await page.keyboard.press('/')
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/commands.png` })
    await page.keyboard.type('tank b')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Tank' }).waitFor()
    const before = (await page.locator('[data-item="b"]').boundingBox())!.width
    await page.getByRole('button', { name: 'Zoom to selection' }).click()
    await expect.poll(async () => (await page.locator('[data-item="b"]').boundingBox())!.width).toBeGreaterThan(2 * before)
    const place = await page.locator('[data-item="b"]').boundingBox()
    await saved()
    expect((await draft(Id)).items).toMatchObject([{ fill: 'sunk' }, { fill: 'sunk' }])
    await page.getByRole('button', { name: 'Live', exact: true }).click()
    const alive = page.locator('.edit-live [data-item="b"]')
    await alive.waitFor()
    const shown = (await alive.boundingBox())!
    for (const side of ['x', 'y', 'width'] as const) expect(Math.abs(shown[side] - place![side])).toBeLessThan(2)
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/live.png` })
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Draw', exact: true }).click()
    await page.locator('.edit-picture [data-item="b"]').waitFor()
  })

  it('a point leads to the pictures that name it, and from there to their drawings', async () => {
    const { page } = at
    await draw('Levels', [{ kind: 'value', id: 'v', of: `#${points[0]} * 2`, x: 100, y: 100, w: 100, h: 40, size: 20 }])
    await visit(page, `/projectManagement/pointManagement?DeviceId=${device}`)
    await page.getByRole('button', { name: 'More actions: Level' }).click()
    await page.getByRole('menuitem', { name: 'In which pictures' }).click()
    await page.getByRole('heading', { name: 'Pictures with Device · Level' }).waitFor()
    await expectAccessible(page)
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/use.png` })
    await page.getByRole('link', { name: 'Edit' }).click()
    await page.locator('[data-item="v"]').waitFor()
  })

  it('another device takes the place of one, with each point before and after', async () => {
    const { page } = at
    const { NetProtocolId, GatewayId } = await door.data<Record<string, unknown>>('GET', `/Project/Device?Id=${device}`)
    const other = await door.data('POST', '/Project/Device', { DeviceName: 'Spare', GatewayId, NetProtocolId })
    const { Id: level } = await door.data('POST', '/Project/DevPara', { DeviceId: other.Id, ParaName: 'Level', Address: '2' })
    const value = (id: string, of: string, x: number) => ({ kind: 'value', id, of, label: id, x, y: 100, w: 100, h: 40, size: 20 })
    const Id = await draw('Spares', [value('v', `#${points[0]} * 2`, 100), value('w', `#${points[1]}`, 300)])
    await page.getByRole('button', { name: 'Replace device' }).click()
    const dialog = page.getByRole('dialog', { name: 'Replace a device in the picture' })
    await dialog.getByRole('combobox', { name: 'New device' }).click()
    await page.getByTitle('Spare', { exact: true }).click()
    const cells = async () => (await dialog.getByRole('cell').allInnerTexts()).filter(Boolean)
    await expect
      .poll(cells)
      .toEqual([...['v', 'Device · Level', 'Spare · Level'], ...['w', 'Device · Speed', 'No point of this name: unchanged']])
    await expectAccessible(page)
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/replace.png` })
    await dialog.getByRole('button', { name: 'Replace' }).click()
    await saved()
    await expect.poll(async () => (await draft(Id)).items.map(({ of }) => of)).toEqual([`#${level} * 2`, `#${points[1]}`])
  })

  it('a hostile SVG file becomes a symbol without a request to anywhere else, is drawn, and leaves with its picture', async () => {
    const { page } = at
    const Id = await draw('Mixer', [tank('a', 100, 200)])
    const sent: string[] = []
    page.on('request', (request) => {
      sent.push(`${request.url()} ${request.postData() ?? ''}`)
    })
    const shapes = '<circle cx="50" cy="50" r="40" fill="none" stroke="black"/><path d="M50 10V90" stroke="#d9480f"/>'
    const hostile = `<svg xmlns="http://www.w3.org/2000/svg" onload="fetch('http://evil.example/1')"><style>@import url(http://evil.example/2);</style>
      <image href="http://evil.example/3" width="9" height="9"/><use href="http://evil.example/4#a"/><script>fetch('http://evil.example/5')</script>
      <foreignObject><img xmlns="http://www.w3.org/1999/xhtml" src="http://evil.example/6"/></foreignObject>${shapes}</svg>`
    await page.getByRole('button', { name: 'Own symbols' }).click()
    await page.getByRole('button', { name: 'From an SVG file…' }).click()
    const dialog = page.getByRole('dialog', { name: 'New symbol' })
    const file = { name: 'Mixer.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(hostile) }
    await dialog.locator('input[type=file]').setInputFiles(file)
    await dialog.getByText('scripts (×1)').waitFor()
    await dialog.getByRole('textbox', { name: 'Name of part 1' }).fill('Casing')
    await dialog.getByRole('combobox', { name: 'Part 1 is drawn as' }).click()
    await page.getByTitle('Filled while it runs').click()
    await expectAccessible(page)
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/symbol.png` })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Mixer', exact: true }).click()
    await page.locator('[data-item="i2"]').waitFor()
    await saved()
    expect(await draft(Id)).toMatchObject({
      items: [{}, { symbol: expect.stringMatching(/^own\./), name: 'Mixer' }],
      symbols: [{ name: 'Mixer' }],
    })
    expect(sent.filter((one) => !one.startsWith(at.penstock.origin) || /evil|foreignObject|<svg/.test(one))).toEqual([])
    expect(sent.filter((one) => one.includes('/Flowchart/Save')).map((one) => one.includes('"Patch"'))).toEqual([true])
    await door.data('POST', `${path}/Publish`, { Id })
    await visit(page, `/projectDetailsManagement/flowChart/${Id}`)
    await page.locator('[data-item="i2"]').waitFor()
    for (const [entry, kind] of [
      ['Image of the current view (PNG)', 'png'],
      ['Whole picture (SVG)', 'svg'],
    ] as const) {
      await page.getByRole('button', { name: 'Save or print' }).click()
      const file = await downloaded(page, () => page.getByRole('menuitem', { name: entry }).click())
      expect(file.suggestedFilename()).toMatch(new RegExp(`^Mixer-.*\\.${kind}$`))
      if (process.env.SHOTS) await file.saveAs(`${process.env.SHOTS}/picture.${kind}`)
    }
  })
})
