import { expect, it } from 'vitest'
import { openFrontDoor } from '../front-door.ts'
import { expectFits, journey, pane } from './browser.ts'

const projects = '/projectManagement/projectConfig'
const [gateways, live] = ['/projectManagement/gatewayManagement', '/projectManagement/realTimeData']
const users = '/systemManagement/user?EnterpriseId=1'

journey('the search bars of lists', { target: projects }, (at) => {
  it('[search-filter-state] the project, region and department a list was narrowed to are offered by the others, after a reload too', async () => {
    const { page } = at
    const door = await openFrontDoor(at.penstock.origin)
    const make = async (path: string, row: object) => (await door.data<{ Id: number }>('POST', path, row)).Id
    const project = `ProjectId=${await make('/Project/Project', { ProjectName: 'Station 041' })}`
    const region = `RegionId=${await make('/System/Region', { RegionName: 'North shore' })}`
    const BelongOrganId = await make('/System/Organ', { OrganName: 'Waterworks' })
    const department = `DepartmentId=${await make('/System/Department', { DepartmentName: 'Night shift', BelongOrganId })}`

    const offer = (title: string) => pane(page).getByRole('button', { name: `Use ${title} again` })
    const expectOffered = async (title: string, from: string, to: string, asked: string) => {
      await page.goto(`${at.penstock.origin}${from}`)
      await pane(page).getByText(title).first().waitFor()
      expect(await offer(title).count()).toBe(0)
      await page.goto(`${at.penstock.origin}${to}`)
      await offer(title).click()
      await expect.poll(() => page.url()).toContain(asked)
      await offer(title).waitFor({ state: 'detached' })
    }
    await expectOffered('Station 041', `${gateways}?${project}`, live, project)
    await expectOffered('Station 041', `${live}?${project}`, gateways, project)
    await expectOffered('North shore', `${projects}?${region}`, projects, region)
    await expectOffered('Night shift', `${users}&${department}`, users, department)
    await expectFits(page)
  })
})
