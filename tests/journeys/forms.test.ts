import { expect, it } from 'vitest'
import { dialog, expectAccessible, journey, pane, visit } from './browser.ts'

const projects = '/projectManagement/projectConfig'

journey('what is entered in a form', { target: projects, company: true }, (at) => {
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
    // A screen that was left before it rendered is not in the history: Back skips it.
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

  const link = (name: string) => dialog(at.page).locator('.form-summary').getByRole('button', { name, exact: true })
  const toCorrect = (text: string) => dialog(at.page).getByRole('button', { name: text, exact: true })
  const hasFocus = (label: string) => expect.poll(() => dialog(at.page).getByLabel(label, { exact: true }).evaluate(isAt)).toBe(true)
  /** Has the focus, and is in sight. */
  const isAt = (input: HTMLElement) => {
    const [box, area] = [input.getBoundingClientRect(), input.closest('.ant-drawer-body, .ant-modal')!.getBoundingClientRect()]
    return document.activeElement === input && box.top >= area.top && box.bottom <= Math.min(area.bottom, window.innerHeight)
  }

  it('a refused form moves to missing fields, names them, and clears the error once they are filled', async () => {
    await at.page.getByRole('button', { name: 'Add project' }).first().click()
    await field('Project name').blur()
    await save()
    await hasFocus('Project name')
    await link('Project name').waitFor()
    await toCorrect('1 field to correct').waitFor()
    await expectAccessible(at.page)
    await field('Project name').fill('Both')
    await link('Project name').waitFor({ state: 'hidden' })
    // The server refuses the name, which another project has.
    await save()
    await toCorrect('1 field to correct').waitFor()
    await hasFocus('Project name')
    await field('Project name').fill('Another')
    await toCorrect('1 field to correct').waitFor({ state: 'hidden' })
    await expect.poll(() => form().getByRole('alert').filter({ visible: true }).count()).toBe(0)
    await field('Project name').press('Escape')
    await question().getByRole('button', { name: 'Discard' }).click()
  })

  it('dialogs do the same', async () => {
    await visit(at.page, '/systemManagement/data')
    await pane(at.page).getByRole('button', { name: 'Add data permission' }).first().click()
    await dialog(at.page).getByRole('button', { name: 'Save' }).click()
    await hasFocus('Name')
    await link('Name').waitFor()
    await toCorrect('1 field to correct').waitFor()
    await dialog(at.page).getByRole('button', { name: 'Cancel' }).click()
  })

  it('the rule editor does the same above and below the viewport', async () => {
    await visit(at.page, '/alarmManagement/alarmRules')
    await pane(at.page)
      .getByRole('button', { name: /alarm rule$/ })
      .first()
      .click()
    const editor = dialog(at.page, 'New alarm rule')
    const saveRule = () => editor.getByRole('button', { name: 'Save' }).click()
    await editor.getByRole('switch', { name: 'Notify' }).click()
    await editor.getByLabel('Remark').focus()
    await saveRule()
    await hasFocus('Name')
    for (const name of ['Name', 'Points', 'Notification channels']) await link(name).waitFor()
    await toCorrect('3 fields to correct').waitFor()
    await link('Notification channels').click()
    await hasFocus('Notification channels')
    await expectAccessible(at.page)
    const body = editor.locator('.ant-drawer-body')
    expect(await body.evaluate((el) => el.scrollWidth - el.clientWidth)).toBe(0)
    await editor.getByLabel('Name', { exact: true }).fill('A rule')
    await link('Name').waitFor({ state: 'hidden' })
    await toCorrect('2 fields to correct').click()
    await hasFocus('Points')
    await editor.getByRole('button', { name: 'Cancel' }).click()
    await question().getByRole('button', { name: 'Discard' }).click()
  })
})
