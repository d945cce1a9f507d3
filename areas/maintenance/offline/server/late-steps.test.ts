// Queued steps of phones apply once, in any order of arrival, with the effect they would have had online.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { queueVersion } from '../../../../console/offline/forms.ts'
import { permissions } from '../../../../contract/menus.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { project as projects } from '../../../configuration/projects/contract.ts'
import { orderRoutes } from '../../orders/server/routes.ts'
import { patrolCalls } from '../../patrols/contract.ts'
import { patrol } from '../../patrols/server/service.ts'
import { upkeepCalls } from '../../upkeep/contract.ts'
import { makeDue, planRoutes, upkeep } from '../../upkeep/server/service.ts'
import { queueVersions } from '../contract.ts'
import { offlineRoutes } from './routes.ts'

type Row = Record<string, unknown> & { Id: number; Status: number }
type Taken = { Applied: 0 | 1; Status: number }
const path = '/Maintenance/MtnMaintenanceOrder'
const mine = '/Maintenance/MtnMyOrder'
const worker = ['m106', 'm10601', 'm10601.work']

let kit: Kit
let ProjectId: number
const id: Record<string, number> = {}
const clock = () => Date.now()
beforeAll(async () => {
  kit = await startKit({
    clock,
    areas: () => [
      orderRoutes,
      (api) => planRoutes(api, upkeep, { clock, calls: upkeepCalls }),
      (api) => planRoutes(api, patrol, { clock, calls: patrolCalls }),
      (api) => offlineRoutes(api, { clock }),
    ],
  })
  ProjectId = (await maker(kit).create(projects)).Id
  for (const name of ['ada', 'ben']) id[name] = await kit.person(name, kit.enterprises.ours, { menus: worker })
  id.planner = await kit.person('planner', kit.enterprises.ours, { menus: permissions })
})
beforeEach(async () => {
  await kit.db.rows(sql`delete from mtn_order_history`)
  await kit.db.rows(sql`delete from mtn_maintenance_order`)
})
afterAll(() => kit?.close())

let keys = 0
type Sent = { OrderId: number; Step: string; ClientKey: string; TakenAt: number; SentAt: number } & Record<string, unknown>
const step = (Step: string, OrderId: number, more: object = {}): Sent => {
  const now = Date.now()
  return { OrderId, Step, ClientKey: `phone-step-${++keys}`, TakenAt: now, SentAt: now, ...more }
}
const send = (as: string, body: Sent) => kit.call<Taken>(as, 'POST', `${mine}/LateStep`, body)
const open = (as = 'ada') => kit.data<Row>('planner', 'POST', path, { Title: 'Pump leaks', ProjectId, AssignUserId: id[as] })
const find = (Id: number) => kit.data<Row>('planner', 'GET', `${path}?Id=${Id}`)
type Entry = { Step: string; Desc: string; Meant: string | null; ReceivedTime: string | null; ClockOff: number | null; Time: string }
const history = async (OrderId: number) =>
  (await kit.data<{ History: Entry[] }>('planner', 'GET', `${mine}/OrderHistory?OrderId=${OrderId}`)).History
const online = (as: string, name: string, OrderId: number, more: object = {}) =>
  kit.call<Row>(as, 'POST', `${path}/${name}`, { OrderId, ...more })

