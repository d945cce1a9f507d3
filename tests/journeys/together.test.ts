// One picture, several people: an editor, one who takes over, viewers, and a wall display. Server and browser are killed while they work.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { emptyScene } from '../../contract/picture/scene.ts'
import { type FrontDoor, openFrontDoor, password, temporary, until } from '../front-door.ts'
import { browserPath, dialog, expectAccessible, flags, journey, openBrowser, signIn, visit } from './browser.ts'

/** A separate Chromium with a persistent profile. */
const startChromium = async (profile: string) => {
  const more = ['--headless', '--remote-debugging-port=0', '--window-size=1440,900', `--user-data-dir=${profile}`]
  const child: ChildProcess = spawn(browserPath!, [...flags, ...more], { detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr!.on('data', (chunk) => (said += chunk))
  const address = await until('the browser', () => /listening on (ws:\S+)/.exec(said)?.[1])
  const [context] = (await chromium.connectOverCDP(address)).contexts()
  await context!.addInitScript(() => {
    localStorage.setItem('penstock.language', 'en')
    localStorage.setItem('penstock.loginHistory', '["rita"]')
  })
  const page = context!.pages()[0] ?? (await context!.newPage())
  page.setDefaultTimeout(60_000)
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode) return
    const ended = once(child, 'exit')
    process.kill(-child.pid!, 'SIGKILL')
    await ended
  }
  return { page, kill }
}

