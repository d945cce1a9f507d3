// What the one who runs an installation watches: where he is signed in, and what the machine does.
import { beforeAll, expect, it } from 'vitest'
import type { MachineUse } from '../../areas/system/monitoring/contract.ts'
import { type FrontDoor, openFrontDoor, password, until } from '../front-door.ts'
import { dialog, expectAccessible, expectFits, journey, openBrowser, pane, settled, signIn, visit } from './browser.ts'
import { giveTurn, takeTurn } from './turn.ts'

const account = '/systemManagement/personal/info'
const minute = 60_000

journey('what one watches', { target: account, byForm: true }, (at) => {
  let door: FrontDoor
  beforeAll(async () => {
    door = await openFrontDoor(at.penstock.origin)
  })

  it('“sign out there” ends only that session, and its person is informed', async () => {
    const { page } = at
    const elsewhere = await openBrowser(at.penstock.origin)
    try {
      await signIn(elsewhere.page, at.penstock.origin, 'admin', password, account)
      const button = { name: 'End session' }
      await elsewhere.page.getByText('This session').waitFor()
      await page.reload()
      await pane(page).getByText('This session').waitFor()
      const there = pane(page)
        .getByRole('row')
        .filter({ has: page.getByRole('button', button) })
      // The test's own session is the older one.
      await expect.poll(() => there.count()).toBe(2)
      const sessions = () => door.data<{ Session: string; Current: boolean; CreateTime: string }[]>('GET', '/System/User/Session')
      const agents = await there.allInnerTexts()
      const theirs = agents.findIndex((text) => text.includes('X11') || text.includes('Linux'))
      expect(theirs).toBeGreaterThanOrEqual(0)
      await there.nth(theirs).getByRole('button', button).click()
      await expect.poll(() => there.count()).toBe(1)
      expect(await sessions()).toHaveLength(2)
      await dialog(elsewhere.page).getByRole('button', { name: 'Sign in again' }).click()
      await elsewhere.page.waitForURL((url) => url.pathname === '/login')
      await page.reload()
      await pane(page).getByText('This session').waitFor()
    } finally {
      await elsewhere.close()
    }
  })

  it('the plots of the machine draw what was measured, say it in figures, zoom in and come back', { timeout: 600_000 }, async () => {
    const { page } = at
    const use = (query = '') => door.data<MachineUse>('GET', `/System/Monitor/MachineUseInfo${query}`)
    await giveTurn()
    await until('a minute to be measured', async () => (await use()).History.Time.length > 0, 4 * minute)
    await takeTurn()
    await visit(page, '/systemManagement/monitor')
    await pane(page).getByRole('heading', { name: 'Server health' }).waitFor()
    await settled(page)
    const shares = pane(page).getByRole('region', { name: 'CPU, memory, disk' })
    const plots = pane(page).locator('.monitor-plot canvas')
    await expect.poll(() => plots.count()).toBe(4)
    // Without a pointer it shows the latest values.
    const legend = shares.locator('.monitor-legend')
    await expect.poll(() => legend.textContent()).toMatch(/Memory: [\d.,]+ %/)
    const shown = Number(/Memory: ([\d.]+) %/.exec((await legend.textContent())!)![1])
    const measured = (await use()).History.Memory.filter((v) => v !== null)
    expect(shown).toBeGreaterThanOrEqual(Math.min(...measured) - 0.1)
    expect(shown).toBeLessThanOrEqual(Math.max(...measured) + 0.1)
    /** Pixels in the colour that the legend gives a line. */
    const coloured = (nth: number) =>
      shares.evaluate((section, nth) => {
        const swatch = section.querySelectorAll('.monitor-swatch')[nth]!
        const [r, g, b] = getComputedStyle(swatch).backgroundColor.match(/\d+/g)!.map(Number)
        const canvas = section.querySelector('canvas')!
        const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
        let found = 0
        for (let i = 0; i < data.length; i += 4) if (data[i] === r && data[i + 1] === g && data[i + 2] === b && data[i + 3] === 255) found++
        return found
      }, nth)
    for (const nth of [0, 1, 2]) await expect.poll(() => coloured(nth), { message: `line ${nth}` }).toBeGreaterThan(0)

    const asked = page.waitForRequest((r) => r.url().includes('MachineUseInfo'))
    await pane(page).getByText('7 d', { exact: true }).click()
    const { searchParams } = new URL((await asked).url())
    expect(Number(searchParams.get('End')) - Number(searchParams.get('Start'))).toBe(7 * 24 * 60 * minute)

    const over = (await shares.locator('.u-over').boundingBox())!
    const y = over.y + over.height / 2
    await page.mouse.move(over.x + over.width * 0.5, y)
    await page.mouse.down()
    await page.mouse.move(over.x + over.width * 0.9, y, { steps: 5 })
    await page.mouse.up()
    const back = pane(page).getByRole('button', { name: 'Back to live' })
    await back.click()
    await back.waitFor({ state: 'detached' })
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectFits(page)
    expect(at.browser.problems).toEqual([])
  })
})