describe('a step that arrives later', () => {
  it('counts as of its own time, corrected by the phone’s clock, once for its key', async () => {
    const { Id } = await open()
    await kit.db.rows(sql`update mtn_order_history set "Time" = now() - interval '1 day'`)
    // The phone's clock is an hour behind; the step was taken ten minutes ago.
    const phone = Date.now() - 3_600_000
    const accept = step('accept', Id, { TakenAt: phone - 600_000, SentAt: phone })
    for (let i = 0; i < 3; i++) expect(await send('ada', accept)).toMatchObject({ Data: { Applied: 1, Status: 2 } })
    const [, , entry, ...more] = await history(Id)
    expect(more).toEqual([])
    expect(entry).toMatchObject({ Step: 'accept', Meant: null, ReceivedTime: expect.any(String) })
    expect(Math.abs(entry!.ClockOff! - 3600)).toBeLessThan(30)
    const [times] = await kit.db.rows<{ ago: number; accepted: number }>(sql`
      select extract(epoch from now() - h."Time")::float8 as ago, extract(epoch from now() - o."AcceptTime")::float8 as accepted
      from mtn_order_history h join mtn_maintenance_order o on o."Id" = h."OrderId" where h."Step" = 'accept'`)
    for (const ago of [times!.ago, times!.accepted]) expect(Math.abs(ago - 600)).toBeLessThan(30)
    expect(await send('ada', { ...accept, Step: 'refuse' })).toMatchObject({ StatusCode: 409, Details: { Fault: 'clientKeyUsed' } })
    // Never before the previous step, never in the future.
    await send('ada', step('arrive', Id, { TakenAt: 0 }))
    await send('ada', step('suspend', Id, { Desc: 'Seal ordered', TakenAt: Date.now() + 9e9 }))
    const [order] = await kit.db.rows<{ ok: boolean }>(sql`
      select bool_and("Time" <= clock_timestamp() and "Time" >= coalesce(before, "Time")) as ok from (
        select "Time", lag("Time") over (order by "Id") as before from mtn_order_history where "OrderId" = ${Id}) h`)
    expect(order!.ok).toBe(true)
  })

  it('becomes a comment of the person who held the order then, and is refused otherwise', async () => {
    const { Id } = await open()
    await kit.db.rows(sql`update mtn_order_history set "Time" = now() - interval '1 hour'`)
    const ago = (minutes: number) => ({ TakenAt: Date.now() - minutes * 60_000 })
    expect(await send('ada', step('accept', Id, ago(40)))).toMatchObject({ Data: { Applied: 1 } })
    // Reassigned half an hour ago.
    await kit.db.rows(sql`update mtn_maintenance_order set "Status" = 1`)
    expect(await online('planner', 'Dispatch', Id, { UserId: id.ben })).toMatchObject({ Succeeded: true })
    await kit.db.rows(
      sql`update mtn_order_history set "Time" = now() - interval '30 minutes' where "Step" = 'dispatch' and "TargetId" = ${id.ben}`,
    )
    const finish = step('finish', Id, { Desc: 'New seal', Solution: 'Seal 12', ...ago(35) })
    for (let i = 0; i < 2; i++) expect(await send('ada', finish)).toMatchObject({ Data: { Applied: 0, Status: 1 } })
    expect(await send('ada', { ...finish, Desc: 'Other' })).toMatchObject({ Succeeded: false })
    expect(await send('ada', step('finish', Id, { Desc: 'Too late', ...ago(10) }))).toMatchObject({ StatusCode: 404 })
    expect(await send('ben', step('finish', Id, { Desc: 'Not accepted', ...ago(50) }))).toMatchObject({ StatusCode: 409 })
    const comments = (await history(Id)).filter(({ Step }) => Step === 'comment')
    expect(comments).toMatchObject([{ Meant: 'finish', Desc: 'New seal\nSeal 12' }])
    expect(await find(Id)).toMatchObject({ Status: 1, AssignUserId: id.ben })
    const [told] = await kit.db.rows<{ UserIds: number[] }>(sql`select "UserIds" from notice where "Wording" = 'orderLate'`)
    expect([...told!.UserIds].toSorted()).toEqual([id.ada, id.ben].toSorted())
  })

  it('is judged by who held the order when it was taken, not by the bounds of its time', async () => {
    const { Id } = await open()
    await kit.db.rows(sql`update mtn_order_history set "Time" = date_trunc('second', now()) - interval '30 minutes'`)
    const before = step('finish', Id, { Desc: 'Not mine yet', TakenAt: Date.now() - 3_600_000 })
    expect(await send('ada', before)).toMatchObject({ StatusCode: 409 })
  })

  it('gives no time afterwards: a pause counts from its arrival, labor ends with the finish', async () => {
    await kit.data('planner', 'PUT', '/Maintenance/OrderClocks', { Finish1: 60, HoldReasons: [{ Name: 'Parts', Pauses: 1 }] })
    const { Id } = await open()
    await kit.db.rows(sql`update mtn_order_history set "Time" = now() - interval '5 hours'`)
    const ago = (hours: number) => ({ Desc: 'Waits', TakenAt: Date.now() - hours * 3_600_000 })
    await send('ada', step('accept', Id, ago(5)))
    await kit.data('ada', 'POST', `${path}/StartLabor`, { OrderId: Id })
    await kit.db.rows(sql`update mtn_order_labor set "StartTime" = now() - interval '4 hours'`)
    expect(await send('ada', step('suspend', Id, { ...ago(4), Reason: 'Parts' }))).toMatchObject({ Data: { Status: 3 } })
    expect(await send('ada', step('resume', Id, ago(3)))).toMatchObject({ Data: { Status: 2 } })
    expect(await send('ada', step('finish', Id, ago(2)))).toMatchObject({ Data: { Applied: 1 } })
    const [order] = await kit.db.rows<{ Holds: { start: number; end: number }[]; LaborHours: number }>(
      sql`select "Holds", "LaborHours"::float8 as "LaborHours" from mtn_maintenance_order where "Id" = ${Id}`,
    )
    const [hold] = order!.Holds
    expect(hold!.end).toBe(hold!.start)
    expect(Date.now() - hold!.start).toBeLessThan(30_000)
    expect(order!.LaborHours).toBeCloseTo(2, 1)
    await kit.data('planner', 'PUT', '/Maintenance/OrderClocks', { Finish1: null, HoldReasons: [] })
  })

  it('is no way around rights: fields, other orders, other kinds of steps, other tenants', async () => {
    const { Id } = await open()
    expect(await send('ben', step('accept', Id))).toMatchObject({ StatusCode: 404 })
    expect(await send('ada', step('check', Id))).toMatchObject({ StatusCode: 400 })
    expect(await send('ada', step('start', Id))).toMatchObject({ StatusCode: 400, Details: { Fields: { Step: [expect.any(String)] } } })
    expect(await send('ada', step('accept', Id + 1000))).toMatchObject({ StatusCode: 404 })
    expect(await send('ada', step('accept', Id, { SentAt: -1 }))).toMatchObject({ StatusCode: 400 })
    expect(await send('ada', step('refuse', Id))).toMatchObject({ StatusCode: 400, Details: { Fields: { Desc: [expect.any(String)] } } })
    const theirs = await kit.person('theirs', kit.enterprises.theirs, { menus: permissions })
    expect(theirs).toBeGreaterThan(0)
    expect(await send('theirs', step('accept', Id))).toMatchObject({ StatusCode: 404 })
    expect(await history(Id)).toHaveLength(2)
  })
})

