// The demo company's upkeep and patrols: plans, and orders with their work.
import { sql } from 'kysely'
import type { Db } from '../../../../../server/database/db.ts'
import { serverActor } from '../../../../../server/identity/actor.ts'
import { store } from '../../../../../server/resource/store.ts'
import { proRfidInfo } from '../../../../maintenance/cards/contract.ts'
import { openCardReads } from '../../../../maintenance/cards/server/service.ts'
import { patrol, visit } from '../../../../maintenance/patrols/server/service.ts'
import { finish, type Kind, makeOfPlan, plansOf, setPlanStatus, start, upkeep } from '../../../../maintenance/upkeep/server/service.ts'
import { type Company, person } from './company.ts'
import { patrolPlan, patrolPoints, type UpkeepPlan, upkeepPlans } from './plansTable.ts'
import { say, shareOf } from './words.ts'

const [hour, day] = [3_600_000, 86_400_000]
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)
type Checks = UpkeepPlan['checks']

const itemsOf = (c: Company, checks: Checks, device?: string) =>
  checks.map(({ name, min, max, unit, point }) => {
    const ParaId = point && device ? c.points.get(`${device}/${point}`) : undefined
    return {
      ...{ ItemName: name[c.language], ValueType: ParaId ? 6 : min === undefined ? 1 : 2, Required: 1 },
      ...(min !== undefined && { Min: min, Max: max, Unit: unit ?? '' }),
      ...(ParaId && { ParaId }),
    }
  })
const atDisplay = say('Read at the display', '读自就地仪表', 'Leído en el visor', '現場表示器の読み値')
/** A plausible result, occasionally beyond its limits. */
const resultsOf = ({ language }: Company, checks: Checks, order: number) =>
  checks.map(({ min, max = 0, usual, point }, Item) => {
    const share = shareOf(order, Item)
    if (usual === undefined || min === undefined) return { Item, Value: share > 0.985 ? 0 : 1, IsOk: share > 0.985 ? 0 : 1 }
    const value = share > 0.99 ? max * 1.04 : usual + (max - min) * (share - 0.5) * 0.16
    return { Item, Value: Number(value.toPrecision(3)), IsOk: 1, ...(point && { Reason: atDisplay[language] }) }
  }) as never

type Order = { Id: number; Plan: number }
type Work = (db: Db, order: Order) => Promise<void>
/** Creates and completes a plan's past orders in sequence. The plan then runs on schedule. */
const live = async (kind: Kind, db: Db, c: Company, draft: Record<string, unknown>, from: number, work: Work) => {
  const planner = serverActor(c.EnterpriseId)
  const { Id } = await plansOf(kind).create(db, planner, { ...draft, ProjectId: c.ProjectId, StartDate: dayOf(from) })
  await setPlanStatus(kind, db, planner, { Id, PlanStatus: 1 }, from)
  for (let last = 0; ; ) {
    const [plan] = await db.rows<{ Next: number | null }>(sql`
      select (extract(epoch from "NextTime") * 1000 - "AdvanceDays" * ${day})::float8 as "Next" from ${sql.table(kind === patrol ? 'mtn_check_plan' : 'mtn_up_keep_plan')} where "Id" = ${Id}`)
    if (!plan?.Next || plan.Next > c.now || plan.Next <= last) return
    last = plan.Next
    await makeOfPlan(kind, db, Id, plan.Next)
    const orders = await db.rows<Order>(sql`
      select "Id", (extract(epoch from "PlanTime") * 1000)::float8 as "Plan" from ${sql.table(kind === patrol ? 'mtn_check_order' : 'mtn_up_keep_order')}
      where "PlanId" = ${Id} and "Status" = 0 order by "Id"`)
    for (const order of orders) await work(db, order)
  }
}

/** Plan by month or running hours, whichever is due first. */
const hoursOf = (c: Company, { hours, devices }: UpkeepPlan) => {
  const HourParaId = hours && c.points.get(`${devices[0]}/${hours[0]}`)
  return HourParaId ? { HourParaId, HourStep: hours[1] } : {}
}

const seedUpkeep = async (db: Db, c: Company, plan: UpkeepPlan, n: number) => {
  const DeviceIds = plan.devices.flatMap((name) => c.devices.get(name) ?? [])
  const worker = c.workers[n % c.workers.length]!
  const draft = {
    ...{ PlanName: plan.name[c.language], PlanNo: plan.no, DeviceIds, CycleType: 3, CycleValue: plan.every, ExecTime: plan.time },
    ...{
      AdvanceDays: 3,
      DueDays: 4,
      GraceDays: 14,
      AssignUserId: worker,
      Items: itemsOf(c, plan.checks, plan.devices[0]),
      ...hoursOf(c, plan),
    },
  }
  await live(upkeep, db, c, draft, c.since + (3 + n * 3) * day, async (db, { Id, Plan }) => {
    const begin = Plan + shareOf(Id, 1) * 60 * hour
    const end = begin + (0.7 + shareOf(Id, 2) * 2) * hour
    if (begin < c.now) await start(upkeep, db, person(c, worker, begin), { OrderId: Id }, begin)
    if (end < c.now)
      await finish(
        upkeep,
        db,
        person(c, worker, end),
        { OrderId: Id, Results: resultsOf(c, plan.checks, Id), Desc: plan.done[c.language] },
        end,
      )
  })
}

