import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openFrontDoor, password } from '../front-door.ts'
import { browserPath, expectAccessible, openBrowser, signIn, startPenstock, why } from './browser.ts'

describe.skipIf(!browserPath)(`running the platform${why}`, () => {
  let penstock: Awaited<ReturnType<typeof startPenstock>>
  beforeAll(async () => {
    penstock = await startPenstock({ PENSTOCK_ADMIN_PASSWORD: password, PENSTOCK_DEMO: 'off' }, { embedded: true })
    await (await openFrontDoor(penstock.origin)).ensureCompany()
  })
  afterAll(() => penstock?.close())

  it('a backup from the screen, an edit, and the restore: the edit is gone, and the person who restored is still signed in', {
    timeout: 400_000,
  }, async () => {
    const { origin } = penstock
    const { page, close } = await openBrowser(origin)
    const ask = <T>(method: string, path: string, body?: object) =>
      page.evaluate(
        async ([method, path, body]) => {
          const headers = { 'content-type': 'application/json', authorization: `Bearer ${localStorage.getItem('Authorization')}` }
          const answer = await fetch(`/api${path}`, { method, headers, ...(body ? { body } : {}) })
          return ((await answer.json()) as { Data: T }).Data
        },
        [method, path, body ? JSON.stringify(body) : ''] as const,
      )
    const names = async () =>
      (await ask<{ Items: { ProjectName: string }[] }>('GET', '/Project/Project/List')).Items.map((project) => project.ProjectName)
    try {
      await signIn(page, origin, 'admin', password, '/systemManagement/backup')
      const pane = page.locator('.pane:visible')
      await pane.getByText('No backups yet.').waitFor()
      await ask('POST', '/Project/Project', { ProjectName: 'Before' })
      await pane.getByRole('button', { name: 'Back up now' }).first().click()
      const restore = pane.getByRole('button', { name: /^Restore: / })
      await restore.waitFor()
      await expectAccessible(page)
      await ask('POST', '/Project/Project', { ProjectName: 'After' })
      expect((await names()).sort()).toEqual(['After', 'Before'])

      await restore.click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('This replaces the whole database and all readings of every company.').waitFor()
      await dialog.getByText(/Project: 1/).waitFor()
      await dialog.getByRole('button', { name: 'Restore', exact: true }).click()
      await dialog.getByText('Restored. The page is reloading.').waitFor({ timeout: 240_000 })
      await page.waitForEvent('load')
      await pane.getByRole('heading', { level: 1, name: 'Backup and restore' }).waitFor()
      expect(await names()).toEqual(['Before'])

      // A downloaded archive is uploaded again.
      const { FileName } = (await ask<{ FileName: string }[]>('GET', '/System/Backup/DBFiles'))[0]!
      const [saved] = await Promise.all([page.waitForEvent('download'), pane.getByRole('button', { name: /^Download: / }).click()])
      const archive = await saved.path()
      await ask('DELETE', '/System/Backup/File', { FileName })
      await page.reload()
      await pane.getByText('No backups yet.').waitFor()
      const chosen = page.waitForEvent('filechooser')
      await pane.getByRole('button', { name: 'Upload archive' }).click()
      await (await chosen).setFiles(archive)
      await restore.waitFor()
      expect((await ask<{ FileName: string }[]>('GET', '/System/Backup/DBFiles'))[0]).toMatchObject({ FileName })

      await page.goto(`${origin}/systemManagement/log`)
      await pane.getByRole('button', { name: 'Verify log' }).click()
      await page.getByText('Log verified: no tampering.').waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()

      await page.goto(`${origin}/systemManagement/timingTask`)
      await pane.getByRole('button', { name: 'Run now: Session clean-up' }).click()
      await pane.getByRole('button', { name: 'History: Session clean-up' }).click()
      await page.getByRole('dialog').getByText('0 entries removed').waitFor()
    } finally {
      await close()
    }
  })
})
