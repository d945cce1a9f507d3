import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { project as projects } from '../../../configuration/projects/contract.ts'
import type { Item } from '../../job-sheets/contract.ts'
import { upkeepCalls } from '../contract.ts'
import { upkeep } from './kind.ts'
import { mostShown } from './planning.ts'
import { planRoutes } from './routes.ts'

const path = '/Maintenance/MtnUpKeepPlan'
const clock = () => Date.parse('2026-01-30T12:00:00Z')
let kit: Kit
beforeAll(async () => {
  kit = await startKit({ clock, areas: () => [(api) => planRoutes(api, upkeep, { clock, calls: upkeepCalls })] })
  const { Id: ProjectId } = (await maker(kit).create(projects, { ProjectName: 'Works' })) as { Id: number }
  const item: Item = { ItemName: 'Pressure', Method: 'm'.repeat(200), Standard: 's'.repeat(200), ValueType: 2, Min: 1, Max: 2, Unit: 'bar' }
  const Items = Array.from({ length: 200 }, () => item)
  const { Id } = await kit.data<{ Id: number }>('owner', 'POST', path, {
    PlanName: 'Daily',
    ProjectId,
    CycleType: 1,
    StartDate: '2026-01-01',
    Items,
  })
  await kit.data('owner', 'POST', `${path}/PlanStatus`, { Id, PlanStatus: 1 })
  await kit.db.rows(sql`
    insert into mtn_up_keep_plan ("EnterpriseId", "PlanName", "ProjectId", "CycleType", "StartDate", "PlanStatus", "Items")
    select "EnterpriseId", "PlanName" || n, "ProjectId", "CycleType", "StartDate", "PlanStatus", "Items" from mtn_up_keep_plan, generate_series(1, 299) n`)
})
afterAll(() => kit.close())

it('a look at the calendar shows some dates of many plans, and says that there are more', async () => {
  const look = (To: string) =>
    kit.data<{ Dates: object[]; TotalMore: boolean }>('viewer', 'GET', `${path}/Calendar?From=2026-01-01&To=${To}`)
  const year = await look('2026-12-31')
  expect([year.Dates.length, year.TotalMore]).toEqual([mostShown, true])
  const month = await look('2026-01-31')
  expect([month.Dates.length, month.TotalMore]).toEqual([300 * 31, false])
})

it('a page of plans with large checklists is refused with the number of rows that fit, and that number is served', async () => {
  const page = (size: number) => kit.call<{ Items: object[] } | null>('viewer', 'GET', `${path}/List?PageSize=${size}`)
  const refused = await page(1000)
  expect(refused).toMatchObject({ StatusCode: 400, Data: null, Details: { Fields: { PageSize: [expect.any(String)] } } })
  const [fits] = /\d+/.exec(refused.Details!.Fields!.PageSize![0]!)!.map(Number)
  expect(fits).toBeGreaterThan(20)
  expect((await page(fits!)).Data?.Items).toHaveLength(fits!)
  expect((await page(20)).Data?.Items).toHaveLength(20)
})
