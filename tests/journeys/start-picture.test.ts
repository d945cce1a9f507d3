import { it } from 'vitest'
import { openFrontDoor } from '../front-door.ts'
import { password } from '../house.ts'
import { addPicture } from '../pictures.ts'
import { expectAccessible, expectFits, journey, openBrowser, signIn, visit } from './browser.ts'

journey('a picture as a start page', {}, (at) => {
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
      await signIn(page, origin, 'rita', password, '/systemManagement/personal/info')
      await page.getByRole('combobox', { name: 'Start picture' }).click()
      await page.getByTitle('Overview', { exact: true }).click()
      await expectFits(page)
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('Profile saved.').waitFor()
      await visit(page, '/')
      await page.getByRole('heading', { name: 'Water works · Overview' }).waitFor()
      await visit(page, '/systemManagement/personal/info')
      await page.getByText('Overview', { exact: true }).waitFor()
    } finally {
      await close()
    }
  })
})
