// What the push settings say is told: once, to whom they name, also after a restart.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import type { Message } from '../../../../server/channels/prepare.ts'
import { project as projects } from '../../../configuration/projects/contract.ts'
import { orderRoutes } from './routes.ts'
import { tellDue } from './templates.ts'

let kit: Kit
let ProjectId: number
const sent: Message[] = []
const delivery = { deliver: async (_: unknown, message: Message) => void sent.push(message) } as never
beforeAll(async () => {
  kit = await startKit({ areas: () => [orderRoutes] })
  ProjectId = (await maker(kit).create(projects)).Id
  await kit.db.rows(sql`update "user" set "Language" = 'en'`)
})
afterAll(() => kit?.close())

const titles = () =>
  kit.db
    .rows<{ Wording: string }>(sql`select "Wording" from notice where "Source" like 'order/%/template/%' order by "Id"`)
    .then((rows) => rows.map((r) => r.Wording))

it('opened, due soon, overdue and completed are told once each; a date that moves is told again', async () => {
  const owner = kit.people.get('owner')!.id
  const template = (Event: number, Methods: number[]) =>
    kit.data('owner', 'POST', '/Maintenance/MtnAlmTemplate', {
      ...{ TemplateName: `Event ${Event}`, OrderKind: 1, Event, LeadTime: 60 },
      AlarmPush: { PushUsers: [owner], PushMethods: Methods.map((Method) => ({ Method })) },
    })
  for (const event of [1, 2, 3, 4]) await template(event, event === 1 ? [1, 3] : [1])
  const { Id } = await kit.data<{ Id: number }>('owner', 'POST', '/Maintenance/MtnMaintenanceOrder', { Title: 'Leak', ProjectId })
  const now = Date.now()
  const hour = 3_600_000
  const plan = (at: number) => kit.db.rows(sql`update mtn_maintenance_order set "PlanFinishTime" = ${new Date(at)} where "Id" = ${Id}`)
  const tell = async (at: number) => {
    while (await tellDue(kit.database, delivery, at));
    return titles()
  }
  await plan(now + 3 * hour)
  expect(await tell(now)).toEqual(['orderOpened'])
  expect(sent).toMatchObject([{ Method: 'email', UserId: owner, values: { title: 'New order: Leak' } }])
  expect(await tell(now + 1000)).toEqual(['orderOpened'])
  expect(await tell(now + 2.5 * hour)).toEqual(['orderOpened', 'orderDueSoon'])
  expect(await tell(now + 4 * hour)).toEqual(['orderOpened', 'orderDueSoon', 'orderOverdue'])
  await plan(now + 6 * hour)
  expect((await tell(now + 7 * hour)).at(-1)).toBe('orderOverdue')
  expect(await titles()).toHaveLength(4)
  await kit.db.rows(sql`update mtn_maintenance_order set "Status" = 5, "CheckTime" = now() where "Id" = ${Id}`)
  expect((await tell(now + 8 * hour)).at(-1)).toBe('orderCompleted')
  expect((await tell(now + 9 * hour)).filter((w) => w === 'orderCompleted')).toHaveLength(1)
})