const cardNo = (n: number) => (0xd0_0c_00_00 + n).toString(16).toUpperCase()
const metre = 1 / 111_320
const seedCards = async (db: Db, c: Company) => {
  const cards: number[] = []
  for (const [i, { name, place, east, north }] of patrolPoints.entries()) {
    const { Id } = await store(proRfidInfo).create(db, serverActor(c.EnterpriseId), {
      ...{
        CardName: name[c.language],
        CardNo: cardNo(i + 1),
        CardType: 1,
        ProjectId: c.ProjectId,
        PositionName: place[c.language],
        Sort: i + 1,
      },
      ...{
        Longitude: Number((2.11 + (east * metre) / Math.cos((41.48 * Math.PI) / 180)).toFixed(6)),
        Latitude: Number((41.48 + north * metre).toFixed(6)),
      },
    })
    cards.push(Id)
  }
  return cards
}

/** Days of patrols and card readings to seed. */
const roundDays = 14
const seedPatrol = async (db: Db, c: Company) => {
  const Points = await seedCards(db, c)
  const worker = c.workers.at(-1)!
  const { name, no, time, checks, done } = patrolPlan
  const draft = {
    ...{ PlanName: name[c.language], PlanNo: no, CycleType: 1, CycleValue: 1, ExecTime: time, AdvanceDays: 0, DueDays: 1, GraceDays: 1 },
    ...{ AssignUserId: worker, Items: itemsOf(c, checks), Points, InOrder: 0, AllowQr: 1 },
  }
  await live(patrol, db, c, draft, Math.max(c.since, c.now - roundDays * day), async (db, { Id, Plan }) => {
    const begin = Plan + (5 + shareOf(Id, 1) * 20) * 60_000
    // Yesterday's patrol missed a point.
    const missed = Plan < c.now - day && Plan > c.now - 2 * day ? 7 : -1
    let at = begin
    if (begin > c.now) return
    await start(patrol, db, person(c, worker, begin), { OrderId: Id }, begin)
    for (let i = 0; i < Points.length; i++) {
      at += (2 + shareOf(Id, i) * 3) * 60_000
      if (at > c.now) return
      if (i !== missed) await visit(db, person(c, worker, at), { OrderId: Id, CardNo: cardNo(i + 1), Way: 2 }, at)
    }
    at += 240_000
    if (at < c.now)
      await finish(patrol, db, person(c, worker, at), { OrderId: Id, Results: resultsOf(c, checks, Id), Desc: done[c.language] }, at)
  })
}

/** People's cards, read at the gate. */
const seedPunches = async (db: Db, c: Company) => {
  const people = [c.planner, c.keeper, ...c.workers]
  const gate = { Id: c.GatewayId, EnterpriseId: c.EnterpriseId, ProjectId: c.ProjectId }
  for (const [i, UserId] of people.entries()) {
    const [{ UserName } = { UserName: '' }] = await db.rows<{ UserName: string }>(sql`select "UserName" from "user" where "Id" = ${UserId}`)
    await store(proRfidInfo).create(db, serverActor(c.EnterpriseId), { CardName: UserName, CardNo: cardNo(0x100 + i), CardType: 2, UserId })
  }
  const read = openCardReads({ system: db, now: () => c.now, announce: () => undefined })
  for (let n = Math.min(roundDays, Math.floor((c.now - c.since) / day)); n >= 0; n--) {
    const midnight = Math.floor((c.now - n * day) / day) * day
    if ([0, 6].includes(new Date(midnight).getUTCDay())) continue
    for (const [i] of people.entries())
      for (const [at, spread] of [
        [4.8, 0.3],
        [13, 0.6],
      ] as const) {
        const ReadTime = midnight + (at + (shareOf(midnight / day, i, at * 10) - 0.5) * spread * 2) * hour
        if (ReadTime < c.now) await read(gate, { CardNo: cardNo(0x100 + i), Reader: 'Gate', ReadTime })
      }
  }
}

export const seedPlans = async (db: Db, c: Company) => {
  for (const [n, plan] of upkeepPlans.entries()) await seedUpkeep(db, c, plan, n)
  await seedPatrol(db, c)
  await seedPunches(db, c)
}
