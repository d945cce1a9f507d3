import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { dialog, expectAccessible, expectFits, journey, openBrowser, pane, signIn, visit } from './browser.ts'

const own = 'a river runs through it'

journey('a tenant and its people', { env: {}, target: '/systemManagement/enterpriseManage' }, (at) => {
  const choosePassword = async (page: Page, given: string) => {
    await page.waitForURL(/personal\/password/)
    await pane(page).getByLabel('Current password').fill(given)
    await pane(page).getByLabel('New password', { exact: true }).fill(own)
    await pane(page).getByLabel('Repeat new password').fill(own)
    await pane(page).getByRole('button', { name: 'Change password', exact: true }).click()
    await page.getByText('Password changed.').waitFor()
  }

  it('dialogs begin at their first field, and a new roster with the zone of its company', async () => {
    const { page } = at
    const focused = page.locator(':focus')
    const open = async (screen: string, button: string, first: string) => {
      await visit(page, screen)
      await pane(page).getByRole('button', { name: button }).first().press('Enter')
      await dialog(page).getByLabel(first, { exact: true }).and(focused).waitFor()
    }
    await pane(page).getByRole('heading', { level: 1 }).first().waitFor()
    await open('/projectManagement/gatewayManagement', 'Add several', 'Project')
    await page.keyboard.press('Escape')
    await open('/systemManagement/role', 'Add role', 'Role name')
    await page.keyboard.press('Escape')
    await open('/alarmManagement/roster', 'Add on-call roster', 'Name')
    await expect.poll(() => dialog(page).getByLabel('Time zone').inputValue()).toBe('Europe/Madrid')
    // Close stays within reach of Tab.
    await page.keyboard.press('Shift+Tab')
    expect(await focused.getAttribute('aria-label')).toBe('Close')
  })

  it('adding a person with a role takes five clicks, operators have a short sidebar, and a single company is preselected', {
    timeout: 240_000,
  }, async () => {
    const { page } = at
    const { origin } = at.penstock
    const operator = await openBrowser(origin)
    try {
      await page.goto(`${origin}/systemManagement/user`)
      let clicks = 0
      const click = async (of: Locator) => {
        clicks++
        await of.click()
      }
      await click(pane(page).getByRole('button', { name: 'Add user' }).first())
      await dialog(page).getByRole('textbox', { name: 'Account', exact: true }).fill('olga')
      await dialog(page).getByRole('textbox', { name: 'Name', exact: true }).fill('Olga')
      await click(dialog(page).getByRole('combobox', { name: 'Role' }))
      const offered = page.locator('.ant-select-dropdown:visible .ant-select-item-option')
      expect((await offered.allTextContents()).sort()).toEqual(
        ['Agent', 'Editor', 'Maintainer', 'Operator', 'Platform administrator', 'Company manager', 'Technician', 'Viewer'].sort(),
      )
      await click(page.getByTitle('Operator', { exact: true }).filter({ visible: true }))
      const sees = /Olga can sign in and sees Home, Live values, Alarms, Trends, and \d+ more screens. Data scope: Whole company./
      await dialog(page).getByText(sees).waitFor()
      await expectAccessible(page)
      await click(dialog(page).getByRole('button', { name: 'Save' }))
      await dialog(page).getByText(sees).waitFor()
      const first = (await page.getByTestId('one-time-password').textContent())!.trim()
      await click(page.getByRole('button', { name: "I've saved it" }))
      expect(clicks).toBeLessThanOrEqual(5)
      // No screen asks for a company or names one in a column while there is only one.
      for (const path of ['user', 'role', 'position', 'dictContent']) {
        await page.goto(`${origin}/systemManagement/${path}`)
        await pane(page).getByRole('button', { name: /Add / }).first().waitFor()
        expect(
          await pane(page)
            .getByRole('combobox', { name: /compan/i })
            .count(),
          path,
        ).toBe(0)
        expect(
          await pane(page)
            .getByRole('columnheader', { name: /company|tenant/i })
            .count(),
          path,
        ).toBe(0)
      }

      // The role of the platform is nobody's in this company.
      await page.goto(`${origin}/systemManagement/role`)
      await pane(page).getByText('Operator', { exact: true }).waitFor()
      expect(await pane(page).getByText('Platform administrator').count()).toBe(0)

      const olga = operator.page
      await signIn(olga, origin, 'olga', first)
      await choosePassword(olga, first)
      await olga.goto(`${origin}/`)
      const menu = olga.getByRole('navigation', { name: 'Navigation' })
      const entries = () => menu.getByRole('menuitem').filter({ visible: true }).allTextContents()
      await expect.poll(entries).toEqual(['Home', 'Live values', 'Alarms', 'Trends', 'More'])
      await menu.getByRole('menuitem', { name: 'More' }).press('Enter')
      await expect.poll(entries).toEqual(expect.arrayContaining(['Operate', 'Plant', 'Maintain']))
      expect(await entries()).not.toContain('Product series')
      await expectAccessible(olga)
    } finally {
      await operator.close()
    }
  })

  it('the platform makes a tenant, its manager makes a viewer, who may only look and is signed out when locked', {
    timeout: 240_000,
  }, async () => {
    const { origin } = at.penstock
    const manager = await openBrowser(origin)
    const viewer = await openBrowser(origin)
    try {
      const admin = at.page
      await admin.goto(`${origin}/systemManagement/enterpriseManage`)
      await pane(admin).getByRole('button', { name: 'Add company' }).first().click()
      await dialog(admin).getByRole('textbox', { name: 'Name', exact: true }).fill('Riverside')
      await dialog(admin).getByLabel("First administrator's account").fill('admin')
      await dialog(admin).getByLabel("First administrator's name").fill('Rita')
      await dialog(admin).getByRole('button', { name: 'Save' }).click()
      // Errors show at their fields; Enter sends the form again.
      await dialog(admin).locator('.ant-form-item-has-error').getByLabel("First administrator's account").fill('riverside')
      await dialog(admin).getByLabel("First administrator's account").press('Enter')
      const first = (await admin.getByTestId('one-time-password').textContent())!.trim()
      await admin.getByRole('button', { name: "I've saved it" }).click()
      await pane(admin).getByText('Riverside').first().waitFor()
      await expectFits(admin)
      await expectAccessible(admin)

      const rita = manager.page
      await signIn(rita, origin, 'riverside', first)
      await choosePassword(rita, first)
      await rita.goto(`${origin}/systemManagement/user`)
      await pane(rita).getByRole('button', { name: 'Add user' }).first().click()
      await dialog(rita).getByRole('textbox', { name: 'Account', exact: true }).fill('victor')
      await dialog(rita).getByRole('textbox', { name: 'Name', exact: true }).fill('Victor')
      await dialog(rita).getByRole('combobox', { name: 'Role' }).fill('Maintainer')
      await rita.getByTitle('Maintainer', { exact: true }).filter({ visible: true }).click()
      await dialog(rita).getByRole('button', { name: 'Save' }).click()
      const second = (await rita.getByTestId('one-time-password').textContent())!.trim()
      await rita.getByRole('button', { name: "I've saved it" }).click()
      await pane(rita).getByRole('button', { name: 'Set roles: Victor' }).click()
      await dialog(rita).getByRole('checkbox', { name: 'Maintainer' }).uncheck()
      await dialog(rita).getByRole('checkbox', { name: 'Viewer' }).check()
      await dialog(rita).getByRole('button', { name: 'Save' }).click()
      await pane(rita).getByText('Viewer', { exact: true }).first().waitFor()
      await expectAccessible(rita)

      const victor = viewer.page
      await signIn(victor, origin, 'victor', second)
      await choosePassword(victor, second)
      await victor.goto(`${origin}/projectManagement/projectConfig`)
      await pane(victor).getByRole('heading', { level: 1, name: 'Projects' }).waitFor()
      expect(await victor.getByRole('button', { name: 'Add project' }).count()).toBe(0)
      const refused = await victor.evaluate(async () => {
        const headers = { 'content-type': 'application/json', authorization: `Bearer ${localStorage.getItem('Authorization')}` }
        const answer = await fetch('/api/Project/Project', { method: 'POST', headers, body: '{"ProjectName":"x"}' })
        return ((await answer.json()) as { StatusCode: number }).StatusCode
      })
      expect(refused).toBe(403)

      await pane(rita).getByRole('button', { name: 'More actions: Victor' }).click()
      await rita.getByRole('menuitem', { name: 'Lock' }).click()
      await dialog(rita).getByRole('button', { name: 'Lock', exact: true }).click()
      await victor.getByRole('button', { name: 'Sign in again' }).waitFor()
    } finally {
      await Promise.all([manager.close(), viewer.close()])
    }
  })

  // All tenants first, not the first active one: findings, decision 22.
  it('lists of several companies name the company of each row until one is chosen', async () => {
    const { page } = at
    await page.goto(`${at.penstock.origin}/systemManagement/role`)
    const cell = (name: string) => pane(page).getByRole('cell', { name, exact: true })
    await cell('Operator Riverside Waterworks').waitFor()
    await cell('Platform administrator Platform').waitFor()
    const [company] = await page.evaluate(async () => {
      const headers = { authorization: `Bearer ${localStorage.getItem('Authorization')}` }
      const { Data } = await (await fetch('/api/System/Enterprise/List', { headers })).json()
      return Data.Items.filter((e: { Name: string }) => e.Name === 'Riverside Waterworks').map((e: { Id: number }) => e.Id)
    })
    await page.goto(`${at.penstock.origin}/systemManagement/role?EnterpriseId=${company}`)
    await cell('Operator').waitFor()
  })

  it('[tenant-first-active] lists begin with all tenants, and are narrowed to the one that is chosen', async () => {
    const { page } = at
    const { origin } = at.penstock
    for (const path of ['user', 'role', 'position']) {
      await page.goto(`${origin}/systemManagement/${path}`)
      await pane(page).getByRole('combobox', { name: 'All companies' }).waitFor()
    }
    await page.goto(`${origin}/systemManagement/user`)
    const account = (name: string) => pane(page).getByRole('cell', { name, exact: true })
    await account('admin Platform').waitFor()
    await account('riverside Riverside').waitFor()
    await pane(page).getByRole('combobox', { name: 'All companies' }).fill('River')
    await page.getByTitle('Riverside', { exact: true }).filter({ visible: true }).click()
    await account('admin Platform').waitFor({ state: 'detached' })
    await account('riverside').waitFor()
    await page.waitForURL(/EnterpriseId=\d+/)
  })

  it('[search-org-needs-tenant] choosing an organisation first asks for the tenant', async () => {
    const { page } = at
    await page.goto(`${at.penstock.origin}/systemManagement/user`)
    const organisation = pane(page).getByRole('combobox', { name: 'Organisation', exact: true })
    await organisation.click()
    await page.getByText('Choose a company first.').waitFor()
    expect(await page.locator('.ant-select-tree:visible').count()).toBe(0)
    await pane(page).getByRole('combobox', { name: 'All companies' }).fill('River')
    await page.getByTitle('Riverside', { exact: true }).filter({ visible: true }).click()
    await page.waitForURL(/EnterpriseId=\d+/)
    await organisation.click()
    await page.locator('.ant-tree-select-dropdown:visible').waitFor()
  })
})
