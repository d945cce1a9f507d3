import { sql } from 'kysely'
import type { Database, Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import type { Probe } from '../../../../server/http/health.ts'
import { platformEnterprise } from '../../../../server/identity/setup.ts'
import { readSettings } from '../../../../server/resource/settings.ts'
import { notify } from '../../notices/server/service.ts'
import type { MachineUse, Measure } from '../contract.ts'
import { machineLimits, measures } from '../contract.ts'
import type { Machine, Reading } from './machine.ts'

const minuteMs = 60_000
const weekMs = 7 * 24 * 60 * minuteMs
/** Maximum points of a plot. */
const mostBuckets = 600
const watched = ['Cpu', 'Memory', 'Disk'] as const
type Watched = (typeof watched)[number]

const percent = (r: Reading): Record<Watched, number> => ({
  Cpu: r.Cpu,
  Memory: (100 * r.MemoryUsed) / r.MemoryTotal,
  Disk: (100 * r.DiskUsed) / r.DiskTotal,
})
const measured = (r: Reading): Record<Measure, number | null> => ({
  ...percent(r),
  Receive: r.Receive,
  Send: r.Send,
  Rss: r.Rss,
  LoopMs: r.LoopMs,
})
const mean = (values: (number | null)[]) => {
  const known = values.filter((v) => v !== null)
  return known.length ? known.reduce((sum, v) => sum + v, 0) / known.length : null
}

export type MonitoringParts = {
  database: Database
  machine: Machine
  probes: readonly Probe[]
  version: string
  clock: () => number
  log: { warn: (fields: object, text: string) => void }
  everyMs?: number
}

const historyOf = async (db: Db, start: number, end: number): Promise<MachineUse['History']> => {
  const step = Math.max(minuteMs, Math.ceil((end - start) / mostBuckets / minuteMs) * minuteMs)
  const rows = await db.rows<{ Time: number } & Record<Measure, number | null>>(sql`
    select (extract(epoch from date_bin(make_interval(secs => ${step / 1000}), "Time", 'epoch')) * 1000)::bigint as "Time",
      ${sql.join(measures.map((name) => sql`avg(${sql.id(name)})::float8 as ${sql.id(name)}`))}
    from machine_use where "Time" >= ${new Date(start)} and "Time" < ${new Date(end)} group by 1 order by 1`)
  const column = (name: Measure) => rows.map((row) => row[name])
  return {
    Time: rows.map((row) => row.Time),
    ...(Object.fromEntries(measures.map((name) => [name, column(name)])) as Record<Measure, (number | null)[]>),
  }
}

type Notify = (wording: string, values: Record<string, string | number>, source: string) => Promise<unknown>
type Limits = Awaited<ReturnType<typeof readSettings<typeof machineLimits>>>

/** Notifies when a measure stays over its limit, and when it is back. */
const createLimitWatch = (clock: () => number, notify: Notify) => {
  /** Start of each excess, and whether a notice was sent. */
  const over: Partial<Record<Watched, { since: number; told: boolean }>> = {}
  return async (now: Record<Watched, number>, most: Limits) => {
    for (const name of watched) {
      const value = Math.round(now[name])
      const held = over[name]
      if (now[name] >= most[name]) {
        over[name] = held ?? { since: clock(), told: false }
        if (!over[name]!.told && clock() - over[name]!.since >= most.Minutes * minuteMs) {
          over[name]!.told = true
          await notify(`machine${name}`, { value, limit: most[name], minutes: most.Minutes }, name)
        }
      } else if (held) {
        // Slightly below the limit, so that a value that fluctuates around it makes one notice.
        if (held.told && now[name] > most[name] - 5) continue
        delete over[name]
        if (held.told) await notify(`machine${name}Over`, { value, limit: most[name] }, `${name}/over`)
      }
    }
  }
}

/** Measures the machine every ten seconds, stores one-minute means for a week, and warns about lasting excesses. */
export const startMonitoring = ({ database, machine, probes, version, clock, log, everyMs = 10_000 }: MonitoringParts) => {
  const db = database.system
  let gathered: Record<Measure, number | null>[] = []
  let minute = Math.floor(clock() / minuteMs)
  let down = new Set<string>()
  /** The last sample. Samples cover the time since the previous one, so reading must not take a new one. */
  let latest: Reading | undefined

  const limits = () => readSettings(db, machineLimits)

  const keep = async (at: number) => {
    const [m, rows] = [measures, gathered]
    gathered = []
    if (!rows.length) return
    const values = m.map((name) => mean(rows.map((row) => row[name])))
    await db.rows(
      sql`insert into machine_use ("Time", ${sql.join(m.map((name) => sql.id(name)))}) values (${new Date(at * minuteMs)}, ${sql.join(values)}) on conflict do nothing`,
    )
    await db.rows(sql`delete from machine_use where "Time" < ${new Date(clock() - weekMs)}`)
  }
  const tell = (Wording: string, WordValues: Record<string, string | number>, source: string) =>
    notify(db, {
      EnterpriseId: platformEnterprise,
      BizType: 11,
      Wording,
      WordValues,
      Source: `machine/${source}/${clock()}`,
      // Users who may see the screen.
      Permission: 'm10453',
    })
  const engines = () =>
    Promise.all(probes.map(async ({ name, ready }) => ({ Name: name, Ready: await Promise.resolve(ready()).catch(() => false) })))
  const watchEngines = async () => {
    const gone = new Set((await engines()).filter((e) => !e.Ready).map((e) => e.Name))
    for (const name of gone) if (!down.has(name) && name !== 'start') await tell('engineDown', { engine: name }, name)
    down = gone
  }

  const watch = createLimitWatch(clock, tell)
  const look = async () => {
    const at = Math.floor(clock() / minuteMs)
    if (at !== minute) {
      await keep(minute)
      minute = at
    }
    const reading = await machine.read()
    latest = reading
    gathered.push(measured(reading))
    await watch(percent(reading), await limits())
    await watchEngines()
  }
  let busy: Promise<void> | undefined
  const timer = setInterval(() => {
    busy ??= look()
      .catch((err) => log.warn({ err }, 'the machine could not be measured'))
      .finally(() => {
        busy = undefined
      })
  }, everyMs).unref()

  return {
    look,
    async use({ Start, End }: { Start?: number; End?: number }): Promise<MachineUse> {
      const end = Math.min(End ?? clock(), clock() + minuteMs)
      const start = Math.max(Start ?? end - 60 * minuteMs, clock() - weekMs - minuteMs)
      if (start >= end) throw new FieldFaults([{ field: 'End', rule: 'afterStart' }])
      const [now, Engines, Limits, History] = await Promise.all([latest ?? machine.read(), engines(), limits(), historyOf(db, start, end)])
      return {
        Time: clock(),
        ...now,
        UptimeSeconds: Math.floor(process.uptime()),
        Node: process.version,
        Version: version,
        Engines,
        Limits,
        History,
      }
    },
    async close() {
      clearInterval(timer)
      await busy
      machine.close()
    },
  }
}
export type Monitoring = ReturnType<typeof startMonitoring>
