// The rules of PostgreSQL in the engine: kept up to date as rules, points and gateways change.

import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { firstLanguage } from '../../../../contract/languages.ts'
import type { Change, Database } from '../../../../server/database/db.ts'
import { word } from '../../../../server/http/words.ts'
import type { PointMeta, PointRegistry, Stored } from '../../../../server/telemetry/sample.ts'
import { compile, costOf, type Plant, withinProject } from './alarming/rules/compile.ts'
import { createRules, type RuleEvent } from './alarming/rules/engine.ts'
import type { WatchState } from './alarming/rules/watch.ts'
import { type AlarmChange, ofRule, type RuleMeta } from './alarmRows.ts'
import { openGatewayFaults } from './gatewayFaults.ts'

type Gateway = { Id: number; EnterpriseId: number; ProjectId: number; GatewayName: string; SN: string | null; OnlineStatus: number }
/** Offline, or released: its devices cannot report. */
const isAway = ({ OnlineStatus, SN }: Gateway) => OnlineStatus === 0 || SN === null
/** What rules need to know of the plant, beside its points. */
export type PlantRegistry = PointRegistry & {
  device(id: number): { GatewayId: number } | undefined
  devicesOf(gatewayId: number): readonly { Id: number; ModelId: number | null }[]
  gatewayById(id: number): Gateway | undefined
  gateways(): Iterable<Gateway>
  pointsOf(gatewayId: number): readonly PointMeta[]
  /** Every point. */
  all(): Iterable<PointMeta>
}

type Row = RuleMeta & { ProjectId: number; AlarmLevel: number; Status: number }
const columns = sql.raw(
  '"Id", "EnterpriseId", "ProjectId", "RuleName", "RuleType", "Priority", "AlmPlanId", "AlarmLevel", "Status", "RuleConfigure"',
)

/** Slots that a reading may visit of one rule, and visits of slots in one turn of the event loop. */
const [mostCost, stepsOfTurn] = [20_000, 100_000]

/** A view of the current plant; gateways are grouped by project once, devices' points looked up once a gateway. */
export const plantOf = (registry: PlantRegistry): Plant => {
  const known = new Map<number, Map<number, PointMeta[]>>()
  let gateways: Map<number, Gateway[]> | undefined
  const ofProject = (project: number) => {
    gateways ??= Map.groupBy(registry.gateways(), (g) => g.ProjectId)
    return (gateways.get(project) ?? []).flatMap((g) => registry.devicesOf(g.Id))
  }
  return {
    point: registry.get,
    pointsOf: (device) => {
      const gateway = registry.gatewayById(registry.device(device)?.GatewayId ?? 0)
      if (!gateway) return []
      if (!known.has(gateway.Id))
        known.set(
          gateway.Id,
          Map.groupBy(registry.pointsOf(gateway.Id), (p) => p.DeviceId),
        )
      return known.get(gateway.Id)!.get(device) ?? []
    },
    projectOf: (device) => registry.gatewayById(registry.device(device)?.GatewayId ?? 0)?.ProjectId,
    devicesOfProject: (project) => ofProject(project).map((d) => d.Id),
    devicesOfModel: (project, model) => ofProject(project).flatMap((d) => (d.ModelId === model ? [d.Id] : [])),
  }
}

type Needs = { database: Database; registry: PlantRegistry; newest: (point: number) => Stored | undefined; clock: () => number }

