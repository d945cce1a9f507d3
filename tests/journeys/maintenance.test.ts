// The screens of the maintenance centre with the work of the demo company: in four languages, two widths and both themes.
import { beforeAll, expect, it } from 'vitest'
import { purchase } from '../../areas/maintenance/spare-parts/contract.ts'
import { openFrontDoor, password, until } from '../front-door.ts'
import { dialog, expectAccessible, journey, openBrowser, openSignedIn, pane, settled, visit } from './browser.ts'
import { walk, walks } from './walk.ts'

const screens = [
  ...['repair/repairOrder', 'repair/repairOrder?view=board', 'maintain/plan', 'maintain/order', 'patrol/plan', 'patrol/order', 'calendar'],
  ...['figures', 'pushSettings', 'clocks', 'rates', 'parts/archives', 'parts/record', 'parts/differences', 'parts/places', 'knowledgeBase'],
  ...['punchRecord', 'equipment', 'cardManagement', 'workOrder'],
].map((name) => `/maintenanceCenter/${name}`)
const names = /\b(mtn[A-Z]\w+|proRfid\w*)\.[A-Za-z_]\w+|\b(menu\.m\d|empty\.mtn)/

journey('the maintenance centre', { env: { PENSTOCK_DEMO_HISTORY: '2' } }, (at) => {
  let door: Awaited<ReturnType<typeof openFrontDoor>>
  const count = async (path: string) => (await door.data<{ TotalCount: number }>('GET', `/Maintenance/${path}/List?PageSize=1`)).TotalCount
  beforeAll(async () => {
    door = await openFrontDoor(at.penstock.origin)
    for (const [path, least] of [
      ['MtnComponentRecord', 60],
      ['MtnKnowledgeBase', 15],
      ['MtnUpKeepPlan', 8],
    ] as const)
      await until(`the demo's ${path}`, async () => (await count(path)) >= least, 120_000)
  }, 300_000)

  it('a part is bought, the calendar shows the next month, and a figure opens the orders that it counts', async () => {
    const { page } = at
    await visit(page, '/maintenanceCenter/parts/archives')
    // The demo's chemicals move beside it.
    const newest = async () =>
      (
        await door.data<{ Items: { Id: number; Qty: number; RecordType: number }[] }>(
          'GET',
          '/Maintenance/MtnComponentRecord/List?PageSize=20',
        )
      ).Items
    const known = new Set((await newest()).map(({ Id }) => Id))
    const row = pane(page).locator('.ant-table-row').first()
    await row.getByRole('button', { name: /More/ }).click()
    await page.locator('.ant-dropdown:visible').getByRole('menuitem', { name: 'Purchase in' }).click()
    await dialog(page).getByLabel('Quantity').fill('2')
    await dialog(page).getByLabel('Place', { exact: true }).click()
    await page.locator('.ant-select-dropdown:visible .ant-select-item-option').first().click()
    await dialog(page).getByRole('button', { name: 'Purchase in' }).click()
    await until('the movement', async () =>
      (await newest()).some(({ Id, Qty, RecordType }) => !known.has(Id) && Qty === 2 && RecordType === purchase),
    )

    await visit(page, '/maintenanceCenter/calendar')
    await settled(page)
    await pane(page).getByRole('button', { name: 'Next month' }).click()
    await pane(page).getByRole('heading', { level: 1 }).first().waitFor()
    await expectAccessible(page)
    await visit(page, '/maintenanceCenter/figures')
    await settled(page)
    await pane(page).locator('a[href*="repairOrder"]').first().click()
    await page.waitForURL(/repairOrder/)
    await pane(page).locator('.ant-table').first().waitFor()
    expect(at.browser.problems).toEqual([])
  }, 300_000)

  it('a phone with a reader proves presence at a point by its tag, and says what is wrong with another tag', async () => {
    const { page } = at
    type Project = { Id: number; EnterpriseId: number }
    const { Id: ProjectId, EnterpriseId } = (await door.data<{ Items: Project[] }>('GET', '/Project/Project/List')).Items[0]!
    const tag = { CardName: 'Pump hall door', CardNo: '04A1B2C3D4E5F6', CardType: 1, ProjectId, EnterpriseId }
    const { Id: card } = await door.data<{ Id: number }>('POST', '/Project/ProRFIDInfo', tag)
    const plan = { PlanName: 'By phone', ProjectId, CycleType: 1, StartDate: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10) }
    const { Id } = await door.data<{ Id: number }>('POST', '/Maintenance/MtnCheckPlan', { ...plan, ExecTime: '00:00', Points: [card] })
    await door.data('POST', '/Maintenance/MtnCheckPlan/PlanStatus', { Id, PlanStatus: 1 })
    const rounds = () => door.data<{ Items: { Id: number }[] }>('GET', `/Maintenance/MtnCheckOrder/List?PlanId=${Id}&Status=0`)
    await until('a round', async () => (await rounds()).Items.length > 0)
    const OrderId = (await rounds()).Items[0]!.Id
    await door.data('POST', '/Maintenance/MtnCheckOrder/Start', { OrderId })
    // Web NFC stand-in that scans the given tags in order.
    await page.evaluate(() => {
      const held = ['04:a1:b2:c3:d4:e5:f6', '04:00:00:00:00:00:01']
      type Reading = (event: { serialNumber: string }) => void
      class Reader {
        onreading: Reading | null = null
        async scan() {
          for (const [i, serialNumber] of held.entries()) setTimeout(() => this.onreading?.({ serialNumber }), 1500 * i)
        }
      }
      Object.assign(globalThis, { NDEFReader: Reader })
    })
    await visit(page, `/maintenanceCenter/patrol/order?Id=${OrderId}`)
    await pane(page).getByRole('tab', { name: 'Route' }).click()
    await pane(page).getByRole('button', { name: 'Read tags' }).click()
    await pane(page).getByText('Pump hall door: OK').waitFor()
    await pane(page).getByText('Unknown card').waitFor()
    const { Items } = await door.data<{ Items: { ReadTime: string | null }[] }>('GET', `/Maintenance/MtnCheckOrder/Route?Id=${OrderId}`)
    expect(Items).toMatchObject([{ ReadTime: expect.any(String) }])
    await expectAccessible(page)
  }, 120_000)

  it('a shift hands its orders of every kind to the next with one note, which takes them over with one tap', async () => {
    const { origin } = at.penstock
    type Person = { Id: number; UserNO: string }
    const people = (await door.data<{ Items: Person[] }>('GET', '/System/User/List?PageSize=100')).Items
    const open = async (UserNO: string) => {
      const { Id } = people.find((person) => person.UserNO === UserNO)!
      const { OneTimePwd } = await door.data<{ OneTimePwd: string }>('POST', '/System/User/ResetPwd', { Id })
      await door.data('POST', '/System/User/SetPwd', { OldPwd: OneTimePwd, NewPwd: password }, await door.login(UserNO, OneTimePwd))
      const browser = await openBrowser(origin, { width: 390, known: [UserNO] })
      await openSignedIn(browser.page, origin, UserNO, password, '/maintenanceCenter/workOrder')
      return { ...browser, Id }
    }
    const [leaving, coming] = [await open('demo_javier'), await open('demo_lucia')]
    const [{ Id: ProjectId } = { Id: 0 }] = (await door.data<{ Items: { Id: number }[] }>('GET', '/Project/Project/List')).Items
    const draft = { Title: 'Of the late shift', ProjectId, AssignUserId: leaving.Id }
    const day = (days: number) => `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)} 08:00:00`
    const repair = await door.data<{ Id: number }>('POST', '/Maintenance/MtnMaintenanceOrder', draft)
    await door.data('POST', '/Maintenance/MtnUpKeepOrder', { ...draft, PlanTime: day(0), DueTime: day(1) })
    await leaving.page.getByText('Of the late shift').nth(1).waitFor()
    await leaving.page.getByRole('button', { name: 'Hand over shift' }).click()
    await leaving.page.getByRole('dialog').getByRole('combobox').click()
    await leaving.page.locator('.ant-select-item-option:visible', { hasText: 'Luc' }).first().click()
    await leaving.page.getByLabel('Note for the next shift').fill('Keep an eye on P-101')
    await expectAccessible(leaving.page)
    // The list behind the dialog is empty before the answer comes.
    await leaving.page.route('**/OrderHandOver', async (route) => {
      const answer = await route.fetch()
      await leaving.page.locator('button', { hasText: 'Hand over shift' }).waitFor({ state: 'detached' })
      await route.fulfill({ response: answer })
    })
    await leaving.page.getByRole('button', { name: 'Hand over', exact: true }).click()
    await coming.page.getByRole('button', { name: /^Take over all \d+$/ }).click()
    await until('the orders to be hers', async () => {
      const of = (path: string) =>
        door.data<{ TotalCount: number }>('GET', `/Maintenance/${path}/List?Title=Of the late&AssignUserId=${coming.Id}`)
      return (await of('MtnMaintenanceOrder')).TotalCount > 0 && (await of('MtnUpKeepOrder')).TotalCount > 0
    })
    type History = { History: { Step: string; Desc: string }[] }
    const { History } = await door.data<History>('GET', `/Maintenance/MtnMyOrder/OrderHistory?OrderId=${repair.Id}`)
    expect(History.map(({ Step, Desc }) => [Step, Desc]).slice(-2)).toEqual([
      ['handOver', 'Keep an eye on P-101'],
      ['takeOver', ''],
    ])
    expect([...leaving.problems, ...coming.problems]).toEqual([])
    await Promise.all([leaving.close(), coming.close()])
  }, 180_000)

  it.concurrent.each(walks)('all of it speaks $first and $second, fits $width px and reads well (dark: $isDark)', (steps) =>
    walk(steps, {
      origin: at.penstock.origin,
      password,
      screens,
      shown: async (page) => {
        await pane(page).getByRole('heading', { level: 1 }).first().waitFor()
        await settled(page)
      },
      untranslated: names,
    }),
  )
})
