import { expect, it } from 'vitest'
import { openFrontDoor } from '../front-door.ts'
import { dialog, expectAccessible, expectFits, journey, pane } from './browser.ts'

const projects = '/projectManagement/projectConfig'
const [gateways, live] = ['/projectManagement/gatewayManagement', '/projectManagement/realTimeData']
const users = '/systemManagement/user?EnterpriseId=2'

journey('the search bars of lists, and the palette', { target: projects, env: {} }, (at) => {
  it('the palette finds screens and records by name, synonym or number, runs actions, and remembers recent ones', async () => {
    const { page } = at
    const box = dialog(page).getByRole('combobox')
    const option = (name: RegExp) => page.getByRole('option', { name }).first()
    const find = async (typed: string, name: RegExp) => {
      await box.fill(typed)
      await option(name).waitFor()
    }
    await pane(page).locator('h1').waitFor()
    await page.keyboard.press('Control+k')
    for (const [typed, name] of [
      ['alarm', /Alarms/],
      ['real-time', /Live values.*Screen/],
      ['towerlevel', /Tower level.*Point/],
      ['outlet towér', /Outlet and tower.*Device/],
      ['administratör', /Administrator.*Person/],
      ['add gateway', /Add gateway.*Action/],
      ['dark', /Dark theme.*Action/],
      ['change language', /Language: Español.*Action/],
      ['sign out', /Sign out.*Action/],
    ] as const)
      await find(typed, name)
    await expectAccessible(page)
    // The screen reader hears the chosen one while the focus stays in the text.
    const chosen = page.locator(`#${await box.getAttribute('aria-activedescendant')}`)
    expect(await chosen.getAttribute('aria-selected')).toBe('true')
    const sn = await page.evaluate(async () => {
      const answer = await fetch('/api/Project/Gateway/List?PageSize=1', {
        headers: { authorization: `Bearer ${localStorage.getItem('Authorization')}` },
      })
      return ((await answer.json()) as { Data: { Items: { SN: string }[] } }).Data.Items[0]!.SN
    })
    await find(sn, new RegExp(sn))
    await page.keyboard.press('Enter')
    await page.waitForURL(/gatewayPreView\?Id=/)
    await pane(page).locator('h1').waitFor()
    await page.keyboard.press('Control+k')
    expect(await page.getByRole('option').first().textContent()).toContain('Recent')
    for (const [language, typed, name] of [
      ['Español', 'tiempo real', /Valores en tiempo real/],
      ['中文', '实时值', /实时/],
      ['日本語', 'リアルタイム', /画面/],
    ] as const) {
      await box.fill(language)
      await option(new RegExp(language)).click()
      await page.keyboard.press('Control+k')
      await find(typed, name)
    }
    await box.fill('English')
    await option(/English/).click()
    await page.locator('html[lang=en]').waitFor()
    await page.keyboard.press('Control+k')
    await find('add project', /Add project/)
    await page.keyboard.press('Enter')
    await dialog(page).getByLabel('Project name').waitFor()
    await page.keyboard.press('Escape')
  })

  it('[search-filter-state] the project, region and department a list was narrowed to are offered by the others, after a reload too', async () => {
    const { page } = at
    const door = await openFrontDoor(at.penstock.origin)
    const make = async (path: string, row: object) => (await door.data<{ Id: number }>('POST', path, { ...row, EnterpriseId: 2 })).Id
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
