import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { permissions } from '../../../../contract/menus.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { project as projects } from '../../../configuration/projects/contract.ts'
import type { Stepped } from '../contract.ts'
import { isDue, orderMoves, orderStatuses, orderSteps, type StepName, stepNames, stepTo } from '../steps.ts'
import { orderRoutes } from './routes.ts'

type Row = Record<string, unknown> & { Id: number; OrderNo: string; Status: number }
type History = {
  Steps: string[]
  History: { Step: string; UserName: string; TargetName: string; Desc: string; FromStatus: number; ToStatus: number }[]
}
const path = '/Maintenance/MtnMaintenanceOrder'
const mine = '/Maintenance/MtnMyOrder'
const worker = ['m106', 'm10601', 'm10601.work']

let kit: Kit
let ProjectId: number
const id: Record<string, number> = {}
beforeAll(async () => {
  kit = await startKit({ areas: () => [orderRoutes] })
  ProjectId = (await maker(kit).create(projects)).Id
  for (const name of ['ada', 'ben', 'cem']) id[name] = await kit.person(name, kit.enterprises.ours, { menus: worker })
  id.planner = await kit.person('planner', kit.enterprises.ours, { menus: permissions })
  id.elsewhere = await kit.person('elsewhere', kit.enterprises.ours, { menus: worker, projects: [999_999] })
  id.owner = kit.people.get('owner')!.id
  const Shifts = [{ Start: '06:00', End: '14:00', Users: [id.ben, id.cem] }]
  const [team] = await kit.db.rows<{ Id: number }>(sql`
    insert into alarm_roster ("EnterpriseId", "RosterName", "TimeZone", "Shifts") values (${kit.enterprises.ours}, 'Night', 'UTC', ${JSON.stringify(Shifts)}::jsonb) returning "Id"`)
  id.team = team!.Id
})
beforeEach(async () => {
  await kit.db.rows(sql`delete from mtn_order_history`)
  await kit.db.rows(sql`delete from mtn_maintenance_order`)
})
afterAll(() => kit?.close())

const open = (more: object = {}) => kit.data<Row>('owner', 'POST', path, { Title: 'Pump leaks', ProjectId, ...more })
const find = (Id: number, as = 'owner') => kit.data<Row>(as, 'GET', `${path}?Id=${Id}`)
const paths: Partial<Record<StepName, string>> = { finish: `${mine}/OrderFinish`, handOver: `${mine}/OrderHandOver` }
const take = (as: string, step: StepName, OrderId: number, more: object = {}) =>
  kit.call<Stepped>(as, 'POST', paths[step] ?? `${path}/${step}`, {
    ...(step === 'handOver' ? { OrderIds: [OrderId] } : { OrderId }),
    ...more,
  })
const done = async (...given: Parameters<typeof take>) => {
  const answer = await take(...given)
  expect(answer, given[1]).toMatchObject({ Succeeded: true })
  return answer.Data
}
const history = (OrderId: number, as = 'owner') => kit.data<History>(as, 'GET', `${mine}/OrderHistory?OrderId=${OrderId}`)
/** An order of ada's in a state. */
const inState = async (status: number) => {
  const order = await open(status ? { AssignUserId: id.ada } : {})
  const steps: [string, StepName, object?][] = [
    ['ada', 'accept'],
    ['ada', 'finish', { Desc: 'New seal' }],
    ['planner', 'check'],
  ]
  const most = { 2: 1, 3: 1, 4: 2, 5: 3 }[status] ?? 0
  for (const [as, step, more] of steps.slice(0, most)) await done(as, step, order.Id, more)
  if (status === 3) await done('ada', 'suspend', order.Id, { Desc: 'Seal ordered' })
  if (status === 6) await done('planner', 'cancel', order.Id, { Desc: 'Twice' })
  return order.Id
}

