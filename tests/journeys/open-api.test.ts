// An administrator gives a program its key, and the program's author tries calls with it on the page of the documentation.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { password } from '../front-door.ts'
import { browserPath, expectAccessible, openBrowser, openSignedIn, startPenstock, why } from './browser.ts'

describe.skipIf(!browserPath)(`a program's key${why}`, () => {
  let penstock: Awaited<ReturnType<typeof startPenstock>>
  let browser: Awaited<ReturnType<typeof openBrowser>>
  const key = { access: '', secret: '' }
  beforeAll(async () => {
    penstock = await startPenstock({ PENSTOCK_ADMIN_PASSWORD: password, PENSTOCK_DEMO: 'off' })
    browser = await openBrowser(penstock.origin)
    await openSignedIn(browser.page, penstock.origin, 'admin', password, '/systemManagement/interfaceManage')
  })
  afterAll(async () => {
    await browser?.close()
    await penstock?.close()
  })

  it('is shown once, and does nothing before it is given permissions', async () => {
    const { page } = browser
    await page.getByRole('heading', { name: 'Open API' }).waitFor()
    await page.locator('.page-head, .pane:visible').getByRole('button', { name: 'Add API credential' }).first().click()
    await page.getByLabel('Name').last().fill('MES')
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog').filter({ hasText: 'The secret is shown only once' })
    await dialog.waitFor()
    ;[key.access, key.secret] = (await dialog.locator('dd').allInnerTexts()).map((text) => text.trim()) as [string, string]
    expect(key.access).toMatch(/^PK/)
    await dialog.getByRole('button', { name: "I've saved it" }).click()
    await page.getByText('None yet').waitFor()
    await expectAccessible(page)
    const answer = await fetch(`${penstock.origin}/api/Project/Project/List`, {
      headers: { authorization: `Bearer ${key.access}.${key.secret}` },
    })
    expect(answer.status).toBe(403)
  })

  it('gets the permission to read projects, and reads them as bearer and signed', async () => {
    const { page } = browser
    await page.getByRole('button', { name: 'Permissions: MES' }).click()
    const dialog = page.getByRole('dialog').filter({ hasText: 'Permissions of MES' })
    await dialog.getByPlaceholder('Search').fill('projects')
    await dialog
      .locator('.ant-tree-treenode', { hasText: /^Projects$/ })
      .locator('.ant-tree-checkbox')
      .click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    // The screen and its four buttons.
    await page.getByText('Permissions: 5').waitFor()
    const docs = await page.context().newPage()
    await docs.goto(`${penstock.origin}/api/docs`)
    await docs.fill('#accessKey', key.access)
    await docs.fill('#secret', key.secret)
    await docs.fill('#find', 'GET /api/Project/Project/List')
    const call = docs.locator('main > details:visible').first()
    await call.locator('summary').click()
    for (const scheme of ['bearer', 'hmac']) {
      await docs.selectOption('#scheme', scheme)
      await call.getByRole('button', { name: 'Send' }).click()
      await expect.poll(() => call.locator('pre').first().textContent()).toMatch(/^HTTP 200[\s\S]*"TotalCount"/)
    }
    await docs.close()
    expect(browser.problems).toEqual([])
  })
})
