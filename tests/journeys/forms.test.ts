import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { password } from '../house.ts'
import { browserPath, expectAccessible, openBrowser, signIn, startPenstock, why } from './browser.ts'

const projects = '/projectManagement/projectConfig'

describe.skipIf(!browserPath)(`what is entered in a form${why}`, () => {
  let penstock: Awaited<ReturnType<typeof startPenstock>>
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let page: Page
  beforeAll(async () => {
    penstock = await startPenstock({ PENSTOCK_DEMO: 'off', PENSTOCK_ADMIN_PASSWORD: password })
    browser = await openBrowser(penstock.origin)
    page = browser.page
    await signIn(page, penstock.origin, 'admin', password, projects)
  })
  afterAll(async () => {
    await browser?.close()
    await penstock?.close()
  })

  const form = () => page.getByRole('dialog').filter({ has: page.locator('form') })
  const field = (label: string) => form().getByLabel(label, { exact: true })
  const save = () => form().getByRole('button', { name: 'Save' }).click()
  const question = () => page.getByRole('dialog').filter({ hasText: 'Discard what you have entered?' })
  const edit = async (title: string) => {
    await page
      .getByRole('row', { name: new RegExp(title) })
      .getByRole('button', { name: /^Edit/ })
      .click()
    await form().waitFor()
  }
  /** The same person in another window, by the API. */
  const elsewhere = (values: object) =>
    page.evaluate(async (body) => {
      const headers = { Authorization: `Bearer ${localStorage.getItem('Authorization')}`, 'content-type': 'application/json' }
      const list = await (await fetch('/api/Project/Project/List', { headers })).json()
      const path = '/api/Project/Project'
      const answer = await fetch(path, { method: 'PUT', headers, body: JSON.stringify({ Id: list.Data.Items[0].Id, ...body }) })
      return (await answer.json()).StatusCode as number
    }, values)

  it('is asked for before the back button would lose it, and stays when the person stays', async () => {
    await page.getByRole('menuitem', { name: 'Gateways' }).click()
    await page.waitForURL(/gateway/i)
    await page.getByRole('menuitem', { name: 'Projects' }).click()
    await page.waitForURL(`**${projects}`)
    await page.getByRole('button', { name: 'Add project' }).first().click()
    await field('Project name').fill('Unsaved')
    await page.evaluate(() => history.back())
    await question().getByRole('button', { name: 'Keep editing' }).click()
    await question().waitFor({ state: 'hidden' })
    expect(new URL(page.url()).pathname).toBe(projects)
    expect(await field('Project name').inputValue()).toBe('Unsaved')

    await page.keyboard.press('Tab')
    await page.evaluate(() => history.back())
    await question().getByRole('button', { name: 'Discard' }).click()
    await page.waitForURL(/gateway/i)
    await page.goto(penstock.origin + projects)
  })

  it('is shown beside what somebody else saved first, field by field, and the person chooses', async () => {
    await page.getByRole('button', { name: 'Add project' }).first().click()
    await field('Project name').fill('Pumping station')
    await save()
    await form().waitFor({ state: 'hidden' })
    await edit('Pumping station')
    await field('Project name').fill('Mine')
    expect(await elsewhere({ ProjectName: 'Theirs' })).toBe(200)
    await save()
    const clash = form().getByRole('alert').filter({ hasText: 'Somebody else has saved this record meanwhile.' })
    await clash.waitFor()
    await clash.getByText('Mine', { exact: false }).first().waitFor()
    await clash.getByText('Theirs', { exact: false }).first().waitFor()
    expect(await form().getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await expectAccessible(page)
    await clash.getByRole('radio', { name: /^Theirs/ }).check()
    await clash.getByRole('button', { name: 'Use these values' }).click()
    expect(await field('Project name').inputValue()).toBe('Theirs')
    await field('Project name').fill('Both')
    await save()
    await form().waitFor({ state: 'hidden' })
    await page.getByText('Both').first().waitFor()
    expect(browser.problems).toEqual([])
  })
})
