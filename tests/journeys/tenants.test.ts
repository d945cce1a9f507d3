import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserPath, expectAccessible, expectFits, openBrowser, signIn, startPenstock, why } from './browser.ts'

const own = 'a river runs through it'

describe.skipIf(!browserPath)(`a tenant and its people${why}`, () => {
  let penstock: Awaited<ReturnType<typeof startPenstock>>
  beforeAll(async () => {
    penstock = await startPenstock({ PENSTOCK_ADMIN_PASSWORD: own })
  })
  afterAll(() => penstock?.close())

  const choosePassword = async (page: Awaited<ReturnType<typeof openBrowser>>['page'], given: string) => {
    await page.waitForURL(/personal\/password/)
    await page.getByLabel('Current password').fill(given)
    await page.getByLabel('New password', { exact: true }).fill(own)
    await page.getByLabel('New password again').fill(own)
    await page.getByRole('button', { name: 'Change password', exact: true }).click()
    await page.getByText('Your password is changed.').waitFor()
  }

  it('the platform makes a tenant, its manager makes a viewer, who may only look and is signed out when locked', {
    timeout: 240_000,
  }, async () => {
    const { origin } = penstock
    const platform = await openBrowser(origin)
    const manager = await openBrowser(origin)
    const viewer = await openBrowser(origin)
    try {
      const admin = platform.page
      await signIn(admin, origin, 'admin', own, '/systemManagement/enterpriseManage')
      await admin.getByRole('button', { name: 'Add tenant' }).first().click()
      await admin.getByRole('textbox', { name: 'Name', exact: true }).fill('Riverside')
      await admin.getByLabel('Account of the first manager').fill('riverside')
      await admin.getByLabel('Name of the first manager').fill('Rita')
      await admin.getByRole('button', { name: 'Save' }).click()
      const first = (await admin.getByTestId('one-time-password').textContent())!.trim()
      await admin.getByRole('button', { name: 'I have kept it' }).click()
      await admin.getByText('Riverside').first().waitFor()
      await expectFits(admin)
      await expectAccessible(admin)

      const rita = manager.page
      await signIn(rita, origin, 'riverside', first)
      await choosePassword(rita, first)
      await rita.goto(`${origin}/systemManagement/user`)
      await rita.getByRole('button', { name: 'Add user' }).first().click()
      await rita.getByRole('textbox', { name: 'Account', exact: true }).fill('victor')
      await rita.getByRole('textbox', { name: 'Name', exact: true }).fill('Victor')
      await rita.getByRole('button', { name: 'Save' }).click()
      const second = (await rita.getByTestId('one-time-password').textContent())!.trim()
      await rita.getByRole('button', { name: 'I have kept it' }).click()
      await rita.getByRole('button', { name: 'Set roles: Victor' }).click()
      await rita.getByRole('checkbox', { name: 'Viewer' }).check()
      await rita.getByRole('button', { name: 'Save' }).click()
      await rita.getByText('Viewer', { exact: true }).first().waitFor()
      await expectAccessible(rita)

      const victor = viewer.page
      await signIn(victor, origin, 'victor', second)
      await choosePassword(victor, second)
      await victor.goto(`${origin}/projectManagement/projectConfig`)
      await victor.getByRole('heading', { level: 1 }).waitFor()
      expect(await victor.getByRole('button', { name: 'Add project' }).count()).toBe(0)
      const refused = await victor.evaluate(async () => {
        const headers = { 'content-type': 'application/json', authorization: `Bearer ${localStorage.getItem('Authorization')}` }
        const answer = await fetch('/api/Project/Project', { method: 'POST', headers, body: '{"ProjectName":"x"}' })
        return ((await answer.json()) as { StatusCode: number }).StatusCode
      })
      expect(refused).toBe(403)

      await rita.getByRole('button', { name: 'More actions: Victor' }).click()
      await rita.getByRole('menuitem', { name: 'Lock' }).click()
      await rita.getByRole('button', { name: 'Lock', exact: true }).click()
      await victor.getByRole('button', { name: 'Sign in again' }).waitFor()
    } finally {
      await Promise.all([platform.close(), manager.close(), viewer.close()])
    }
  })
})
