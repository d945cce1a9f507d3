// Test harness: alarms on a real database, registry and HTTP, with a journal of readings in place of the store.
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { vi } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import type { HubMessages } from '../../../../contract/hub.ts'
import { type Language, languages } from '../../../../contract/languages.ts'
import type { Row } from '../../../../contract/resource.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { startKit } from '../../../../main/testing/kit.ts'
import type { Change, Database } from '../../../../server/database/db.ts'
import type { Sample, Stored } from '../../../../server/telemetry/sample.ts'
import { openRegistry } from '../../../configuration/gateways/server/registry.ts'
import { point } from '../../../configuration/points/contract.ts'
import type { alarmInfo } from '../contract.ts'
import { alarmRoutes } from './routes.ts'
import { alarmRuleRoutes } from './ruleRoutes.ts'
import { Alarms } from './runner.ts'

export type Alarm = Row<typeof alarmInfo>
/** `language`: of a localized message. */
type PushedMessage = HubMessages['Alarm'][0] & { to: number; language?: Language }

/** Live readings in the order of their arrival, as the store keeps them. */
export const openJournal = () => {
  const rows: Stored[] = []
  const listeners = new Set<(rows: readonly Stored[]) => void>()
  return {
    rows,
    onStored: (listener: (rows: readonly Stored[]) => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    since: async (n: number, limit: number) => rows.slice(n, n + limit),
    /** Stores readings and notifies listeners, unless they are stopped. */
    write(...samples: Sample[]) {
      const stored = samples.map((s, i) => ({ ...s, n: rows.length + i + 1 }))
      rows.push(...stored)
      for (const listener of listeners) listener(stored)
    },
    kill: () => listeners.clear(),
  }
}
type Journal = Omit<ReturnType<typeof openJournal>, 'since'> & { since(n: number, limit: number): Promise<Stored[]> }

export const base = Date.UTC(2026, 5, 1, 12)
export const at = (pointId: number, second: number, value: number | null, quality = 0): Sample => ({
  point: pointId,
  time: base + second * 1000,
  value,
  quality,
})

export const startArea = async (more: (database: Database) => ((api: FastifyInstance) => void)[] = () => []) => {
  let registry!: Awaited<ReturnType<typeof openRegistry>>
  let stored: readonly Stored[] = []
  let now = base
  const newestOf = (point: number) =>
    stored
      .filter((s) => s.point === point)
      .toSorted((a, b) => a.time - b.time || a.n - b.n)
      .at(-1)
  const read = async (points: readonly number[], start: number, end: number) =>
    stored
      .filter((s) => points.includes(s.point) && s.time >= start && s.time < end)
      .toSorted((a, b) => a.point - b.point || a.time - b.time)
  const plant = new Proxy({} as typeof registry, { get: (_, name) => registry[name as keyof typeof registry] })
  const kit = await startKit({
    areas: (database) => [
      alarmRoutes,
      (api) => alarmRuleRoutes(api, { registry: plant, newest: newestOf, read, clock: () => now }),
      ...more(database),
    ],
  })
  registry = await openRegistry(kit.database)
  let changes: Change[] = []
  kit.database.onChange((change) => {
    changes.push(change)
    // The last changes may outlive the kit.
    registry.refresh(change).catch(() => undefined)
  })
  const started: Alarms[] = []
  return {
    kit,
    registry,
    changes: () => changes,
    /** Sets the current time for all queries; the engine's clock follows it with `following`. */
    setClock: (time: number) => {
      now = time
    },
    start(journal: Journal, limits = {}, following = false) {
      stored = journal.rows
      const pushed: PushedMessage[] = []
      const alarms = new Alarms({
        database: kit.database,
        registry,
        telemetry: { ...journal, newest: newestOf },
        ...(following ? { clock: () => now } : {}),
        hub: {
          send: ({ EnterpriseId }, _message, alarm) => void pushed.push({ to: EnterpriseId, ...alarm }),
          sendIn: ({ EnterpriseId }, _message, render) => {
            for (const language of languages) pushed.push({ to: EnterpriseId, language, ...render(language)[0] })
          },
        },
        log: { info: () => {}, warn: () => {}, error: () => {} },
        limits,
      })
      started.push(alarms)
      return { alarms, pushed }
    },
    /** Stops everything that was started and clears its results. */
    async reset() {
      await Promise.all(started.splice(0).map((a) => a.stop()))
      await kit.db.rows(sql`update alarm_cursor set "Turn" = "Turn" + 1, "Judged" = 0, "Settled" = 0`)
      await kit.db.rows(sql`delete from alarm_state`)
      await kit.db.rows(sql`delete from alarm_reading`)
      await kit.db.rows(sql`delete from alarm_rule_state`)
      await kit.db.rows(sql`delete from alarm_rule`)
      await kit.db.rows(sql`delete from alarm_info`)
      changes = []
    },
    /** A point with limits 10 and 90 of a range of 100. */
    async makePoint(given: Record<string, unknown> = {}) {
      // A Bool has no range.
      const range = given.ParaDataType === 0 ? {} : { ProjectLow: 0, ProjectHigh: 100 }
      const limits = { AlarmLow: 10, AlarmHigh: 90, ...range, ...given }
      const { Id } = await maker(kit).create(point, limits)
      await vi.waitFor(() => {
        if (!registry.get(Id)) throw new Error('The registry does not know the point yet.')
      })
      return Id
    },
    alarmsOf: (pointId: number) =>
      kit.db.rows(
        sql<Omit<Alarm, 'StartTime' | 'RecoverTime'> & { StartTime: Date; RecoverTime: Date | null }>`
          select * from alarm_info where "ParaId" = ${pointId} order by "Id"`,
      ),
    list: async (as: string, filters = '') =>
      (await kit.data<Page<Alarm>>(as, 'GET', `/Alarm/AlarmInfo/List?PageSize=1000${filters}`)).Items,
  }
}
export type Area = Awaited<ReturnType<typeof startArea>>

/** A rule condition: the point is above 10. */
export const above = (ParaId: number, more: object = {}) => ({
  TriggerStyle: 1,
  TriggerCondition: 1,
  OperateSymbol: 3,
  ParamValue: 10,
  AlarmParams: [{ ParaId }],
  ...more,
})

/** A rule configuration with one group. */
export const configure = (conditions: object[], more: object = {}) => ({
  LogicSymbol: 1,
  EnableType: 0,
  RuleList: [{ LogicSymbol: 1, Conditions: conditions }],
  ...more,
})