describe('steps', () => {
  it.each(orderStatuses.filter((s) => s !== 7))(
    'mo-status: from state %i the call with id and state leads only where the table says',
    async (from) => {
      for (const to of orderStatuses) {
        const Id = await inState(from)
        const allowed = from !== to && (orderMoves[from].includes(to) || (from === 1 && to === 0))
        const who = from === 0 || from === 4 || to === 6 || to === 1 ? 'planner' : 'ada'
        const again = from === 1 && to === 1
        const answer = await kit.call<Stepped>(who, 'PUT', `/MaintenanceOrder/MtnMaintenanceOrder/OrderStatus/${Id}/${to}`, {
          Desc: 'Because',
          UserId: id.ada,
        })
        if (allowed || again) {
          expect(answer, `${from} -> ${to}`).toMatchObject({ Succeeded: true })
          expect((await find(Id)).Status).toBe(to === 7 ? 0 : to)
        } else {
          expect(answer, `${from} -> ${to}`).toMatchObject({ StatusCode: 409, Details: { Fault: 'wrongState', Current: { Status: from } } })
          expect((await find(Id)).Status).toBe(from)
        }
      }
    },
  )

  it('each step has its state, and refuses the others', () => {
    const table = stepNames.map((name) => [
      name,
      orderStatuses.filter((Status) =>
        isDue(name, {
          Status,
          AssignUserId: 1,
          HandOverUserId: name.endsWith('Over') && name !== 'handOver' ? 1 : null,
          ReportUserId: 1,
          ArriveTime: null,
        }),
      ),
    ])
    expect(Object.fromEntries(table)).toEqual(Object.fromEntries(stepNames.map((name) => [name, [...orderSteps[name].from]])))
    for (const from of orderStatuses)
      for (const to of orderMoves[from]) if (from !== 7) expect(stepTo(from, to), `${from} ${to}`).toBeDefined()
  })

  it('is taken by the assignee, by the first of a team, and by nobody else; each leaves one row', async () => {
    const { Id } = await open({ TeamId: id.team })
    expect((await history(Id)).History.map(({ TargetName }) => TargetName)).toEqual(['', 'Night'])
    expect((await take('ada', 'accept', Id)).StatusCode).toBe(404)
    const both = await Promise.all([take('ben', 'accept', Id), take('cem', 'accept', Id)])
    expect(both.map((a) => a.StatusCode).toSorted()).toEqual([200, 409])
    const [first, second] = both[0]!.Succeeded ? ['ben', 'cem'] : ['cem', 'ben']
    expect(await find(Id)).toMatchObject({ Status: 2, AssignUserId: id[first!] })
    expect(await take(second!, 'arrive', Id)).toMatchObject({ StatusCode: 403, Details: { Fault: 'orderOthers' } })
    expect(await take('planner', 'finish', Id, { Desc: 'x' })).toMatchObject({ StatusCode: 403 })
    expect((await done(first!, 'arrive', Id)).Steps[0]).toBe('finish')
    expect(await take(first!, 'finish', Id)).toMatchObject({ StatusCode: 400, Details: { Fields: { Desc: [expect.any(String)] } } })
    await done(first!, 'finish', Id, { Desc: 'New bearing', CauseType: 1, StopHours: 1.5, LaborHours: 2 })
    expect(await take(first!, 'check', Id)).toMatchObject({ StatusCode: 403 })
    await done('planner', 'reject', Id, { Desc: 'Still loud' })
    expect(await find(Id)).toMatchObject({ Status: 2, HandleDesc: 'New bearing', CauseType: 1, StopHours: 1.5 })
    await done(first!, 'finish', Id, { Desc: 'Aligned' })
    await done('planner', 'check', Id, { Score: 5 })
    expect(await find(Id)).toMatchObject({ Status: 5, Score: 5, Verified: 2, IsClosed: 1, CheckUserId: id.planner })
    expect((await history(Id)).History.map((h) => h.Step)).toEqual([
      'open',
      'dispatch',
      'accept',
      'arrive',
      'finish',
      'reject',
      'finish',
      'check',
    ])
    // Nobody checks an order they worked on, whatever their permissions.
    const own = await open({ AssignUserId: id.planner })
    await done('planner', 'accept', own.Id)
    await done('planner', 'finish', own.Id, { Desc: 'Done' })
    expect(await take('planner', 'check', own.Id)).toMatchObject({ StatusCode: 403, Details: { Fault: 'orderOwnCheck' } })
    await kit.db.rows(sql`
      insert into tenant_config ("EnterpriseId", "Name", "Config") values (${kit.enterprises.ours}, 'orderClocks', '{"OwnCheck": 1}')
      on conflict ("EnterpriseId", "Name") do update set "Config" = tenant_config."Config" || excluded."Config"`)
    await done('planner', 'check', own.Id)
    await kit.db.rows(sql`update tenant_config set "Config" = "Config" - 'OwnCheck' where "Name" = 'orderClocks'`)
  })

  it('a refused order waits again at once, both in the history; a reporter cancels what nobody has', async () => {
    const { Id } = await open({ AssignUserId: id.ada })
    await done('ada', 'refuse', Id, { Desc: 'On leave' })
    expect(await find(Id)).toMatchObject({ Status: 0, AssignUserId: null })
    expect((await history(Id)).History.slice(-2)).toMatchObject([
      { Step: 'refuse', FromStatus: 1, ToStatus: 7, Desc: 'On leave' },
      { Step: 'waits', FromStatus: 7, ToStatus: 0 },
    ])
    const reporter = permissions.filter((code) => code !== 'm10602.cancel')
    id.reporter = await kit.person('reporter', kit.enterprises.ours, { menus: reporter })
    const own = await kit.data<Row>('reporter', 'POST', path, { Title: 'Door', ProjectId })
    expect(await take('reporter', 'cancel', Id, { Desc: 'x' })).toMatchObject({ StatusCode: 403 })
    await done('reporter', 'cancel', own.Id, { Desc: 'Mended itself' })
    expect(await kit.call('owner', 'DELETE', `${path}/${own.Id}`)).toMatchObject({ StatusCode: 409, Details: { Fault: 'wrongState' } })
    const fresh = await open()
    expect(await kit.data('owner', 'DELETE', `${path}/${fresh.Id}`)).toEqual({ Removed: 1 })
  })

  it('the same key is the same step once, also when the order is out of sight by then; other content is refused', async () => {
    const { Id } = await open({ AssignUserId: id.ada })
    const ClientKey = 'phone-1-step-7'
    const [one, two] = await Promise.all([
      take('ada', 'refuse', Id, { Desc: 'Ill', ClientKey }),
      take('ada', 'refuse', Id, { Desc: 'Ill', ClientKey }),
    ])
    expect([one!.Succeeded, two!.Succeeded]).toEqual([true, true])
    expect((await history(Id)).History.filter((h) => h.Step === 'refuse')).toHaveLength(1)
    expect(await take('ada', 'refuse', Id, { Desc: 'Other', ClientKey })).toMatchObject({
      StatusCode: 409,
      Details: { Fault: 'clientKeyUsed' },
    })
    expect(await take('ada', 'refuse', Id, { Desc: 'Ill' })).toMatchObject({ StatusCode: 404 })
  })

  it('a long history shows its last 500 entries', async () => {
    const { Id } = await open()
    await kit.db.rows(sql`
      insert into mtn_order_history ("EnterpriseId", "OrderId", "Step", "FromStatus", "ToStatus", "Desc")
      select ${kit.enterprises.ours}, ${Id}, 'comment', 0, 0, n::text from generate_series(1, 600) n`)
    const { History } = await history(Id)
    expect([History.length, History[0]!.Desc, History.at(-1)!.Desc]).toEqual([500, '101', '600'])
  })

  it('mo-handle: orders are handled with files and a text, handed over and finished', async () => {
    const { Id } = await open({ AssignUserId: id.ada })
    await done('ada', 'accept', Id)
    expect(await take('ada', 'handOver', Id, { UserId: id.elsewhere })).toMatchObject({
      StatusCode: 400,
      Details: { Fields: { UserId: [expect.any(String)] } },
    })
    await done('ada', 'handOver', Id, { UserId: id.ben, Desc: 'End of shift' })
    expect(await find(Id)).toMatchObject({ Status: 2, AssignUserId: id.ada, HandOverUserId: id.ben })
    expect(await take('cem', 'takeOver', Id)).toMatchObject({ StatusCode: 404 })
    await done('ben', 'declineOver', Id)
    await done('ada', 'handOver', Id, { UserId: id.ben })
    await done('ben', 'takeOver', Id)
    expect(await find(Id)).toMatchObject({ Status: 2, AssignUserId: id.ben, HandOverUserId: null })
    expect((await take('ada', 'arrive', Id)).StatusCode).toBe(404)
    const hex = 'a'.repeat(32)
    await kit.db.rows(sql`
      insert into stored_file ("EnterpriseId", "UserId", "Key", "FileName", "Purpose", "ContentType", "Size", "Sha256")
      values (${kit.enterprises.ours}, ${id.ben}, ${`${kit.enterprises.ours}/${hex}.jpg`}, 'seal.jpg', 'attachment', 'image/jpeg', 1, 'x')`)
    const handle = (attach: string) =>
      kit.call<Stepped>(
        'ben',
        'PUT',
        `/MaintenanceOrder/MtnMaintenanceOrder/HandleOrder/${Id}/${attach}/${encodeURIComponent('New seal / gland')}`,
      )
    expect(await handle('../../etc')).not.toMatchObject({ Succeeded: true })
    expect(await handle(`${'b'.repeat(32)}`)).toMatchObject({ StatusCode: 400 })
    expect(await handle(`${hex}.jpg`)).toMatchObject({ Succeeded: true, Data: { Status: 4 } })
    expect(await find(Id)).toMatchObject({ Status: 4, HandleDesc: 'New seal / gland', HandleAttach: [{ FileName: 'seal.jpg' }] })
    await done('planner', 'reject', Id, { Desc: 'No' })
    expect(await kit.call('ben', 'POST', `${mine}/HandleOrder`, { OrderId: Id, Desc: 'Again' })).toMatchObject({ Data: { Status: 4 } })
  })
})

