// Links and televisions: people without an account see what somebody shares, and no longer.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { openFrontDoor } from '../front-door.ts'
import { dialog, expectAccessible, expectFits, journey, openBrowser, pane, visit } from './browser.ts'

const remove = async (page: Page, name: RegExp) => {
  const row = pane(page).getByRole('row', { name })
  await row
    .getByRole('button', { name: /^More actions/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
}

journey('sharing', { env: {} }, (at) => {
  it('a picture is shared with a PIN, is seen without an account, and is gone when its link is removed', async () => {
    const { page, penstock } = at
    await visit(page, '/projectManagement/pictures')
    await pane(page).getByRole('link').first().click()
    await page.getByRole('button', { name: 'Share' }).click()
    await dialog(page).getByRole('switch', { name: 'Ask for a PIN' }).click()
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    const address = (await page.getByTestId('share-address').textContent())!
    const pin = (await page.getByTestId('share-pin').textContent())!
    await dialog(page).getByRole('button').last().click()
    const visitor = await openBrowser(penstock.origin, { width: 390, height: 844 })
    const seen = visitor.page
    try {
      await seen.goto(address)
      await seen.getByRole('textbox', { name: 'PIN' }).fill(pin === '000000' ? '000001' : '000000')
      await seen.getByRole('button', { name: 'Open' }).click()
      await seen.getByRole('alert').filter({ hasText: 'This PIN is wrong.' }).waitFor()
      await seen.getByRole('textbox', { name: 'PIN' }).fill(pin)
      await seen.getByRole('button', { name: 'Open' }).click()
      await expect.poll(() => seen.locator('.picture').textContent()).toMatch(/\d/)
      expect(new URL(seen.url()).search).toBe('')
      await expectAccessible(seen)
      await expectFits(seen)
      await visit(page, '/projectManagement/shareManagement')
      await remove(page, /./)
      await seen.getByRole('heading', { name: 'This link has ended' }).waitFor()
    } finally {
      await visitor.close()
    }
  })

  it('a television shows a code, is paired, plays a dashboard, and shows a code again when it is removed', async () => {
    const { page, penstock } = at
    const display = await openBrowser(penstock.origin, { width: 1920, height: 1080 })
    const tv = display.page
    try {
      await tv.goto(`${penstock.origin}/drag`)
      const code = (await tv.getByTestId('tv-code').locator('strong').textContent())!
      await visit(page, '/projectManagement/televisionManagement')
      await pane(page).getByRole('button', { name: 'Pair a television' }).click()
      await dialog(page).getByLabel('Code').fill(code)
      await dialog(page).getByRole('button', { name: 'Continue' }).click()
      await dialog(page).getByLabel('Name').fill('Lobby')
      await dialog(page).getByRole('button', { name: 'Add an entry' }).click()
      await dialog(page).getByRole('combobox', { name: '1: Dashboard' }).click()
      await page.getByTitle('Riverside Waterworks').last().click()
      await dialog(page).getByRole('button', { name: 'Pair a television' }).click()
      await expect.poll(() => tv.locator('.board-figure').first().textContent(), { timeout: 60_000 }).toMatch(/\d/)
      await tv.getByText(/Lobby · paired by/).waitFor()
      await expectAccessible(tv)
      await remove(page, /Lobby/)
      await tv.getByTestId('tv-code').waitFor()
    } finally {
      await display.close()
    }
  })

  it('[public-paths] each public address shows what its link names, and templates say where they open', async () => {
    const { origin } = at.penstock
    const door = await openFrontDoor(origin)
    const [project] = (
      await door.data<{ Items: { Id: number; EnterpriseId: number; ProjectName: string }[] }>('GET', '/Project/Project/List')
    ).Items
    const [picture] = await door.data<{ Id: number }[]>('GET', `/Project/Ddt/Flowchart?ProjectId=${project!.Id}&PlatformType=1`)
    const link = async (Kind: number, more: object) => {
      const given = { ShareName: `Link ${Kind}`, Kind, Hours: 24, WithPin: 0, EnterpriseId: project!.EnterpriseId, ...more }
      return (await door.data<{ Token: string }>('POST', '/Project/Ddt/Share', given)).Token
    }
    const [drawing, map, monitor] = [
      await link(1, { FlowchartId: picture!.Id }),
      await link(3, {}),
      await link(4, { ProjectId: project!.Id }),
    ]
    const { page, problems, close } = await openBrowser(origin, { width: 390, height: 844 })
    const texts = (selector: string) => expect.poll(() => page.locator(selector).first().innerHTML())
    try {
      for (const [path, token, selector, said] of [
        ['/draw', drawing, '.picture', /\d/],
        ['/drawapp', drawing, '.picture', /\d/],
        ['/map', map, '.shared-map', new RegExp(project!.ProjectName)],
        ['/mapMonitor', map, '.shared-map', new RegExp(project!.ProjectName)],
        ['/projectManagement/monitor', monitor, '.shared-project', /Active alarms.*Key values.*\d/],
      ] as const) {
        await page.goto(`${origin}${path}?share=${token}`)
        await texts(selector).toMatch(said)
        expect(new URL(page.url()).search).toBe('')
        await expectFits(page)
        await expectAccessible(page)
        await page.evaluate(() => sessionStorage.clear())
      }
      await page.goto(`${origin}/template`)
      await page
        .getByText(/Templates/)
        .first()
        .waitFor()
      await page.goto(`${origin}/draw`)
      await page.getByRole('heading', { name: 'Shared screen' }).waitFor()
      expect(problems).toEqual([])
    } finally {
      await close()
    }
  })
})
