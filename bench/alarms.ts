import { sql } from 'kysely'
import type { RuleCondition, RuleConfigure } from '../areas/alarms/alarm-rules/alarm-configure.ts'
import { LogicOP } from '../contract/call.ts'
import type { Database } from '../server/database/db.ts'
import { day } from '../server/telemetry/store/store.ts'
import { hearAlarms } from './beside.ts'
import { figure, quantile, timed } from './figures.ts'
import { startLoader } from './load/job.ts'
import type { Gateway, Published, PublishJob } from './load/publisher.ts'
import { fillMonth } from './queries.ts'
import { asOwner, seedPlant, startWorld } from './world.ts'

const seconds = Number(process.env.BENCH_SECONDS ?? 8)
const rules = Number(process.env.BENCH_RULES ?? 10_000)
const rows = Number(process.env.BENCH_ALARM_ROWS ?? 1_000_000)
const [gateways, rate, tries] = [20, 50_000, 40]
const points = rules / gateways

/** The publisher's values lie evenly from 40 to 60: one in a hundred is above this. */
const limit = 59.8
const above = (ParaId: number, more: Partial<RuleCondition> = {}): RuleCondition => ({
  ...{ TriggerStyle: 1, TriggerCondition: 1, OperateSymbol: 3, ParamValue: limit, AlarmParams: [{ ParaId }] },
  ...more,
})
/** Of ten: seven thresholds, two that must last, one of two conditions. */
const configureOf = (ids: readonly number[], at: number): RuleConfigure => {
  const id = ids[at]!
  const lasting = above(id, { TriggerCondition: 2, Duration: 60 })
  const Conditions = at % 10 < 7 ? [above(id)] : at % 10 < 9 ? [lasting] : [above(id), above(ids[(at + 1) % ids.length]!)]
  return { LogicSymbol: 1, EnableType: 0, RuleList: [{ LogicSymbol: 1, Conditions }] }
}

const seed = async (database: Database, url: string): Promise<Gateway[]> => {
  const plant = await seedPlant({ gateways, points })(database)
  const ids = plant.flatMap((g) => g.points)
  const configures = JSON.stringify(ids.map((_, at) => configureOf(ids, at)))
  const db = database.system
  await db.rows(sql`
    insert into alarm_rule ("EnterpriseId", "ProjectId", "RuleName", "RuleNo", "RuleConfigure")
    select p."EnterpriseId", p."Id", 'Rule ' || n, '', c from project p, jsonb_array_elements(${configures}::jsonb) with ordinality as x (c, n) where p."ProjectName" = 'Works'`)
  // Alarms of five years, most of them over, on names that repeat as those of rules do.
  // A statement may take 30 s.
  for (let from = 1; from <= rows; from += 50_000)
    await db.rows(sql`
    insert into alarm_info ("EnterpriseId", "ProjectId", "AlmNo", "RuleName", "AlarmLevel", "GatewayId", "DeviceId", "StartTime", "IsActive", "HandleStatus", "Subject")
    select p."EnterpriseId", p."Id", '', 'Rule ' || (n::bigint * 7919 % ${rules}), 1 + n % 3, g.id, d.id, now() - make_interval(secs => n * 150), (n % 1000 = 0)::int, n % 3, 'bench ' || n
    from project p, generate_series(${from}::int, ${Math.min(rows, from + 49_999)}::int) n
      cross join lateral (select "Id" as id from gateway offset n % ${gateways} limit 1) g cross join lateral (select "Id" as id from device where "GatewayId" = g.id limit 1) d
    where p."ProjectName" = 'Works'`)
  // Their bells have rung long ago.
  await db.rows(sql`delete from notice_due`)
  // What autovacuum does within minutes of so many rows.
  await asOwner(url, 'vacuum analyze alarm_info, alarm_name')
  return plant
}

const until = async (is: () => boolean) => {
  for (let i = 0; i < 300 && !is(); i++) await new Promise((done) => setTimeout(done, 100))
}