describe('a phone with another version of the console', () => {
  const golden = (version: number): Pick<Sent, 'Step' | 'ClientKey' | 'TakenAt' | 'SentAt'> =>
    JSON.parse(readFileSync(join(import.meta.dirname, 'golden', `v${version}.json`), 'utf8'))

  it('is the same that the queue of the console knows', () => {
    expect(queueVersions).toEqual([queueVersion - 1, queueVersion])
  })

  it.each(queueVersions)('sends steps of version %i, which the server takes', async (version) => {
    const { Id } = await open()
    expect(await send('ada', { OrderId: Id, ...golden(version) })).toMatchObject({ Data: { Applied: 1, Status: 2 } })
    expect((await history(Id)).at(-1)).toMatchObject({ Step: 'accept', ReceivedTime: expect.any(String) })
  })

  it('sends a step again after its update, and it stays one step', async () => {
    const { Id } = await open()
    const [before, now] = queueVersions
    const accept = step('accept', Id)
    for (const Version of [before, before, now]) expect(await send('ada', { ...accept, Version })).toMatchObject({ Data: { Applied: 1 } })
    expect((await history(Id)).map(({ Step }) => Step)).toEqual(['open', 'dispatch', 'accept'])
  })

  it('is told when its version is too old or too new', async () => {
    const { Id } = await open()
    for (const Version of [queueVersions[0] - 1, queueVersions[1] + 1])
      expect(await send('ada', step('accept', Id, { Version }))).toMatchObject({
        StatusCode: 400,
        Details: { Fields: { Version: [expect.any(String)] } },
      })
  })
})