export const openRuleRegistry = ({ database, registry, newest, clock }: Needs) => {
  const engine = createRules()
  const rows = new Map<number, Row>()
  /** Rules by the points they name; those that select devices may name any. */
  const naming = new Map<number, Set<number>>()
  const selecting = new Set<number>()
  const dirtyRules = new Set<number>()
  const dirtyPoints = new Set<number>()
  const dirtyGateways = new Set<number>()
  const offline = new Set<number>()

  const tooCostly: number[] = []
  /** Disables rules of earlier versions that cost too much, and puts the reason into their remark. */
  const switchOff = async () => {
    for (const id of tooCostly.splice(0)) {
      const [rule] = await database.system.rows<{ Language: string | null }>(
        sql`select e."Language" from alarm_rule r join enterprise e on e."Id" = r."EnterpriseId" where r."Id" = ${id}`,
      )
      const reason = word(firstLanguage(rule?.Language), 'alarmRule.tooCostly')
      await database.system.rows(
        sql`update alarm_rule set "Status" = 0, "Remark" = concat_ws(' ', ${reason}::text, nullif("Remark", ${reason}::text)), "UpdateTime" = now() where "Id" = ${id}`,
      )
      rows.delete(id)
    }
  }
  /** Yields the event loop between expensive readings and rules. */
  const pause = async (since: number) => {
    if (engine.steps() - since < stepsOfTurn) return since
    await setImmediate()
    return engine.steps()
  }

  const metaOf = (id: number): RuleMeta | undefined => rows.get(id)
  const changesOf = (events: readonly RuleEvent[]) => events.map((e) => ofRule(e, metaOf(e.rule), registry.get))
  const lastOf = (point: number) => {
    const reading = newest(point)
    return reading && reading.value !== null && reading.quality <= 1 ? { time: reading.time, value: reading.value } : undefined
  }
  const mute = (gateway: Gateway, muted: boolean): AlarmChange[] => {
    const points = registry.pointsOf(gateway.Id).map((p) => p.Id)
    return changesOf(engine.mute(points, muted, clock()))
  }

  const put = (row: Row, plant: Plant): AlarmChange[] => {
    rows.set(row.Id, row)
    const conditions = row.RuleConfigure.RuleList.flatMap((g) => g.Conditions)
    if (conditions.some((c) => c.DeviceSelection)) selecting.add(row.Id)
    else selecting.delete(row.Id)
    for (const { ParaId } of conditions.flatMap((c) => c.AlarmParams))
      if (ParaId) naming.set(ParaId, (naming.get(ParaId) ?? new Set()).add(row.Id))
    const applied = compile(row.Id, row.AlarmLevel, row.RuleConfigure, withinProject(plant, row.ProjectId))
    if (costOf(applied) > mostCost) {
      tooCostly.push(row.Id)
      return changesOf(engine.remove(row.Id, clock()))
    }
    return changesOf(engine.put(applied, clock(), lastOf))
  }
  const drop = (id: number): AlarmChange[] => {
    const events = changesOf(engine.remove(id, clock()))
    rows.delete(id)
    selecting.delete(id)
    return events
  }

  const faults = openGatewayFaults({ database, registry, clock })
  let settingsChanged = false
  /** Mutes the rules of a gateway that is away. Its settings decide whether being offline is an alarm. */
  const gatewayTurned = (id: number): AlarmChange[] => {
    const gateway = registry.gatewayById(id)
    const gone = gateway !== undefined && isAway(gateway)
    if (gone === offline.has(id)) return []
    if (gone) offline.add(id)
    else offline.delete(id)
    return gateway ? mute(gateway, gone) : []
  }

  return {
    watches: engine.watches,
    standing: engine.standing,
    size: engine.size,
    passes: engine.passes,
    advance: engine.advance,
    take: engine.take,
    takeTouched: engine.takeTouched,
    newest: engine.newest,
    state: engine.state,
    witness: engine.witness,

    /** All rules, with the states they were saved with; what they find new at the start. */
    async begin(judged: number, states: readonly WatchState[]): Promise<AlarmChange[]> {
      engine.import(judged, states)
      const plant = plantOf(registry)
      const events: AlarmChange[] = []
      let steps = engine.steps()
      for (const row of await database.system.rows<Row>(sql`select ${columns} from alarm_rule where "Status" = 1 order by "Id"`)) {
        events.push(...put(row, plant))
        steps = await pause(steps)
      }
      await switchOff()
      events.push(...changesOf(engine.orphans(clock())))
      for (const gateway of registry.gateways()) {
        if (isAway(gateway)) offline.add(gateway.Id)
        events.push(...mute(gateway, isAway(gateway)))
      }
      events.push(...(await faults.begin()))
      return events
    },

    /** Notes a committed change, for `apply`. */
    noteChange({ resource, id }: Pick<Change, 'resource' | 'id'>) {
      if (resource === 'alarmRule') dirtyRules.add(id)
      if (resource === 'gateway') dirtyGateways.add(id)
      if (resource === 'alarmSetting' || resource === 'almGatewayTemplate') settingsChanged = true
    },
    pointChanged: (id: number) => void dirtyPoints.add(id),
    get due() {
      return settingsChanged || faults.scans() || dirtyRules.size + dirtyPoints.size + dirtyGateways.size > 0
    },

    /** Brings the engine up to what has been noted. */
    async apply(): Promise<AlarmChange[]> {
      const ids = [...dirtyRules]
      const points = [...dirtyPoints]
      const gateways = [...dirtyGateways]
      const reset = settingsChanged
      for (const dirty of [dirtyRules, dirtyPoints, dirtyGateways]) dirty.clear()
      settingsChanged = false
      // Read first: if that fails, nothing has changed and everything stays marked as dirty.
      const read = async () => {
        const changed = ids.length
          ? await database.system.rows<Row>(sql`select ${columns} from alarm_rule where "Id" = any(${ids}::bigint[]) and "Status" = 1`)
          : []
        if (reset) return [changed, await faults.reset()] as const
        if (faults.scans()) return [changed, await faults.scan()] as const
        return [changed, gateways.length ? await faults.look(gateways) : []] as const
      }
      const [changed, events] = await read().catch((error) => {
        for (const id of ids) dirtyRules.add(id)
        for (const id of points) dirtyPoints.add(id)
        for (const id of gateways) dirtyGateways.add(id)
        settingsChanged ||= reset
        throw error
      })
      events.push(...gateways.flatMap(gatewayTurned))
      const affected = new Set([
        ...points.flatMap((p) => [...(naming.get(p) ?? [])]),
        ...(points.length || gateways.length ? selecting : []),
      ])
      const plant = plantOf(registry)
      const enabledIds = new Set(changed.map((row) => row.Id))
      for (const row of changed) events.push(...put(row, plant))
      for (const id of ids) if (!enabledIds.has(id)) events.push(...drop(id))
      for (const id of affected) if (!ids.includes(id) && rows.has(id)) events.push(...put(rows.get(id)!, plant))
      await switchOff()
      if (ids.length || affected.size) for (const id of offline) events.push(...mute(registry.gatewayById(id)!, true))
      return events
    },

    async judge(samples: readonly Stored[], now: number): Promise<AlarmChange[]> {
      const events: AlarmChange[] = []
      let steps = engine.steps()
      for (const sample of samples) {
        events.push(...changesOf(engine.judge([sample], now)))
        steps = await pause(steps)
      }
      return events
    },
    tick: (now: number) => [...changesOf(engine.tick(now)), ...faults.tick(now)],
  }
}
export type RuleRegistry = ReturnType<typeof openRuleRegistry>
