import { expect, it } from 'vitest'
import { openFrontDoor, password } from '../front-door.ts'
import { addPicture, pictureOf } from '../pictures.ts'
import { dialog, expectAccessible, expectFits, journey, openBrowser, openSignedIn, pane, settled, visit } from './browser.ts'

journey('start pictures and removed ones', {}, (at) => {
  it('is chosen in one’s own account, and opens instead of the dashboard', async () => {
    const { origin } = at.penstock
    const door = await openFrontDoor(origin)
    const manager = { Name: 'Riverside', ManagerNO: 'rita', ManagerName: 'Rita' }
    const { OneTimePwd } = await door.data<{ OneTimePwd: string }>('POST', '/System/Enterprise', manager)
    const first = await door.login('rita', OneTimePwd)
    await door.data('POST', '/System/User/SetPwd', { OldPwd: OneTimePwd, NewPwd: password }, first)
    const token = await door.login('rita')
    const post = (path: string, body: object) => door.data('POST', path, body, token)
    const project = await post('/Project/Project', { ProjectName: 'Water works' })
    await addPicture(post, { name: 'Overview', project: project.Id })
    const { page, close } = await openBrowser(origin)
    try {
      await openSignedIn(page, origin, 'rita', password, '/systemManagement/personal/info')
      await page.getByRole('combobox', { name: 'Start picture' }).click()
      await page.getByTitle('Overview', { exact: true }).click()
      await expectFits(page)
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('Profile saved.').waitFor()
      await visit(page, '/')
      await page.getByRole('heading', { name: 'Water works · Overview' }).waitFor()
      await page.getByRole('combobox', { name: 'Picture of this project' }).click()
      await page.getByTitle('Live charts', { exact: true }).click()
      await page.getByRole('heading', { name: 'Water works · Live charts' }).waitFor()
      await settled(page)
      await expectAccessible(page)
      await expectFits(page)
      await page.getByRole('combobox', { name: 'Picture of this project' }).click()
      await page.locator('.ant-select-item-option[title="Overview"]:visible').click()
      await page.getByRole('heading', { name: 'Water works · Overview' }).waitFor()
    } finally {
      await close()
    }
  })

  it('[tenant-own-enterprise] who belongs to a company has its templates, without a choice of companies', async () => {
    const { page, close } = await openBrowser(at.penstock.origin)
    try {
      await openSignedIn(page, at.penstock.origin, 'rita', password, '/projectManagement/configTempManagement')
      await page.getByRole('heading', { level: 1, name: 'Picture templates' }).waitFor()
      expect(await pane(page).getByRole('combobox', { name: 'Company' }).count()).toBe(0)
    } finally {
      await close()
    }
  })

  it('a draft is previewed as its viewers would see it', async () => {
    const { page, penstock } = at
    const door = await openFrontDoor(penstock.origin)
    const { Items } = await door.data<{ Items: { Id: number }[] }>('GET', '/Project/Project/List')
    const { Id } = await door.data('POST', '/Project/Ddt/Flowchart', { FlowchartName: 'Next', ProjectId: Items[0]!.Id })
    await door.data('POST', '/Project/Ddt/Flowchart/Save', { Id, Scene: pictureOf('Tomorrow') })
    await visit(page, `/projectDetailsManagement/preview?id=${Id}`)
    await page.getByRole('heading', { name: 'Water works · Draft of Next' }).waitFor()
    await page.getByText('Tomorrow').waitFor()
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectFits(page)
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByRole('link', { name: 'Edit' }).click()
    await page.waitForURL(/configEditor/)
  })

  it('a removed picture is restored from its list', async () => {
    const { page, penstock } = at
    const door = await openFrontDoor(penstock.origin)
    const { Items } = await door.data<{ Items: { Id: number }[] }>('GET', '/Project/Project/List')
    const path = '/Project/Ddt/Flowchart'
    const made = await door.data('POST', path, { FlowchartName: 'Removed by mistake', ProjectId: Items[0]!.Id })
    await door.data('DELETE', path, { Id: made.Id })
    await visit(page, '/projectManagement/configManagement')
    await pane(page).getByRole('link', { name: 'Overview' }).waitFor()
    await pane(page).getByRole('button', { name: 'Removed pictures' }).click()
    await dialog(page)
      .getByRole('row', { name: /Removed by mistake/ })
      .waitFor()
    await settled(page)
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectFits(page)
    await page.setViewportSize({ width: 1280, height: 800 })
    await dialog(page).getByRole('button', { name: 'Restore' }).click()
    await dialog(page).getByText('No pictures have been removed in this time.').waitFor()
    await page.keyboard.press('Escape')
    await pane(page).getByRole('link', { name: 'Removed by mistake' }).waitFor()
  })
})