it('an upkeep order that was missed is opened by a finish made in time', async () => {
  const at = new Date()
  const day = (days: number) => new Date(at.getTime() + days * 86_400_000).toISOString().slice(0, 19).replace('T', ' ')
  const { Id } = await kit.data<Row>('planner', 'POST', '/Maintenance/MtnUpKeepOrder', {
    ...{ Title: 'Oil', ProjectId, AssignUserId: id.ada, PlanTime: day(-2), DueTime: day(-1) },
  })
  await kit.db.rows(sql`update mtn_up_keep_order set "Status" = 4 where "Id" = ${Id}`)
  const finish = step('finish', Id, { Desc: 'Changed', TakenAt: at.getTime() - 1.5 * 86_400_000 })
  for (let i = 0; i < 2; i++) expect(await send('ada', finish)).toMatchObject({ Data: { Applied: 1, Status: 2 } })
  await makeDue(upkeep, kit.database, Date.now())
})

it('a step of a planned order that came too late is in its timeline, for who held it', async () => {
  const times = { PlanTime: '2030-01-01 08:00:00', DueTime: '2030-01-02 08:00:00' }
  const { Id } = await kit.data<Row>('planner', 'POST', '/Maintenance/MtnUpKeepOrder', {
    ...{ Title: 'Oil', ProjectId, AssignUserId: id.ada },
    ...times,
  })
  await kit.db.rows(sql`
    update mtn_up_keep_order set "Items" = '[{"ItemName":"Level","ValueType":2,"Unit":"mm"}]', "ReportTime" = now() - interval '1 day', "PlanTime" = now() - interval '1 day' where "Id" = ${Id}`)
  expect(await send('ada', step('start', Id, { TakenAt: Date.now() - 3_600_000 }))).toMatchObject({ Data: { Applied: 1 } })
  await kit.data('planner', 'PUT', '/Maintenance/MtnUpKeepOrder', { Id, AssignUserId: id.ben })
  const finish = step('finish', Id, { Desc: 'Filled', Results: [{ Item: 0, Value: 12, IsOk: 1 }], TakenAt: Date.now() - 60_000 })
  for (let i = 0; i < 2; i++) expect(await send('ada', finish)).toMatchObject({ Data: { Applied: 0, Status: 1 } })
  const { History } = await kit.data<{ History: Entry[] }>('ben', 'GET', `/Maintenance/MtnUpKeepOrder/History?Id=${Id}`)
  expect(History).toMatchObject([{ Step: 'start' }, { Step: 'comment', Meant: 'finish', Desc: 'Filled\nLevel: 12 mm' }])
  expect((await kit.call('ada', 'GET', `/Maintenance/MtnUpKeepOrder/History?Id=${Id}`)).StatusCode).toBe(404)
})

