import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSheet } from '../../server/files/sheetReader.ts'
import { openFrontDoor, password, temporary } from '../front-door.ts'
import { browserPath, downloaded, expectAccessible, expectFits, openBrowser, openSignedIn, startPenstock, why } from './browser.ts'

const projects = '/projectManagement/projectConfig'

describe.skipIf(!browserPath)(`somebody arranges a list for himself${why}`, () => {
  let penstock: Awaited<ReturnType<typeof startPenstock>>
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let page: Page
  beforeAll(async () => {
    penstock = await startPenstock({ PENSTOCK_DEMO: 'off', PENSTOCK_ADMIN_PASSWORD: password })
    const company = await (await openFrontDoor(penstock.origin)).ensureCompany()
    browser = await openBrowser(penstock.origin)
    page = browser.page
    await openSignedIn(page, penstock.origin, 'admin', password, projects)
    await page.evaluate(async (EnterpriseId) => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${localStorage.getItem('Authorization')}` }
      for (let i = 1; i <= 130; i++) {
        const body = JSON.stringify({
          ProjectName: `Station ${String(i).padStart(3, '0')}`,
          ProjectNo: i % 2 ? 'odd' : 'even',
          Address: `Street ${i}`,
          EnterpriseId,
        })
        await fetch('/api/Project/Project', { method: 'POST', headers, body })
      }
    }, company)
    await page.reload()
    await page.getByText('Station 001').waitFor()
  })
  afterAll(async () => {
    await browser?.close()
    await penstock?.close()
  })

  const headers = (on = page) =>
    on
      .locator('thead th')
      .allInnerTexts()
      .then((all) => all.map((text) => text.trim()).filter(Boolean))
  const poll = <T>(read: () => Promise<T> | T) => expect.poll(read, { timeout: 60_000 })
  const openChooser = (on = page) => on.getByRole('button', { name: 'Columns', exact: true }).click()
  const handle = (name: string, on = page) => on.getByRole('button', { name: new RegExp(`^Move ${name}:`) })

  it('[table-prefs] chooses columns, their order by keyboard, width and height, which a second browser shows by itself', async () => {
    const second = await openBrowser(penstock.origin)
    await openSignedIn(second.page, penstock.origin, 'admin', password, projects)
    await second.page.getByText('Station 001').waitFor()
    const before = await headers()
    await openChooser()
    await page.getByRole('checkbox', { name: 'Longitude' }).click()
    await poll(() => headers()).toContain('Longitude')
    await poll(() => headers(second.page)).toContain('Longitude')
    await handle('Longitude').focus()
    await page.keyboard.press('Home')
    await poll(() => headers().then((h) => h.indexOf('Longitude'))).toBeLessThan(2)
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toMatch(/^Move Longitude/)
    await page.getByLabel('Width of Longitude').fill('300')
    await page.getByText('Large', { exact: true }).click()
    const height = () =>
      page
        .locator('tbody tr[data-row-key]')
        .first()
        .evaluate((row) => row.getBoundingClientRect().height)
    await poll(height).toBeGreaterThanOrEqual(47)
    await expectAccessible(page)
    await page.reload()
    await page.getByText('Station 001').waitFor()
    expect((await headers()).indexOf('Longitude')).toBeLessThan(2)
    expect(await height()).toBeGreaterThanOrEqual(47)
    const wide = await page.locator('thead th', { hasText: 'Longitude' }).evaluate((th) => th.getBoundingClientRect().width)
    expect(wide).toBeGreaterThanOrEqual(290)
    await openChooser()
    await page.getByRole('button', { name: 'Reset columns' }).click()
    await poll(() => headers()).toEqual(before)
    await page.keyboard.press('Escape')
    expect(second.problems).toEqual([])
    await second.close()
  })

  it('moves a column by dragging it', async () => {
    await page.goto(`${penstock.origin}${projects}`)
    await openChooser()
    // It opens with a movement, and a drag wants things where they stay.
    await page
      .locator('.ant-popover:not([class*=zoom])')
      .filter({ has: page.locator('.columns') })
      .waitFor()
    const [, , third] = await page.locator('.columns-handle').all()
    const name = (await third!.getAttribute('aria-label'))!.replace(/^Move (.*):.*$/, '$1')
    await third!.dragTo(page.locator('.columns li').first())
    await poll(() => page.locator('.columns-handle').first().getAttribute('aria-label')).toMatch(`Move ${name}:`)
    await page.getByRole('button', { name: 'Reset columns' }).click()
    await page.keyboard.press('Escape')
  })

  it('keeps a view under a name, in the address, and opens with the default one', async () => {
    await page.goto(`${penstock.origin}${projects}`)
    await page.getByRole('textbox', { name: 'Search' }).fill('Station 01')
    await page.keyboard.press('Enter')
    await poll(() => page.url()).toContain('q=Station+01')
    await page.getByRole('button', { name: 'Views', exact: true }).click()
    await page.getByRole('textbox', { name: 'View name' }).fill('Tens')
    await page.keyboard.press('Enter')
    // Another browser of his has it by itself.
    const second = await openBrowser(penstock.origin)
    await openSignedIn(second.page, penstock.origin, 'admin', password, projects)
    await second.page.getByText('Station 001').waitFor()
    await second.page.getByRole('button', { name: 'Views', exact: true }).click()
    await second.page.getByRole('button', { name: 'Tens', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Make Tens the default view' }).click()
    const starred = second.page.getByRole('button', { name: 'Make Tens the default view' })
    await poll(() => starred.getAttribute('aria-pressed')).toBe('true')
    await second.close()
    await poll(() => page.getByRole('button', { name: 'Make Tens the default view' }).getAttribute('aria-pressed')).toBe('true')
    await page.goto(`${penstock.origin}${projects}`)
    await poll(() => page.url()).toContain('q=Station+01')
    await page.getByText('Station 019').waitFor()
    expect(await page.getByText('Station 020').count()).toBe(0)
    await page.getByRole('button', { name: 'Views: Tens', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText('Station 020').waitFor()
    await page.getByRole('button', { name: 'Views', exact: true }).click()
    await page.getByRole('button', { name: 'Delete view Tens' }).click()
    await page.getByText('Save the current filters').waitFor()
    await page.keyboard.press('Escape')
  })

  it('takes along what is filtered, as a sheet and as text, with one press; the tray comes when it is asked for', async () => {
    await page.goto(`${penstock.origin}${projects}?q=Station+01&sort=-ProjectName`)
    await page.getByText('Station 019').waitFor()
    const tray = page.getByRole('region', { name: 'Exports' })
    const saved = async (press: () => Promise<unknown>) => {
      const download = await downloaded(page, press)
      const file = join(temporary(), 'list')
      await download.saveAs(file)
      return { name: download.suggestedFilename(), content: readFileSync(file) }
    }
    const choose = async (item: string) => {
      // While one is being made, the button is busy and takes no press.
      await page.locator('button[aria-label=Export]:not(.ant-btn-loading)').click()
      await page.getByRole('menuitem', { name: item }).click()
      // While the menu is closing, a press of its button is not another opening.
      await page.getByRole('menuitem', { name: item }).waitFor({ state: 'hidden' })
    }
    const sheet = await saved(() => choose('Export Excel (.xlsx)'))
    const text = await saved(() => choose('Export CSV'))
    expect(sheet.name).toMatch(/^projects-station-01-\d{8}-\d{4}\.xlsx$/)
    expect(text.name).toMatch(/^projects-station-01-\d{8}-\d{4}\.csv$/)
    const rows = await readSheet(sheet.content)
    expect(rows[0]![0]).toBe('Project name')
    expect(rows.slice(1).map((row) => row[0])).toEqual(Array.from({ length: 10 }, (_, i) => `Station 01${9 - i}`))
    expect(text.content.toString()).toContain('\r\nStation 010')
    expect(await tray.count()).toBe(0)
    // Another screen, and another visit: the files are there, above the list and not over it.
    await page.goto(`${penstock.origin}/projectManagement/gatewayManagement?exports`)
    const again = await saved(() => tray.getByRole('button', { name: `Download ${sheet.name}` }).click())
    expect(again.content.equals(sheet.content)).toBe(true)
    const below = await page.getByRole('heading', { level: 1 }).boundingBox()
    const above = await tray.boundingBox()
    expect(above!.y + above!.height).toBeLessThanOrEqual(below!.y)
    await expectAccessible(page)
    await tray.getByRole('button', { name: `Remove ${sheet.name}` }).click()
    await tray.getByText(sheet.name).waitFor({ state: 'detached' })
    await tray.getByRole('button', { name: 'Close exports' }).click()
  })

  it('fills the list from a sheet: first sees what is wrong, then what would happen, then it does', async () => {
    await page.goto(`${penstock.origin}${projects}`)
    await page.getByText('Station 001').waitFor()
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Import' }).click()
    const dialog = page.getByRole('dialog')
    const choose = (text: string) =>
      dialog.locator('input[type=file]').setInputFiles({ name: 'projects.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await choose('Project name,Longitude\nStation 001,far\n')
    await dialog.getByRole('row', { name: /2 Longitude/ }).waitFor()
    expect(await dialog.getByRole('button', { name: 'Import', exact: true }).isDisabled()).toBe(true)
    await choose('Project name,Remark\nStation 001,from a sheet\nStation 999,\n')
    await dialog.getByText('1 to add, 1 to update').waitFor()
    await dialog.getByText('— → from a sheet').waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('1 added, 1 updated').waitFor()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText('from a sheet').waitFor()
  })

  it('[search-field-types] searches by tree, dialog, suggestions, a day or months, by keyboard and in the address', async () => {
    await page.evaluate(async () => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${localStorage.getItem('Authorization')}` }
      const make = async (path: string, body: object) =>
        (await (await fetch(`/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json()).Data as { Id: number }
      const works = await make('/System/Organ', { OrganName: 'Waterworks' })
      const lab = await make('/System/Organ', { OrganName: 'Laboratory', ParentOrganId: works.Id })
      await make('/System/Post', { PostName: 'Chemist', BelongOrganId: lab.Id })
      await make('/System/Post', { PostName: 'Fitter', BelongOrganId: works.Id })
      const { Items } = (await (await fetch('/api/Project/Project/List?Search=Station+042', { headers })).json()).Data
      await make('/Project/Gateway', { GatewayName: 'Of 42', SN: 'SEARCH000042', ProjectId: Items[0].Id })
    })
    // A tree, in a popup; a platform administrator chooses the tenant first.
    await page.goto(`${penstock.origin}/systemManagement/position?EnterpriseId=1`)
    await page.getByText('Chemist').waitFor()
    await page.getByRole('combobox', { name: 'Organisation' }).click()
    await page.locator('.ant-select-tree').getByText('Laboratory').click()
    await poll(() => page.url()).toContain('BelongOrganId=')
    await page.getByText('Fitter').waitFor({ state: 'detached' })
    await page.getByText('Chemist').waitFor()
    // A dialog, opened and left by the keyboard.
    await page.goto(`${penstock.origin}/projectManagement/gatewayManagement`)
    await page.getByText('Of 42').waitFor()
    await page.getByRole('button', { name: 'Choose: Project' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Choose: Project' })
    await dialog.getByRole('searchbox').fill('Station 041')
    await page.keyboard.press('Enter')
    await dialog.getByText('Station 042', { exact: true }).waitFor({ state: 'detached' })
    await expectAccessible(page)
    await dialog.getByText('Station 041', { exact: true }).click()
    await poll(() => page.url()).toContain('ProjectId=')
    await page.getByText('Of 42').waitFor({ state: 'detached' })
    // What the address says, a reload shows.
    await page.reload()
    await page.getByText('No results. Change or clear the filters.').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).first().click()
    await page.getByText('Of 42').waitFor()
    // Suggestions, and days: the log has fields enough to fold.
    await page.goto(`${penstock.origin}/systemManagement/log`)
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByRole('combobox', { name: 'Account' }).pressSequentially('adm')
    await page.getByTitle('admin').click()
    await poll(() => page.url()).toContain('UserNO=admin')
    const from = page.getByRole('textbox', { name: 'Time' }).first()
    await from.click()
    await page.locator('.ant-picker-dropdown:visible').getByText('One day', { exact: true }).click()
    await page.getByRole('textbox', { name: 'Time' }).click()
    await page.locator('.ant-picker-dropdown:visible').getByText('Today').click()
    await poll(() => decodeURIComponent(page.url())).toMatch(/Time=(\d{4}-\d\d-\d\d)~\1/)
    await page.getByRole('button', { name: 'Fewer filters' }).click()
    await page.getByRole('button', { name: /(^|filter )Filters/ }).waitFor()
    await expectFits(page)
  })

  it('has a removed post back for some seconds, and is rid of it afterwards', async () => {
    await page.goto(`${penstock.origin}/systemManagement/position`)
    await page.getByText('Chemist').waitFor()
    const stored = () =>
      page.evaluate(async () => {
        const headers = { authorization: `Bearer ${localStorage.getItem('Authorization')}` }
        return (await (await fetch('/api/System/Post/List?Search=Chemist', { headers })).json()).Data.TotalCount as number
      })
    const remove = async () => {
      await page.getByRole('button', { name: 'More actions: Chemist' }).click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      await page.getByRole('cell', { name: 'Chemist', exact: true }).waitFor({ state: 'detached' })
    }
    await remove()
    expect(await stored()).toBe(1)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('cell', { name: 'Chemist', exact: true }).waitFor()
    await remove()
    await poll(stored).toBe(0)
    expect(await page.getByRole('cell', { name: 'Chemist', exact: true }).count()).toBe(0)
  })

  it('[search-input-cut] reads that a search has at most 40 characters', async () => {
    await page.getByRole('textbox', { name: 'Search' }).fill('x'.repeat(60))
    await page.getByText('Up to 40 characters.').waitFor()
    expect(await page.getByRole('textbox', { name: 'Search' }).inputValue()).toHaveLength(40)
  })

  it('finds the same on a phone, without what needs a table', async () => {
    const phone = await openBrowser(penstock.origin, { width: 390, height: 844, language: 'zh' })
    await openSignedIn(phone.page, penstock.origin, 'admin', password, projects)
    await phone.page.getByText('Station 001').waitFor()
    await expectFits(phone.page)
    await phone.page.getByRole('textbox', { name: '搜索' }).fill('字'.repeat(41))
    await phone.page.getByText('最多输入40个字符').waitFor()
    await expectAccessible(phone.page)
    expect([...phone.problems, ...browser.problems]).toEqual([])
    await phone.close()
  })
})
