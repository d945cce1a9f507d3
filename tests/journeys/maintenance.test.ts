// The screens of the maintenance centre with the work of the demo company: in four languages, two widths and both themes.
import { beforeAll, expect, it } from 'vitest'
import { purchase } from '../../areas/maintenance/spare-parts/contract.ts'
import { openFrontDoor, until } from '../front-door.ts'
import { password } from '../house.ts'
import { dialog, expectAccessible, journey, pane, settled, visit } from './browser.ts'
import { walk, walks } from './walk.ts'

const screens = [
  ...['repair/repairOrder', 'repair/repairOrder?view=board', 'maintain/plan', 'maintain/order', 'patrol/plan', 'patrol/order', 'calendar'],
  ...['figures', 'pushSettings', 'clocks', 'rates', 'parts/archives', 'parts/record', 'parts/places', 'knowledgeBase'],
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