it('a step of a planned order is never before the order, nor that of a round before the previous one', async () => {
  const hours = (ago: number) => sql`now() - ${ago} * interval '1 hour'`
  const { Id: PlanId } = await kit.data<Row>('planner', 'POST', '/Maintenance/MtnCheckPlan', {
    ...{ PlanName: 'Round', ProjectId, StartDate: '2199-01-01' },
  })
  const add = async (table: string, of: { plan: number | null; planned: number; finished?: number }) => {
    const [row] = await kit.db.rows<{ Id: number }>(sql`
      insert into ${sql.table(table)} ("EnterpriseId", "Title", "PlanId", "ProjectId", "PlanTime", "DueTime", "ReportTime", "AssignUserId", "Status", "FinishTime")
      values (${kit.enterprises.ours}, 'Due', ${of.plan}, ${ProjectId}, ${hours(of.planned)}, now() + interval '1 day', ${hours(of.planned - 1)}, ${id.ada},
        ${of.finished ? 2 : 0}, ${of.finished ? hours(of.finished) : null}) returning "Id"`)
    return row!.Id
  }
  await add('mtn_check_order', { plan: PlanId, planned: 30, finished: 5 })
  for (const [table, Id, ago] of [
    ['mtn_up_keep_order', await add('mtn_up_keep_order', { plan: null, planned: 9 }), 9],
    ['mtn_check_order', await add('mtn_check_order', { plan: PlanId, planned: 9 }), 5],
  ] as const) {
    expect(await send('ada', step('start', Id, { TakenAt: 0 }))).toMatchObject({ Data: { Applied: 1, Status: 1 } })
    const [row] = await kit.db.rows<{ ago: number }>(
      sql`select (extract(epoch from now() - "StartTime") / 3600)::float8 as ago from ${sql.table(table)} where "Id" = ${Id}`,
    )
    expect(row!.ago, table).toBeCloseTo(ago, 1)
  }
})

/** Seeded random numbers. */
const random = (seed: number) => () => {
  seed = (seed * 1_664_525 + 1_013_904_223) % 4_294_967_296
  return seed / 4_294_967_296
}

it('steps of several phones, repeated and in any order, leave what the applied ones leave online', async () => {
  for (const seed of [1, 2]) {
    const next = random(seed)
    const pick = <T>(of: readonly T[]) => of[Math.floor(next() * of.length)]!
    const { Id } = await open(pick(['ada', 'ben']))
    const phones = ['ada', 'ada', 'ben', 'ben'].map((as) =>
      Array.from({ length: 5 }, () => ({
        as,
        body: step(pick(['accept', 'arrive', 'suspend', 'resume', 'finish', 'refuse', 'comment']), Id, { Desc: `said ${++keys}` }),
      })),
    )
    const applied: (typeof phones)[number] = []
    const outcomes = new Map<string, string>()
    while (phones.some((queue) => queue.length)) {
      const queue = pick(phones.filter((queue) => queue.length))
      const { as, body } = queue[0]!
      const result = await send(as, body)
      const outcome = result.Succeeded ? String(result.Data.Applied) : 'refused'
      const before = outcomes.get(body.ClientKey)
      if (before !== undefined && before !== 'refused') expect(outcome, `seed ${seed}`).toBe(before)
      if (outcome === '1' && before !== '1') applied.push(queue[0]!)
      outcomes.set(body.ClientKey, outcome)
      // Now and then the acknowledgement is lost, so the phone sends again.
      if (next() < 0.7) queue.shift()
    }
    const entries = await history(Id)
    const kept = [...outcomes.values()].filter((outcome) => outcome !== 'refused').length
    const own = entries.filter(({ Step }) => !['open', 'dispatch', 'waits'].includes(Step))
    expect(own, `seed ${seed}`).toHaveLength(kept)

    const [first] = entries.filter(({ Step }) => Step === 'dispatch')
    expect(first).toBeDefined()
    const again = await open(
      String(
        (
          await kit.db.rows<{ n: string }>(sql`
      select "UserNO" as n from "user" u join mtn_order_history h on h."TargetId" = u."Id" where h."OrderId" = ${Id} and h."Step" = 'dispatch'`)
        )[0]!.n,
      ),
    )
    for (const { as, body } of applied) {
      const name = body.Step === 'finish' ? `${mine}/OrderFinish` : `${path}/${body.Step[0]!.toUpperCase()}${body.Step.slice(1)}`
      const { Desc } = body as unknown as { Desc: string }
      expect(await kit.call(as, 'POST', name, { OrderId: again.Id, Desc }), `seed ${seed}`).toMatchObject({ Succeeded: true })
    }
    const state = async (of: number) => {
      const { Status, AssignUserId, HandleDesc, ArriveTime, IsClosed } = await find(of)
      return { Status, AssignUserId, HandleDesc, arrived: ArriveTime !== null, IsClosed }
    }
    expect(await state(Id), `seed ${seed}`).toEqual(await state(again.Id))
  }
})
