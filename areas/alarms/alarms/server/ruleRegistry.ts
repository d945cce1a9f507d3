// Loads alarm rules from PostgreSQL into the engine, and reloads them as rules, points and gateways change.

import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { firstLanguage } from '../../../../contract/languages.ts'
import type { Change, Database } from '../../../../server/database/db.ts'
import { word } from '../../../../server/http/words.ts'
import type { PointMeta, PointRegistry, Stored } from '../../../../server/telemetry/sample.ts'
import { compile, costOf, type Plant, withinProject } from './alarming/rules/compile.ts'
import { type RuleEvent, Rules } from './alarming/rules/engine.ts'
import type { WatchState } from './alarming/rules/watch.ts'
import { type AlarmChange, ofRule, type RuleMeta } from './alarmRows.ts'
import { openGatewayFaults } from './gatewayFaults.ts'

type Gateway = { Id: number; EnterpriseId: number; ProjectId: number; GatewayName: string; SN: string | null; OnlineStatus: number }
/** Offline or released: its devices cannot report. */
const isAway = ({ OnlineStatus, SN }: Gateway) => OnlineStatus === 0 || SN === null
/** Plant data for rules, besides points. */
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
  '"Id", "EnterpriseId", "ProjectId", "RuleName", "RuleType", "AlarmType", "Priority", "AlmPlanId", "AlarmLevel", "Status", "RuleConfigure"',
)

/** Maximum slots that a reading may visit per rule, and slots visited per turn of the event loop. */
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

/** Keeps the engine's rules in sync with PostgreSQL. */
export class RuleRegistry {
  /** The engine, with its progress. */
  readonly engine = new Rules()
  readonly #rows = new Map<number, Row>()
  /** Rules by point; rules with a device selection may use any point. */
  readonly #naming = new Map<number, Set<number>>()
  readonly #selecting = new Set<number>()
  readonly #dirtyRules = new Set<number>()
  readonly #dirtyPoints = new Set<number>()
  readonly #dirtyGateways = new Set<number>()
  readonly #offline = new Set<number>()
  readonly #tooCostly: number[] = []
  #settingsChanged = false
  readonly #faults: ReturnType<typeof openGatewayFaults>
  readonly #database: Database
  readonly #registry: PlantRegistry
  readonly #newest: Needs['newest']
  readonly #clock: () => number

  constructor({ database, registry, newest, clock }: Needs) {
    this.#database = database
    this.#registry = registry
    this.#newest = newest
    this.#clock = clock
    this.#faults = openGatewayFaults({ database, registry, clock })
  }