journey('one picture, several people', {}, (at) => {
  const path = '/Project/Ddt/Flowchart'
  const profile = temporary()
  let door: FrontDoor
  let rita: string
  let id = 0
  let hers: Awaited<ReturnType<typeof startChromium>>
  const others: Awaited<ReturnType<typeof openBrowser>>[] = []
  const box = (item: string, x: number) => ({ kind: 'shape', shape: 'rectangle', fill: '#c0c0c0', id: item, x, y: 200, w: 100, h: 80 })
  const text = (words: string) => ({ kind: 'text', id: 'title', text: words, size: 30, x: 100, y: 60, w: 400, h: 40 })
  const data = <T = { Id: number }>(path: string, body: object) => door.data<T>('POST', path, body, rita)
  type Item = { id: string; x: number; y: number }
  const stored = async (item: string) =>
    (await data<{ Scene: { items: Item[] } }>(`/V3${path}/Detail`, { Id: id, Draft: true })).Scene.items.find((one) => one.id === item)!
  const place = (page: Page, item: string) => page.locator(`.edit-picture [data-item="${item}"]`)
  const isSaved = (page: Page) => page.getByRole('status').filter({ hasText: /^Saved$/ })
  const saved = (page: Page) => isSaved(page).waitFor()
  const draw = `/projectManagement/configEditor?Id=`
  /** Half a drag: what follows is up to the test. */
  const grab = async (page: Page, item: string) => {
    const { x, y, width, height } = (await place(page, item).boundingBox())!
    const [left, top] = [x + width / 2, y + height / 2]
    await page.mouse.move(left, top)
    await page.mouse.down()
    await page.mouse.move(left + 30, top + 30, { steps: 3 })
    return { end: () => page.mouse.move(left + 60, top + 60, { steps: 3 }).then(() => page.mouse.up()) }
  }
  const openHers = async () => {
    hers = await startChromium(profile)
    const { page } = hers
    await page.goto(at.penstock.origin + draw + id)
    // Whether the profile still knows her depends on what the browser had written.
    await page.locator('#UserNO').or(place(page, 'a')).waitFor()
    if (await page.locator('#UserNO').count()) await signIn(page, at.penstock.origin, 'rita', password, draw + id)
    await place(page, 'a').waitFor()
    return page
  }
  const look = async (path: string, size = {}) => {
    const other = await openBrowser(at.penstock.origin, size)
    others.push(other)
    await other.page.goto(at.penstock.origin + path)
    return other.page
  }
  let viewer: Page
  let wall: Page
  const bothSee = async (words: string, within = 20_000) => {
    for (const page of [viewer, wall]) await page.locator('.picture').getByText(words).waitFor({ timeout: within })
  }

  beforeAll(async () => {
    const { origin } = at.penstock
    door = await openFrontDoor(origin)
    const manager = { Name: 'Riverside', ManagerNO: 'rita', ManagerName: 'Rita' }
    const { OneTimePwd } = await door.data<{ OneTimePwd: string }>('POST', '/System/Enterprise', manager)
    await door.data('POST', '/System/User/SetPwd', { OldPwd: OneTimePwd, NewPwd: password }, await door.login('rita', OneTimePwd))
    rita = await door.login('rita')
    const { Id: ProjectId } = await data('/Project/Project', { ProjectName: 'Water works' })
    id = (await data(path, { FlowchartName: 'Hall', ProjectId })).Id
    for (const words of ['First', 'Second']) {
      await data(`${path}/Save`, { Id: id, Scene: { ...emptyScene(), items: [text(words), box('a', 100), box('b', 500)] } })
      await data(`${path}/Publish`, { Id: id })
    }
    wall = await look('/drag', { width: 1920, height: 1080 })
    const Code = (await wall.getByTestId('tv-code').locator('strong').textContent())!.replace(/\s/g, '')
    const Playlist = [{ Kind: 1, Id: id, Seconds: 3600 }]
    await data('/Project/Ddt/Television/Pair', { Code, TelevisionName: 'Lobby', ProjectId, Playlist })
    viewer = await look('/login')
    await signIn(viewer, origin, 'admin', password, `/projectDetailsManagement/flowChart/${id}`)
    await bothSee('Second')
  })
  afterAll(async () => {
    await hers?.kill()
    for (const { close } of others) await close()
  })

  it('who comes second looks on and sees what is saved; who takes over changes it, and the first one loses nothing', async () => {
    const his = at.page
    const page = await openHers()
    await saved(page)
    await visit(his, draw + id)
    await his.getByText('Rita is editing this picture. The saved version is shown.').waitFor()
    await place(page, 'a').click()
    await page.keyboard.press('Shift+ArrowDown')
    await expect.poll(async () => (await stored('a')).y).toBe(216)
    const shown = () => place(his, 'a').getAttribute('transform')
    await expect.poll(shown).toBe('translate(100 216)')
    // She has not saved this yet when he takes over.
    await page.keyboard.press('Shift+ArrowDown')
    await his.getByRole('button', { name: 'Take over' }).click()
    await page.getByText('is editing this picture. Your changes are kept in this browser.').waitFor()
    await expectAccessible(page)
    await place(his, 'b').click()
    await his.keyboard.press('Shift+ArrowDown')
    await expect.poll(async () => (await stored('b')).y).toBe(216)
    await page.reload()
    await page.getByText('is editing this picture. Your changes are kept in this browser.').waitFor()
    await visit(his, '/projectManagement/configManagement')
    await page.getByRole('button', { name: 'Compare…' }).click()
    await dialog(page).getByText('2 × shape moved').waitFor()
    await expect.poll(() => dialog(page).locator('.edit-side svg').count()).toBe(2)
    await expectAccessible(page)
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/conflict.png` })
    await dialog(page).getByRole('button', { name: 'Save this browser’s' }).click()
    await saved(page)
    expect([(await stored('a')).y, (await stored('b')).y]).toEqual([232, 200])
  })

  it('the server is killed in the middle of a drag: the drag is saved by itself when it is back, and display and viewer go on', async () => {
    const { page } = hers
    const { end } = await grab(page, 'b')
    await at.penstock.kill()
    await end()
    await page.getByRole('status').filter({ hasText: 'Not saved' }).waitFor()
    await wall.getByRole('alert').waitFor()
    await bothSee('Second')
    await at.penstock.again()
    await saved(page)
    expect((await stored('b')).y).toBeGreaterThan(230)
    await wall.getByRole('alert').waitFor({ state: 'detached' })
    await bothSee('Second')
  })

  it('her browser is killed in the middle of a drag: what was saved is there, and nothing stands in the way of drawing on', async () => {
    const before = await stored('b')
    await grab(hers.page, 'b')
    await hers.kill()
    const page = await openHers()
    // After signing in again, a person takes over from herself. The profile may hold an older version than the server, so she is asked.
    const takeOver = page.getByRole('button', { name: 'Take over' })
    const compare = page.getByRole('button', { name: 'Compare…' })
    await takeOver.or(compare).or(isSaved(page)).first().waitFor()
    if (await takeOver.count()) await takeOver.click()
    await compare.or(isSaved(page)).first().waitFor()
    if (await compare.count()) {
      expect(await page.getByText('Someone else has saved').count()).toBe(0)
      await compare.click()
      await dialog(page).getByRole('button', { name: 'Load the saved one' }).click()
    }
    await saved(page)
    expect(await stored('b')).toMatchObject({ x: before.x, y: before.y })
    await place(page, 'a').click()
    await page.keyboard.press('Shift+ArrowDown')
    await expect.poll(async () => (await stored('a')).y).toBe(248)
    await visit(page, '/projectManagement/configManagement')
  })

  it('an old version is published again while both look on, and what is taken back leaves them within seconds', async () => {
    const his = at.page
    await visit(his, `/projectManagement/configHistory?Id=${id}`)
    const oldest = his.getByRole('row').nth(2)
    await oldest.getByRole('link', { name: 'Look at it' }).click()
    await his.getByRole('heading', { name: 'Version 1 of Hall' }).waitFor()
    await his.locator('.picture').getByText('First').waitFor()
    await his.getByRole('link', { name: 'Versions', exact: true }).click()
    await oldest.getByRole('button', { name: 'Restore' }).click()
    await dialog(his).getByRole('button', { name: 'Restore' }).click()
    await his.getByText('Version 1 is the draft now.').waitFor()
    await data(`${path}/Publish`, { Id: id })
    await bothSee('First', 5000)
    await data(`${path}/CancelPublish`, { Id: id })
    await wall
      .getByText('Nothing to show')
      .waitFor({ timeout: 5000 })
      .catch(() => undefined)
    await expect.poll(() => wall.locator('.picture').count()).toBe(0)
    await expect.poll(() => viewer.locator('.picture').count()).toBe(0)
    await data(`${path}/Publish`, { Id: id })
    await viewer.reload()
    await viewer.locator('.picture').getByText('First').waitFor()
    await wall.locator('.picture').getByText('First').waitFor({ timeout: 60_000 })
  })
})
