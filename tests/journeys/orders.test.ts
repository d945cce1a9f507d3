// From an alarm to a mended machine: a planner opens the order, a technician works on it with a phone, the planner checks it.
import { beforeAll, expect, it } from 'vitest'
import { openFrontDoor, password, until } from '../front-door.ts'
import { dialog, expectAccessible, expectFits, journey, openBrowser, openSignedIn, pane, visit } from './browser.ts'
import { smallTargets } from './hands.ts'

journey('an alarm, an order, a mended machine', { env: {} }, (at) => {
  let alarm: { Id: number; RuleName: string; EnterpriseId: number; ParaId: number }
  let door: Awaited<ReturnType<typeof openFrontDoor>>
  let point: number
  type Rows<T> = { Items: T[] }
  const bearing = 'Bearing 6205-2RS'
  /** Active alarm of the point. The plant raises others at some hours. */
  const standing = async () =>
    (await door.data<Rows<typeof alarm>>('GET', '/Alarm/AlarmInfo/List?IsActive=1&PageSize=100')).Items.find((a) => a.ParaId === point)
  beforeAll(async () => {
    door = await openFrontDoor(at.penstock.origin)
    const { Items: points } = await door.data<Rows<{ Id: number }>>('GET', '/Project/DevPara/List?PageSize=1&ParaDataType=7')
    point = points[0]!.Id
    await door.data('PUT', '/Project/DevPara', { Id: point, AlarmHigh: -1e6, AlarmLow: null })
    alarm = await until('an alarm', standing)
    const { EnterpriseId } = alarm
    const roles = await door.data<Rows<{ Id: number; RoleName: string }>>(
      'GET',
      `/System/Role/List?EnterpriseId=${EnterpriseId}&PageSize=100`,
    )
    const RoleIds = roles.Items.filter((role) => role.RoleName === 'Technician').map((role) => role.Id)
    const draft = { UserNO: 'tomas', UserName: 'Tomas', EnterpriseId, RoleIds }
    const { OneTimePwd } = await door.data<{ OneTimePwd: string }>('POST', '/System/User', draft)
    const token = await door.login('tomas', OneTimePwd)
    await door.data('POST', '/System/User/SetPwd', { OldPwd: OneTimePwd, NewPwd: password }, token)
    const place = await door.data('POST', '/Maintenance/MtnPlace', { PlaceName: 'Shelf 7', EnterpriseId })
    const part = await door.data('POST', '/Maintenance/MtnComponent', { ComponentName: bearing, ComponentNo: 'B-6205', EnterpriseId })
    await door.data('POST', '/Maintenance/MtnComponent/TakeIn', { Id: part.Id, PlaceId: place.Id, Qty: 4 })
  })

  it('goes from the alarm to the phone and back, at 390 px', async () => {
    const { page } = at
    await visit(page, `/alarmManagement/alarmInfo?alarm=${alarm.Id}`)
    await dialog(page, alarm.RuleName)
      .getByRole('button', { name: /^More actions/ })
      .click()
    await page.locator('.ant-dropdown:visible').getByRole('menuitem', { name: 'Open an order' }).click()
    const opening = dialog(page, `Order for: ${alarm.RuleName}`)
    await opening.getByLabel('Assignee').fill('Tomas')
    await page.getByTitle('Tomas', { exact: true }).last().click()
    await opening.getByRole('button', { name: 'Open an order' }).click()
    await pane(page).getByText('Assigned', { exact: true }).first().waitFor()
    await pane(page).getByRole('link', { name: alarm.RuleName }).waitFor()
    await expectAccessible(page)

    const phone = await openBrowser(at.penstock.origin, { width: 390, height: 844, known: ['tomas'] })
    await openSignedIn(phone.page, at.penstock.origin, 'tomas', password, '/maintenanceCenter/workOrder')
    const press = (name: string) => pane(phone.page).getByRole('button', { name, exact: true }).click()
    await press('Accept')
    await pane(phone.page).getByRole('button', { name: 'I am there' }).waitFor()
    expect(await smallTargets(phone.page, '.order-mines')).toEqual([])
    await expectFits(phone.page)
    await expectAccessible(phone.page)
    await press('I am there')
    await pane(phone.page)
      .getByRole('link', { name: new RegExp(alarm.RuleName.slice(0, 12)) })
      .first()
      .click()
    const work = pane(phone.page).getByRole('region', { name: 'Parts and labor' })
    await work.getByRole('searchbox').fill('6205')
    await work.getByRole('searchbox').press('Enter')
    await work.getByRole('button', { name: 'Take or reserve' }).click()
    await work.getByRole('button', { name: 'Take', exact: true }).click()
    await work.getByText(/^1 pcs taken$/).waitFor()
    await expectFits(phone.page)
    await expectAccessible(phone.page)
    await press('Done')
    await dialog(phone.page).getByLabel('What was done').fill('Limit set right')
    await expectFits(phone.page)
    await dialog(phone.page).getByRole('button', { name: 'Done' }).click()
    await pane(phone.page).getByText('Waiting for check').waitFor()
    await pane(phone.page).getByText('Limit set right').first().waitFor()
    await expectFits(phone.page)
    await expectAccessible(phone.page)
    expect(phone.problems).toEqual([])
    await phone.close()

    // The planner's page was updated without a reload.
    await pane(page).getByRole('button', { name: 'Approve' }).click()
    await dialog(page).getByRole('button', { name: 'Approve' }).click()
    await pane(page).getByText('Completed', { exact: true }).first().waitFor()
    await pane(page).getByText('Handled', { exact: false }).first().waitFor()

    // What was done is an article, offered at the next such alarm.
    await pane(page).getByRole('button', { name: 'Make an article' }).click()
    await page.waitForURL(/knowledgeBase/)
    await pane(page).getByRole('button', { name: 'Publish' }).first().click()
    await pane(page).getByText('Published', { exact: true }).first().waitFor()
    await door.data('PUT', '/Project/DevPara', { Id: point, AlarmHigh: null })
    await until('the end of the alarm', async () => !(await standing()))
    await door.data('PUT', '/Project/DevPara', { Id: point, AlarmHigh: -1e6 })
    const next = await until('the next alarm', standing)
    await visit(page, `/alarmManagement/alarmInfo?alarm=${next.Id}`)
    await dialog(page, next.RuleName)
      .getByRole('region', { name: 'Articles that may help' })
      .getByText(alarm.RuleName.slice(0, 12))
      .first()
      .waitFor()
    // One tap leads from each of them to each other.
    const places = { alarm: /alarmInfo/, order: /repairOrder\?Id=/, part: /parts\/archives\?Id=/, article: /knowledgeBase\?Id=/ }
    const addresses = { alarm: `/alarmManagement/alarmInfo?view=history&alarm=${alarm.Id}`, order: '', part: '', article: '' }
    const chain = () => page.getByRole('region', { name: /^Around WX/ }).filter({ visible: true })
    const names = { alarm: alarm.RuleName, order: /^WX\d+$/, part: bearing, article: alarm.RuleName.slice(0, 60) }
    type Link = keyof typeof places
    const tap = async (from: Link, to: Link) => {
      if (addresses[from]) await visit(page, addresses[from])
      const within = from === 'alarm' ? dialog(page) : pane(page)
      const link = within
        .getByRole('link', { name: names[to] })
        .and(page.locator(`[href*="${hrefs[to]}"]`))
        .first()
      await link.click()
      await page.waitForURL(places[to])
      addresses[to] ||= new URL(page.url()).pathname + new URL(page.url()).search
    }
    const hrefs = { alarm: 'alarmInfo', order: 'repairOrder?Id=', part: 'archives?Id=', article: 'knowledgeBase?Id=' }
    for (const to of ['order', 'part', 'article'] as const) await tap('alarm', to)
    for (const from of ['order', 'part', 'article'] as const)
      for (const to of ['alarm', 'order', 'part', 'article'] as const) if (from !== to) await tap(from, to)
    await visit(page, addresses.part)
    await chain().waitFor()
    await expectAccessible(page)
    await visit(page, '/maintenanceCenter/repair/repairOrder?view=board')
    await pane(page).getByText('No repair orders yet').waitFor()
    expect(at.browser.problems).toEqual([])
  })
})