  /** Disables rules of earlier versions that cost too much, and writes the reason into their remark. */
  async #switchOff() {
    for (const id of this.#tooCostly.splice(0)) {
      const [rule] = await this.#database.system.rows<{ Language: string | null }>(
        sql`select e."Language" from alarm_rule r join enterprise e on e."Id" = r."EnterpriseId" where r."Id" = ${id}`,
      )
      const reason = word(firstLanguage(rule?.Language), 'alarmRule.tooCostly')
      await this.#database.system.rows(
        sql`update alarm_rule set "Status" = 0, "Remark" = concat_ws(' ', ${reason}::text, nullif("Remark", ${reason}::text)), "UpdateTime" = now() where "Id" = ${id}`,
      )
      this.#rows.delete(id)
    }
  }
  /** Yields the event loop between expensive readings and rules. */
  async #pause(since: number) {
    if (this.engine.steps() - since < stepsOfTurn) return since
    await setImmediate()
    return this.engine.steps()
  }

  #changesOf(events: readonly RuleEvent[]) {
    return events.map((e) => ofRule(e, this.#rows.get(e.rule), this.#registry.get))
  }
  #lastOf(point: number) {
    const reading = this.#newest(point)
    return reading && reading.value !== null && reading.quality <= 1 ? { time: reading.time, value: reading.value } : undefined
  }
  #mute(gateway: Gateway, muted: boolean): AlarmChange[] {
    const points = this.#registry.pointsOf(gateway.Id).map((p) => p.Id)
    return this.#changesOf(this.engine.mute(points, muted, this.#clock()))
  }

  #put(row: Row, plant: Plant): AlarmChange[] {
    this.#rows.set(row.Id, row)
    const conditions = row.RuleConfigure.RuleList.flatMap((g) => g.Conditions)
    if (conditions.some((c) => c.DeviceSelection)) this.#selecting.add(row.Id)
    else this.#selecting.delete(row.Id)
    for (const { ParaId } of conditions.flatMap((c) => c.AlarmParams))
      if (ParaId) this.#naming.set(ParaId, (this.#naming.get(ParaId) ?? new Set()).add(row.Id))
    const applied = compile(row.Id, row.AlarmLevel, row.RuleConfigure, withinProject(plant, row.ProjectId))
    if (costOf(applied) > mostCost) {
      this.#tooCostly.push(row.Id)
      return this.#changesOf(this.engine.remove(row.Id, this.#clock()))
    }
    return this.#changesOf(this.engine.put(applied, this.#clock(), (point) => this.#lastOf(point)))
  }
  #drop(id: number): AlarmChange[] {
    const events = this.#changesOf(this.engine.remove(id, this.#clock()))
    this.#rows.delete(id)
    this.#selecting.delete(id)
    return events
  }

  /** Mutes the rules of an offline gateway. Its settings decide whether being offline is an alarm. */
  #gatewayTurned(id: number): AlarmChange[] {
    const gateway = this.#registry.gatewayById(id)
    const gone = gateway !== undefined && isAway(gateway)
    if (gone === this.#offline.has(id)) return []
    if (gone) this.#offline.add(id)
    else this.#offline.delete(id)
    return gateway ? this.#mute(gateway, gone) : []
  }

  /** Loads all rules with their saved states; returns changes found at the start. */
  async begin(judged: number, states: readonly WatchState[]): Promise<AlarmChange[]> {
    this.engine.import(judged, states)
    const plant = plantOf(this.#registry)
    const events: AlarmChange[] = []
    let steps = this.engine.steps()
    for (const row of await this.#database.system.rows<Row>(sql`select ${columns} from alarm_rule where "Status" = 1 order by "Id"`)) {
      events.push(...this.#put(row, plant))
      steps = await this.#pause(steps)
    }
    await this.#switchOff()
    events.push(...this.#changesOf(this.engine.orphans(this.#clock())))
    for (const gateway of this.#registry.gateways()) {
      if (isAway(gateway)) this.#offline.add(gateway.Id)
      events.push(...this.#mute(gateway, isAway(gateway)))
    }
    events.push(...(await this.#faults.begin()))
    return events
  }

  /** Notes a committed change, for `apply`. */
  noteChange({ resource, id }: Pick<Change, 'resource' | 'id'>) {
    if (resource === 'alarmRule') this.#dirtyRules.add(id)
    if (resource === 'gateway') this.#dirtyGateways.add(id)
    if (resource === 'alarmSetting' || resource === 'almGatewayTemplate') this.#settingsChanged = true
  }
  pointChanged(id: number) {
    this.#dirtyPoints.add(id)
  }
  get due() {
    return this.#settingsChanged || this.#faults.scans() || this.#dirtyRules.size + this.#dirtyPoints.size + this.#dirtyGateways.size > 0
  }

  /** Applies the noted changes. */
  async apply(): Promise<AlarmChange[]> {
    const ids = [...this.#dirtyRules]
    const points = [...this.#dirtyPoints]
    const gateways = [...this.#dirtyGateways]
    const reset = this.#settingsChanged
    for (const dirty of [this.#dirtyRules, this.#dirtyPoints, this.#dirtyGateways]) dirty.clear()
    this.#settingsChanged = false
    // Reads first: on failure nothing has changed, and everything stays marked as dirty.
    const read = async () => {
      const changed = ids.length
        ? await this.#database.system.rows<Row>(sql`select ${columns} from alarm_rule where "Id" = any(${ids}::bigint[]) and "Status" = 1`)
        : []
      if (reset) return [changed, await this.#faults.reset()] as const
      if (this.#faults.scans()) return [changed, await this.#faults.scan()] as const
      return [changed, gateways.length ? await this.#faults.look(gateways) : []] as const
    }
    const [changed, events] = await read().catch((error) => {
      for (const id of ids) this.#dirtyRules.add(id)
      for (const id of points) this.#dirtyPoints.add(id)
      for (const id of gateways) this.#dirtyGateways.add(id)
      this.#settingsChanged ||= reset
      throw error
    })
    events.push(...gateways.flatMap((id) => this.#gatewayTurned(id)))
    const affected = new Set([
      ...points.flatMap((p) => [...(this.#naming.get(p) ?? [])]),
      ...(points.length || gateways.length ? this.#selecting : []),
    ])
    const plant = plantOf(this.#registry)
    const enabledIds = new Set(changed.map((row) => row.Id))
    for (const row of changed) events.push(...this.#put(row, plant))
    for (const id of ids) if (!enabledIds.has(id)) events.push(...this.#drop(id))
    for (const id of affected) if (!ids.includes(id) && this.#rows.has(id)) events.push(...this.#put(this.#rows.get(id)!, plant))
    await this.#switchOff()
    if (ids.length || affected.size) for (const id of this.#offline) events.push(...this.#mute(this.#registry.gatewayById(id)!, true))
    return events
  }

  async judge(samples: readonly Stored[], now: number): Promise<AlarmChange[]> {
    const events: AlarmChange[] = []
    let steps = this.engine.steps()
    for (const sample of samples) {
      events.push(...this.#changesOf(this.engine.judge([sample], now)))
      steps = await this.#pause(steps)
    }
    return events
  }
  tick(now: number): AlarmChange[] {
    return [...this.#changesOf(this.engine.tick(now)), ...this.#faults.tick(now)]
  }
}
