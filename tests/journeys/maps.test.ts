// The map: projects where they are, with WebGL and without it.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { crc32, deflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { openFrontDoor } from '../front-door.ts'
import { dialog, expectAccessible, expectFits, journey, pane, settled, visit } from './browser.ts'

/** A tile of one colour. */
const tile = (() => {
  const side = 256
  const chunk = (kind: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(kind), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const head = Buffer.from([0, 0, side >> 8, side & 255, 0, 0, side >> 8, side & 255, 8, 2, 0, 0, 0])
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(side * 3, Buffer.from([40, 200, 90]))])
  const pixels = deflateSync(Buffer.concat(Array(side).fill(row)))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
})()
const asked: string[] = []
const mapServer = createServer(({ url }, reply) => {
  asked.push(url!)
  reply.end(tile)
}).listen(0, '127.0.0.1')
await once(mapServer, 'listening')
const { port } = mapServer.address() as AddressInfo

/** Reports a hardware renderer, so that the map uses WebGL although it is software-rendered here. */
const asWithCard = () => {
  const own = WebGL2RenderingContext.prototype.getParameter
  const unmaskedRenderer = 0x9246
  WebGL2RenderingContext.prototype.getParameter = function (name) {
    return name === unmaskedRenderer ? 'A graphics card' : own.call(this, name)
  }
}

journey('the map', { company: true, env: { PENSTOCK_DEMO: 'off', PENSTOCK_OUTBOUND: `127.0.0.1/32:${port}` } }, (at) => {
  const map = () => pane(at.page).getByRole('application', { name: /Map of projects/ })
  const mark = (name: string | RegExp) => map().getByRole('button', { name })
  const ground = (kind: 'gl' | 'canvas') => expect.poll(() => map().getAttribute('data-base')).toBe(kind)

  it('shows projects at their positions, close ones together, and leads to them', async () => {
    const door = await openFrontDoor(at.penstock.origin)
    const places = { 'Harbour works': [2.17, 41.38], 'Hill works': [2.11, 41.42], 'Lake works': [-3.7, 40.4] }
    for (const [ProjectName, [Longitude, Latitude]] of Object.entries(places))
      await door.data('POST', '/Project/Project', { ProjectName, Longitude, Latitude })
    await door.data('POST', '/Project/Project', { ProjectName: 'Somewhere' })
    await at.page.addInitScript(asWithCard)
    await at.page.evaluate(asWithCard)
    await visit(at.page, '/visualizationCenter/map')
    await ground('gl')
    await mark('Lake works: No gateways').waitFor()
    await pane(at.page).getByText('1 project has no position.').waitFor()
    await mark('2 projects: No gateways').click()
    await mark('Hill works: No gateways').click()
    const row = pane(at.page).getByRole('listitem').filter({ hasText: 'Hill works' })
    await row.getByText('Gateways online: 0 of 0').waitFor()
    await row.getByRole('link', { name: 'Gateways' }).click()
    await at.page.waitForURL(/gatewayManagement\?ProjectId=/)
  })

  it('sets the position of a project by a click', async () => {
    const { page } = at
    await visit(page, '/projectManagement/projectConfig')
    await pane(page).getByRole('button', { name: 'Add project' }).click()
    const form = dialog(page)
    await form.getByLabel('Project name').fill('Clicked works')
    await form.getByRole('button', { name: 'Choose on a map' }).click()
    const small = form.getByRole('application', { name: 'Map to choose a position' })
    await expect.poll(() => small.getAttribute('data-base')).toBe('gl')
    await small.locator('.map-base').click({ position: { x: 100, y: 90 } })
    await small.getByRole('button', { name: /Position/ }).waitFor()
    const longitude = form.getByLabel('Longitude')
    const before = Number(await longitude.inputValue())
    expect(Math.abs(before)).toBeGreaterThan(0)
    await small.locator('.map-base').click({ position: { x: 160, y: 90 } })
    await expect.poll(() => longitude.inputValue().then(Number)).toBeGreaterThan(before)
    await form.getByRole('button', { name: 'Save' }).click()
    await pane(page)
      .getByRole('row', { name: /Clicked works/ })
      .waitFor()
  })

  it('shows the tiles of the company’s map server, which only the server asks', async () => {
    const { page } = at
    await visit(page, '/systemManagement/info/enterprise')
    const form = pane(page)
    await form.getByLabel('Address of the tiles').fill(`http://127.0.0.1:${port}/{z}/{x}/{y}.png?key={key}`)
    await form.getByLabel('Attribution').fill('© Map makers')
    await form.getByLabel('Key', { exact: true }).fill('secret of maps')
    await form.getByRole('button', { name: 'Save' }).last().click()
    await page.getByText('Saved').first().waitFor()
    await form.getByRole('button', { name: 'Test the map server' }).click()
    await form.getByText('Set Map to Map server').waitFor()
    await form.getByLabel('Map', { exact: true }).click()
    await page.getByTitle('Map server', { exact: true }).click()
    await form.getByRole('button', { name: 'Save' }).first().click()
    await form.getByRole('button', { name: 'Test the map server' }).click()
    await form.getByText('The map server sends tiles.').waitFor()
    await visit(page, '/visualizationCenter/map')
    await ground('gl')
    await map().getByText('© Map makers').waitFor()
    await expect.poll(() => asked.filter((path) => path.endsWith('?key=secret%20of%20maps')).length).toBeGreaterThan(3)
    await settled(page)
  })

  it('draws the same on a canvas where there is no WebGL', async () => {
    const { page } = at
    await page.addInitScript(() => {
      const own = HTMLCanvasElement.prototype.getContext
      HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...more: unknown[]) {
        return kind.startsWith('webgl') ? null : (own as (...given: unknown[]) => unknown).call(this, kind, ...more)
      } as typeof own
    })
    await page.goto(`${at.penstock.origin}/map`)
    await page.getByRole('link', { name: 'Open the map with an account' }).click()
    await page.waitForURL(/visualizationCenter/)
    await ground('canvas')
    const green = () =>
      map()
        .locator('canvas')
        .evaluate((canvas: HTMLCanvasElement) => [...canvas.getContext('2d')!.getImageData(20, 20, 1, 1).data])
    await expect.poll(green).toEqual([40, 200, 90, 255])
    await mark('2 projects: No gateways').waitFor()
    await pane(page).getByRole('searchbox').fill('lake')
    await page.keyboard.press('Enter')
    await expect
      .poll(() =>
        map()
          .getByRole('button', { name: /No gateways/ })
          .count(),
      )
      .toBe(1)
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectFits(page)
    await settled(page)
    // Also nothing outside was asked for.
    expect(at.browser.problems).toEqual([])
  })
})
