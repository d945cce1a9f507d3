import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { password } from '../front-door.ts'
import { browserPath, openBrowser, openSignedIn, startPenstock, why } from './browser.ts'
import { walk, walks } from './walk.ts'

describe.skipIf(!browserPath)(`an administrator arranges the company${why}`, () => {
  let penstock: Awaited<ReturnType<typeof startPenstock>>
  let browser: Awaited<ReturnType<typeof openBrowser>>
  beforeAll(async () => {
    penstock = await startPenstock({ PENSTOCK_DEMO: 'off', PENSTOCK_ADMIN_PASSWORD: password })
    browser = await openBrowser(penstock.origin)
    await openSignedIn(browser.page, penstock.origin, 'admin', password, '/systemManagement/organization')
  })
  afterAll(async () => {
    await browser?.close()
    await penstock?.close()
  })

  const dialog = () => browser.page.getByRole('dialog')
  const field = (label: string) => dialog().getByLabel(new RegExp(`^${label}`))
  const save = async () => {
    await dialog().getByRole('button', { name: 'Save' }).click()
    await dialog().waitFor({ state: 'hidden' })
  }
  const pane = () => browser.page.locator('.pane:visible')
  const node = (name: string) => pane().locator('.ant-tree-treenode:not([aria-hidden])', { hasText: name })
  const add = async (button: string, label: string, name: string) => {
    // The name of an icon may precede it.
    await pane()
      .getByRole('button', { name: new RegExp(`${button}$`) })
      .first()
      .click()
    await field(label).first().fill(name)
    await save()
    await node(name).waitFor()
  }
  const levelOf = (name: string) => node(name).locator('.ant-tree-indent-unit').count()

  it('adds organisations at the top and below another, and finds them', async () => {
    const { page } = browser
    await page.getByText('No organisations yet.').waitFor()
    await add('Add organisation', 'Organisation', 'Northern works')
    await add('Add organisation below', 'Organisation', 'Pumping')
    expect(await levelOf('Pumping')).toBe(1)
    await add('Add organisation', 'Organisation', 'Southern works')
    expect(await levelOf('Southern works')).toBe(0)
    await pane().getByPlaceholder('Search').fill('pump')
    await expect.poll(() => node('Southern works').count()).toBe(0)
    await node('Pumping').waitFor()
    await pane().getByPlaceholder('Search').fill('')
    await node('Southern works').waitFor()
  })

  it('renames in place with the keyboard', async () => {
    const { page } = browser
    await node('Southern works').locator('.ant-tree-node-content-wrapper').click()
    await page.keyboard.press('F2')
    await page.getByLabel('New name for Southern works').fill('Harbour')
    await page.keyboard.press('Enter')
    await node('Harbour').waitFor()
  })

  it('moves by dialog and by drag, and stays moved', async () => {
    const { page } = browser
    await node('Harbour').locator('.ant-tree-node-content-wrapper').click()
    await pane().getByRole('button', { name: 'Move', exact: true }).click()
    await dialog().getByLabel('Parent').click()
    await page.locator('.ant-select-dropdown:visible').getByText('Pumping', { exact: true }).click()
    await dialog().getByRole('button', { name: 'Move' }).click()
    await expect.poll(() => levelOf('Harbour')).toBe(2)
    const target = node('Northern works').locator('.ant-tree-node-content-wrapper')
    await node('Harbour').locator('.ant-tree-node-content-wrapper').dragTo(target)
    await expect.poll(() => levelOf('Harbour')).toBe(1)
    await page.reload()
    await node('Harbour').waitFor()
    expect(await levelOf('Harbour')).toBe(1)
  })

  it('shows what uses an organisation that cannot be deleted, with a link to it', async () => {
    const { page } = browser
    await page.goto(`${penstock.origin}/systemManagement/department`)
    await add('Add department', 'Department', 'Maintenance')
    await page.goto(`${penstock.origin}/systemManagement/organization`)
    await node('Northern works').locator('.ant-tree-node-content-wrapper').click()
    await pane().getByRole('button', { name: 'Delete', exact: true }).click()
    await dialog().getByRole('button', { name: 'Delete' }).click()
    await page.getByText("You can't delete “Northern works”").filter({ visible: true }).first().waitFor()
    await dialog().getByRole('link', { name: 'Maintenance' }).click()
    await page.waitForURL(/\/systemManagement\/department\?node=/)
    await pane().getByRole('heading', { name: 'Maintenance' }).waitFor()
  })

  it('adds a post, a region and a value of a dictionary', async () => {
    const { page } = browser
    await page.goto(`${penstock.origin}/systemManagement/position`)
    await pane().getByRole('button', { name: 'Add job title' }).first().click()
    await field('Job title').first().fill('Shift supervisor')
    await field('Organisation').click()
    await page.locator('.ant-select-dropdown:visible').getByText('Pumping', { exact: true }).click()
    await save()
    await pane().getByText('Shift supervisor').first().waitFor()

    await page.goto(`${penstock.origin}/systemManagement/region`)
    await add('Add region', 'Region', 'Coast')

    await page.goto(`${penstock.origin}/systemManagement/dictContent`)
    await pane().getByText('Enabled').first().waitFor()
    await pane().getByRole('button', { name: 'Add lookup value' }).first().click()
    await field('Stored value').fill('2')
    await field('Name').first().fill('On trial')
    await save()
    await pane().getByText('On trial').first().waitFor()
    await page.goto(`${penstock.origin}/systemManagement/dictType`)
    await page.getByText('TimeZoneDic').waitFor()
  })

  it.concurrent.each(walks)('all of it speaks $first and $second, fits $width px and reads well (dark: $isDark)', (steps) =>
    walk(steps, {
      origin: penstock.origin,
      password,
      screens: ['organization', 'department', 'position', 'region', 'dictType', 'dictContent'].map((name) => `/systemManagement/${name}`),
      shown: (page) =>
        page.locator('.pane:visible').locator('.ant-tree-treenode:not([aria-hidden]), .ant-table-row, .card').first().waitFor(),
      untranslated: /\b(organ|department|post|region|dict|dataDict|tree|menu|empty)\.[A-Za-z_]\w+/,
    }),
  )
})