/** What rules cost ingest, how soon an alarm is on a console, a flood, long lists, and trying a rule. */
export const alarms = async () => {
  const publisher = startLoader<PublishJob, Published>('publisher.ts')
  const end = Math.floor(Date.now() / day) * day
  const world = await startWorld(seed, {}, ({ telemetry, seeded }) => fillMonth(telemetry, seeded[0]!.points.slice(0, 1), end))
  const figures = []
  try {
    const token = await world.login('manager1')
    const ids = (await world.call<{ Items: { Id: number }[] }>(token, 'POST', '/Alarm/AlarmRule/List', { PageSize: 1000 })).Items.map(
      (r) => r.Id,
    )
    const all = Array.from({ length: rules }, (_, i) => Math.max(...ids) - i)
    const switchTo = async (to: 'Enable' | 'Disable') => {
      for (let at = 0; at < all.length; at += 500)
        await world.call(token, 'POST', `/Alarm/AlarmRule/${to}`, { Ids: all.slice(at, at + 500) })
    }
    /** Of pages that were not requested before: an unchanged one would be cached. */
    const p95 = async (filters: (i: number) => object) => {
      const times: number[] = []
      for (let i = 0; i < tries; i++)
        times.push(await timed(() => world.call(token, 'POST', '/Alarm/AlarmInfo/List', { PageSize: 20, PageIndex: 1 + i, ...filters(i) })))
      return quantile(times, 0.95)
    }
    const ofDevice = (i: number) => ({ DeviceId: world.seeded[i % gateways]!.device })
    const ago = (days: number) => new Date(Date.now() - days * day).toISOString().slice(0, 10)
    const between = (from: number, to: number) => ({
      QueryInfo: {
        QueryConditions: [
          { Field: 'StartTime', Value: ago(from), LogicOP: LogicOP.dateFrom },
          { Field: 'StartTime', Value: ago(to), LogicOP: LogicOP.dateTo },
        ],
      },
    })
    const lists: [string, (i: number) => object][] = [
      ['status', (i) => ({ HandleStatus: i % 3 })],
      ['level', (i) => ({ AlarmLevel: 1 + (i % 3) })],
      ['device', ofDevice],
      ['time, a day', (i) => between(30 * i, 30 * i)],
      ['time, a year', (i) => between(365 + i, i)],
      ['code', () => ({ HasCode: 0 })],
      ['standing', () => ({ IsActive: 1 })],
      ['gateway and level', (i) => ({ GatewayId: 1 + (i % gateways), AlarmLevel: 3 })],
      ['device, status and a year four years ago', (i) => ({ ...ofDevice(i), HandleStatus: i % 3, ...between(1700, 1400) })],
      ['part of a name', (i) => ({ Search: `ule ${i + 10}` })],
      ['part of a name, of one device', (i) => ({ ...ofDevice(i), Search: `ule ${i + 10}` })],
      ['part of all names', (i) => ({ Search: 'ule', PageIndex: 50 * (1 + i) })],
      ['part of no name', (i) => ({ Search: `none ${i}` })],
    ]
    for (const [by, filters] of lists) figures.push(figure(`alarm list of ${rows} rows by ${by}, p95`, await p95(filters), 'ms'))

    const load = (more: Partial<PublishJob>) =>
      publisher.run({
        port: world.mqttPort,
        gateways: world.seeded,
        values: Math.min(100, points),
        window: 64,
        seconds,
        warmUp: 2,
        ...more,
      })
    /** Twice each, in turn: the machine is not as fast in one minute as in the next. */
    const besideNone = async (what: string, more: Partial<PublishJob>) => {
      let [ours, without] = [0, 0]
      for (let i = 0; i < 2; i++) {
        await switchTo('Disable')
        without += (await load(more)).perSecond / 2
        await switchTo('Enable')
        ours += (await load(more)).perSecond / 2
      }
      figures.push(figure(`ingest with ${rules} rules, ${what}, beside none`, ours, 'messages/s', without))
    }
    // Another hundredth of the points each half second: 8,400 alarms a minute that come and go.
    await besideNone('one reading of a hundred matches', { excursion: 500 })
    await besideNone('and is an alarm of its own', {})

    // Every reading of every point exceeds its limit for some seconds. Alarms without a hold time are raised immediately.
    const standing = async () =>
      (await world.call<{ TotalCount: number }>(token, 'POST', '/Alarm/AlarmInfo/List', { PageSize: 1, IsActive: 1, ExactCount: 1 }))
        .TotalCount
    /** The state after six seconds without a change, when the engine has caught up. */
    const settled = async () => {
      let [last, same] = [await standing(), 0]
      for (let i = 0; i < 60 && same < 3; i++) {
        await new Promise((done) => setTimeout(done, 2000))
        const now = await standing()
        same = now === last ? same + 1 : 0
        last = now
      }
      return last
    }
    const before = await settled()
    const began = performance.now()
    let flooding = true
    const groups = points / Math.min(100, points)
    const flood = load({ window: 0, rate: gateways * groups, seconds: 10, warmUp: 0, flood: true }).finally(() => {
      flooding = false
    })
    const meanwhile: number[] = []
    while (flooding) meanwhile.push(await p95(() => ({ IsActive: 1 })))
    await flood
    const raised = await settled()
    figures.push(
      figure(
        `flood: alarms more that stand, ${Math.round((performance.now() - began) / 1000)} s after its first reading`,
        raised - before,
        'alarms',
      ),
    )
    figures.push(figure('alarm list during the flood, worst p95', Math.max(...meanwhile), 'ms'))
    figures.push(figure('memory of the server after the flood', world.rss(), 'MiB'))
    await switchTo('Disable')

    const { heard, stop } = await hearAlarms(world, token)
    await load({ window: 0, rate: rate / Math.min(100, points), alarms: true })
    await until(() => heard.length > 0)
    figures.push(figure(`sample to alarm on a hub client at ${rate} samples/s, p99 of ${heard.length}`, quantile(heard, 0.99), 'ms'))
    await stop()

    const RuleConfigure = {
      LogicSymbol: 1,
      EnableType: 0,
      RuleList: [{ LogicSymbol: 1, Conditions: [above(world.seeded[0]!.points[0]!)] }],
    }
    const tried = await timed(() => world.call(token, 'POST', '/Alarm/AlarmRule/Try', { RuleConfigure, Days: 30 }))
    figures.push(figure('30-day try of a rule over one point at 10 s', tried, 'ms'))
    figures.push(figure('memory of the server after it', world.rss(), 'MiB'))
    return figures
  } finally {
    await publisher.end()
    await world.close()
  }
}
