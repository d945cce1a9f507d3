import { expect, it } from 'vitest'
import { expectAccessible, journey, pane } from './browser.ts'

const projects = '/projectManagement/projectConfig'

journey('what is entered in a form', { target: projects }, (at) => {
  const form = () => at.page.getByRole('dialog').filter({ has: at.page.locator('form') })
  const field = (label: string) => form().getByLabel(label, { exact: true })
  const save = () => form().getByRole('button', { name: 'Save' }).click()
  const question = () => at.page.getByRole('dialog').filter({ hasText: 'Discard unsaved changes?' })
  const edit = async (title: string) => {
    await at.page
      .getByRole('row', { name: new RegExp(title) })
      .getByRole('button', { name: /^Edit/ })
      .click()
    await form().waitFor()
  }
  /** The same person in another window, by the API. */
  const elsewhere = (values: object) =>
    at.page.evaluate(async (body) => {
      const headers = { Authorization: `Bearer ${localStorage.getItem('Authorization')}`, 'content-type': 'application/json' }
      const list = await (await fetch('/api/Project/Project/List', { headers })).json()
      const path = '/api/Project/Project'
      const answer = await fetch(path, { method: 'PUT', headers, body: JSON.stringify({ Id: list.Data.Items[0].Id, ...body }) })
      return (await answer.json()).StatusCode as number
    }, values)

  it('is asked for before the back button would lose it, and stays when the person stays', async () => {
    // Who clicks on before a screen stands has not been there: Back passes it by.
    for (const name of ['Gateways', 'Projects']) {
      await at.page.getByRole('menuitem', { name }).click()
      await pane(at.page).getByRole('heading', { level: 1, name }).waitFor()
    }
    await at.page.getByRole('button', { name: 'Add project' }).first().click()
    await field('Project name').fill('Unsaved')
    await at.page.evaluate(() => history.back())
    await question().getByRole('button', { name: 'Keep editing' }).click()
    await question().waitFor({ state: 'hidden' })
    expect(new URL(at.page.url()).pathname).toBe(projects)
    expect(await field('Project name').inputValue()).toBe('Unsaved')

    await at.page.keyboard.press('Tab')
    await at.page.evaluate(() => history.back())
    await question().getByRole('button', { name: 'Discard' }).click()
    await at.page.waitForURL(/gateway/i)
    await at.page.goto(at.penstock.origin + projects)
  })

  it('is shown beside what somebody else saved first, field by field, and the person chooses', async () => {
    await at.page.getByRole('button', { name: 'Add project' }).first().click()
    await field('Project name').fill('Pumping station')
    await save()
    await form().waitFor({ state: 'hidden' })
    await edit('Pumping station')
    await field('Project name').fill('Mine')
    expect(await elsewhere({ ProjectName: 'Theirs' })).toBe(200)
    await save()
    const clash = form().getByRole('alert').filter({ hasText: 'Someone else saved this record while you were editing.' })
    await clash.waitFor()
    await clash.getByText('Mine', { exact: false }).first().waitFor()
    await clash.getByText('Theirs', { exact: false }).first().waitFor()
    expect(await form().getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await expectAccessible(at.page)
    await clash.getByRole('radio', { name: /^Theirs/ }).check()
    await clash.getByRole('button', { name: 'Use these values' }).click()
    expect(await field('Project name').inputValue()).toBe('Theirs')
    await field('Project name').fill('Both')
    await save()
    await form().waitFor({ state: 'hidden' })
    await at.page.getByText('Both').first().waitFor()
    expect(at.browser.problems).toEqual([])
  })
})
