// Loads the saved state of the engines at start.
import { sql } from 'kysely'
import type { Database } from '../../../../server/database/db.ts'
import { furtherOf, sides } from './alarming/condition.ts'
import type { PointState } from './alarming/engine.ts'
import { unpack } from './alarming/readings.ts'
import type { WatchState } from './alarming/rules/watch.ts'
import type { Saved, Step } from './alarmStore.ts'
import type { ActiveAlarm } from './joining.ts'

/** Adds the extremes that were saved after the states: every later reading is replayed. */
const restoreExtremes = (extremes: ReadonlyMap<string, number>, points: { State: PointState }[], rules: { State: WatchState }[]) => {
  for (const { State } of points)
    for (const side of sides) {
      const settled = extremes.get(`l${State.point} ${side}`)
      const { extreme } = State[side]
      if (settled !== undefined && extreme !== undefined) State[side].extreme = furtherOf(side, extreme, settled)
    }
  for (const { State } of rules) if (State.extreme !== undefined) State.settledExtreme = extremes.get(`r${State.rule} ${State.key}`)
}

export const load = async (database: Database): Promise<Saved> => {
  const [[cursor], states, rules, blocks, active] = await database.system.all([
    sql<{ Turn: number; Judged: number; Settled: number }>`select "Turn", "Judged", "Settled" from alarm_cursor`,
    sql<{ State: PointState; Known: boolean }>`
      select s."State", exists (select 1 from point p where p."Id" = s."ParaId") as "Known" from alarm_state s`,
    sql<{ State: WatchState }>`select "State" from alarm_rule_state`,
    sql<Step['blocks'][number]>`select "Block", "N", "Readings" from alarm_reading`,
    sql<ActiveAlarm & { ExtremeValue: number | null }>`
      select "Subject", "ParaId", "TriggerStyle", "OperateSymbol", "AlarmLevel", "ExtremeValue" from alarm_info where "IsActive" = 1 and "Subject" is not null`,
  ])
  restoreExtremes(new Map(active.flatMap((a) => (a.ExtremeValue === null ? [] : [[a.Subject, a.ExtremeValue]]))), states, rules)
  return {
    active,
    epoch: cursor!.Turn,
    judged: cursor!.Judged,
    settled: cursor!.Settled,
    states: states.map((s) => s.State),
    gone: states.filter((s) => !s.Known).map((s) => s.State.point),
    rules: rules.map((r) => r.State),
    newest: blocks.flatMap(({ Block, N, Readings }) => unpack(Block, Readings).map((reading) => ({ ...reading, n: N, quality: 0 }))),
  }
}