describe('orders', () => {
  it('have numbers of their day; a state is refused by name, a machine of another project too', async () => {
    const [one, two] = [await open(), await open()]
    expect(two.OrderNo).toMatch(/^WX\d{8}\d{4,}$/)
    expect(Number(two.OrderNo.slice(-4))).toBe(Number(one.OrderNo.slice(-4)) + 1)
    const refused = await kit.call('owner', 'PUT', path, { Id: one.Id, Status: 5, Title: 'Other' })
    expect(refused).toMatchObject({ StatusCode: 409, Details: { Fault: 'wrongState', Fields: { Status: [expect.any(String)] } } })
    expect(await find(one.Id)).toMatchObject({ Status: 0, Title: 'Pump leaks' })
    expect(await kit.data('owner', 'PUT', path, { Id: one.Id, Title: 'Pump leaks more' })).toMatchObject({ Title: 'Pump leaks more' })
    expect(await kit.call('owner', 'POST', path, { Title: 'No place' })).toMatchObject({
      StatusCode: 400,
      Details: { Fields: { ProjectId: [expect.any(String)] } },
    })
  })

  it('stand on a board by state, with the steps of the person and the number of all, without reports and checklists', async () => {
    const [waits, works, checked] = [await inState(0), await inState(2), await inState(4)]
    await inState(5)
    await open({ PlanFinishTime: '2020-01-01 00:00:00' })
    type Board = { Columns: { Status: number; TotalCount: number; Items: (Row & { Steps: string[] })[] }[] }
    const { Columns } = await kit.data<Board>('planner', 'GET', `${path}/Board`)
    expect(Columns.map(({ Status, TotalCount }) => [Status, TotalCount])).toEqual([0, 1, 2, 3, 4].map((s) => [s, [2, 0, 1, 0, 1][s]]))
    const cards = (status: number) => Columns[status]!.Items
    // The most urgent date first, orders without a date last.
    expect(cards(0).map((card) => [card.PlanFinishTime, card.Steps[0]])).toEqual([
      ['2020-01-01 00:00:00', 'dispatch'],
      [null, 'dispatch'],
    ])
    expect([cards(0)[1]!.Id, cards(2)[0]!.Id, cards(4)[0]!.Id]).toEqual([waits, works, checked])
    expect(cards(4)[0]).toMatchObject({ Title: 'Pump leaks', AssignUserName: 'ada', Steps: ['check', 'reject', 'comment'] })
    for (const name of ['Items', 'Results', 'HandleDesc', 'FaultDesc', 'Cost']) expect(cards(4)[0]).not.toHaveProperty(name)
    const others = await kit.data<Board>('planner', 'GET', `${path}/Board?ProjectId=999999`)
    expect(others.Columns.map(({ TotalCount }) => TotalCount)).toEqual([0, 0, 0, 0, 0])
    expect((await kit.data<Board>('stranger', 'GET', `${path}/Board`)).Columns.flatMap(({ Items }) => Items)).toEqual([])
    expect(await kit.call('ada', 'GET', `${path}/Board`)).toMatchObject({ StatusCode: 403 })
  })

  it('technicians see theirs and their teams’, in lists, pages, my orders and figures', async () => {
    const [a, b, c] = [await open({ AssignUserId: id.ada }), await open({ TeamId: id.team }), await open()]
    const ids = async (as: string, of: string) => (await kit.data<Page<Row>>(as, 'GET', of)).Items.map((o) => o.Id).toSorted()
    expect(await ids('ada', `${path}/List`)).toEqual([a.Id])
    expect(await ids('ben', `${path}/List`)).toEqual([b.Id])
    expect(await ids('owner', `${path}/List`)).toEqual([a.Id, b.Id, c.Id])
    expect(await ids('ben', mine)).toEqual([b.Id])
    expect(await ids('owner', mine)).toEqual([])
    expect(await kit.call('ada', 'GET', `${path}?Id=${b.Id}`)).toMatchObject({ StatusCode: 404 })
    expect(await kit.call('ada', 'GET', `${mine}/OrderHistory?OrderId=${c.Id}`)).toMatchObject({ StatusCode: 404 })
    expect(await kit.data('ada', 'GET', '/Home/StaticMTNOrder')).toMatchObject({ TotalCount: 1, OpenCount: 1, MineCount: 1 })
    expect(await kit.call('ada', 'POST', path, { Title: 'x', ProjectId })).toMatchObject({ StatusCode: 403 })
    await done('cem', 'accept', b.Id)
    expect(await ids('ben', mine)).toEqual([])
    expect(await ids('ben', `${path}/List`)).toEqual([b.Id])
    await kit.db.rows(sql`update mtn_maintenance_order set "PlanFinishTime" = now() - interval '1 minute' where "Id" = ${c.Id}`)
    expect(await kit.data('owner', 'GET', '/Home/StaticMTNOrder')).toMatchObject({ TotalCount: 3, Overdue: 1, OnTime: null })
    expect((await kit.data<Page<Row> & { Items: { Steps: string[] }[] }>('cem', 'GET', mine)).Items[0]!.Steps[0]).toBe('arrive')
  })
})
