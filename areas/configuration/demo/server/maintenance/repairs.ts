// Repair orders on the demo company's past alarms: each step follows the real state machine, at its own time.
import { sql } from 'kysely'
import type { Db } from '../../../../../server/database/db.ts'
import { attach, type Cause, causeColumns, type Given, openPast, type StepName } from '../../../../maintenance/orders/server/service.ts'
import type { Company } from './company.ts'
import type { openStore } from './parts.ts'
import { orderTexts, type Repair, repairs } from './repairTexts.ts'
import { shareOf } from './words.ts'

type Alarm = Cause & { Start: number; End: number; ParaName: string }
type Event = { at: number; who: number; step: StepName; given?: Given }
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
/** Maximum orders in thirteen months. */
const mostOrders = 400
const fewDays = 5

/** Unhandled alarms: a sample spread evenly over the past, and all of the last days. */
const wanting = async (db: Db, c: Company): Promise<{ alarm: Alarm; repair: Repair }[]> => {
  const rows = await db.rows<Alarm>(sql`
    select ${causeColumns}, (extract(epoch from a."StartTime") * 1000)::float8 as "Start", (extract(epoch from coalesce(a."RecoverTime", a."StartTime")) * 1000)::float8 as "End", p."ParaName"
    from alarm_info a join enterprise e on e."Id" = a."EnterpriseId" join point p on p."Id" = a."ParaId" join device d on d."Id" = p."DeviceId"
    where a."EnterpriseId" = ${c.EnterpriseId} and d."GatewayId" = ${c.GatewayId} and a."ProjectId" = ${c.ProjectId} and a."HandleStatus" <> 2 and a."OrderId" is null
      and a."IsActive" = 0 and a."StartTime" > ${new Date(c.since)} order by a."StartTime", a."Id"`)
  const some = rows.flatMap((alarm) => {
    const repair = repairs.find(({ points }) => points.test(alarm.ParaName))
    return repair ? [{ alarm, repair }] : []
  })
  const isNew = ({ alarm }: (typeof some)[number]) => alarm.Start > c.now - fewDays * day
  const old = some.filter((one) => !isNew(one))
  const each = Math.min(1, (mostOrders * (c.now - c.since)) / (396 * day) / Math.max(1, old.length))
  return [...old.filter((_, i) => Math.floor((i + 1) * each) > Math.floor(i * each)), ...some.filter(isNew)]
}

/** Night shifts work on critical orders only. */
const atWork = (at: number, urgency: number) => {
  const of = (at % day) / hour
  if (urgency === 3 || (of >= 5 && of < 17)) return at
  return Math.floor(at / day) * day + (of < 5 ? 5.2 : 29.2) * hour + (at % hour) / 2
}

/** Steps after an order is opened, by time. */
const lifeOf = (c: Company, id: number, { alarm, repair }: { alarm: Alarm; repair: Repair }): Event[] => {
  const share = (n: number) => shareOf(id, n)
  const worker = c.workers[Math.floor(share(1) * c.workers.length)]!
  const other = c.workers.find((one) => one !== worker) ?? worker
  const text = (of: keyof typeof orderTexts) => orderTexts[of][c.language]
  const urgency = alarm.AlarmLevel
  const events: Event[] = []
  let at = alarm.Start
  const step = (after: number, who: number, name: StepName, given?: Given) => {
    at = atWork(at + after, urgency)
    events.push({ at, who, step: name, ...(given && { given }) })
  }
  const wall = (time: number) => new Date(time).toISOString().slice(0, 19).replace('T', ' ')
  const dispatch = (UserId: number) =>
    step((4 + share(2) * 40) * minute, c.planner, 'dispatch', {
      ...{ UserId, PlanFinishTime: wall(atWork(at, urgency) + [0, 48, 24, 10][urgency]! * hour) },
    })
  if (share(3) > 0.965) {
    step(20 * minute, c.planner, 'cancel', { Desc: text('cancelled') })
    return events
  }
  if (share(4) > 0.96 && other !== worker) {
    dispatch(other)
    step(15 * minute, other, 'refuse', { Desc: text('refused') })
  }
  dispatch(worker)
  step((3 + share(5) * 90) * minute, worker, 'accept')
  step((10 + share(6) * 50) * minute, worker, 'arrive')
  if (share(7) > 0.93) {
    step(30 * minute, worker, 'suspend', { Desc: text(share(8) > 0.5 ? 'waitsForPart' : 'waitsForStop') })
    step((1 + share(9) * 6) * day, worker, 'resume')
  }
  const labour = repair.labour * (0.5 + share(10))
  const done = {
    ...{ Desc: repair.done[c.language], Solution: repair.solution[c.language], CauseType: repair.cause },
    ...{ LaborHours: Math.round(labour * 4) / 4, ...(repair.stop && { StopHours: Math.round(repair.stop * (0.3 + share(11)) * 4) / 4 }) },
  }
  // Some orders of the last days are still open: unassigned, not started, in progress, or waiting for a part.
  const open = alarm.Start > c.now - fewDays * day ? Math.floor(share(18) * 6) : 5
  if (open === 3) step(30 * minute, worker, 'suspend', { Desc: text('waitsForPart') })
  if (open < 4) return events.filter(({ step }) => open > 1 || (open === 1 && step === 'dispatch'))
  step(Math.max(labour * hour, alarm.End - at), worker, 'finish', done)
  if (share(12) > 0.96) {
    step((3 + share(13) * 15) * hour, c.planner, 'reject', { Desc: text('sentBack') })
    step(2 * hour, worker, 'finish', { ...done, Desc: text('fitted') })
  }
  step((2 + share(14) * 26) * hour, c.planner, 'check', {
    ...(share(15) > 0.6 && { Desc: text('checked') }),
    ...(share(16) > 0.5 && { Score: share(17) > 0.3 ? 5 : 4 }),
  })
  return events
}

type Open = { id: number; life: Event[]; repair: Repair }
/** Opens an order for each alarm in sequence, and takes due steps in between. Future steps are dropped. */
export const seedRepairs = async (db: Db, c: Company, store: Awaited<ReturnType<typeof openStore>>, assertRunning: () => void) => {
  const alarms = await wanting(db, c)
  const past = await openPast(db, c.EnterpriseId, alarms.length)
  const people = await db.rows<{ Id: number; Name: string }>(
    sql`select "Id", "UserName" as "Name" from "user" where "Id" = any(${[...c.workers]}::bigint[])`,
  )
  const open = new Map<number, Open>()
  const nextOf = () => {
    let next: Open | undefined
    for (const one of open.values()) if (!next || one.life[0]!.at < next.life[0]!.at) next = one
    return next
  }
  const run = (until: number) => {
    for (let next = nextOf(); next && next.life[0]!.at <= until; next = nextOf()) {
      assertRunning()
      const { at, who, step, given = {} } = next.life.shift()!
      store.deliver(at)
      const target = people.find(({ Id }) => Id === given.UserId)
      past.take(next.id, { at, UserId: who, step, given, target })
      if (step === 'arrive') store.take(at + 20 * minute, next.id, next.repair.parts)
      if (!next.life.length) open.delete(next.id)
    }
  }
  for (const one of alarms) {
    const { alarm, repair } = one
    run(Math.min(alarm.Start, c.now))
    const { Id, isNew, isOther } = past.open(alarm, alarm.Start)
    if (isOther) await attach(db, Id, [alarm.Id])
    const life = isNew ? lifeOf(c, Id, one) : []
    if (life.length) open.set(Id, { id: Id, life, repair })
  }
  run(c.now)
  store.deliver(c.now)
  await past.save()
  await store.save()
  await past.costs()
}
