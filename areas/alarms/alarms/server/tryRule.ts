// Tests a rule over stored readings, with the real engine and the clock of the readings.

import { Fault, FieldFaults } from '../../../../server/http/faults.ts'
import { ownTurn } from '../../../../server/jobs/ownTurn.ts'
import type { Stored } from '../../../../server/telemetry/sample.ts'
import { day } from '../../../../server/telemetry/store/store.ts'
import { mostSlots, type RuleConfigure } from '../../alarm-rules/alarm-configure.ts'
import { compile, costOf } from './alarming/rules/compile.ts'
import { Rules } from './alarming/rules/engine.ts'
import { type PlantRegistry, plantOf } from './ruleRegistry.ts'

/**
 * Limits of a test: points, readings in total, readings per query, listed rows, listed alarms, and ms.
 * `steps`: visits of slots in one turn of the event loop.
 */
const most = { points: 200, samples: 3_000_000, read: 50_000, rows: 2000, steps: 20_000, alarms: 1000, ms: 30_000 }

const minute = 60_000

export type Tried = { Name: string; ParaId: number; AlarmLevel: number; Start: number; End: number | null; Value: number | null }
export type Read = (points: readonly number[], start: number, end: number, limit?: number) => Promise<Stored[]>

/** All alarms between `start` and `end` (epoch ms). Fault rangeTooLong above the limits. */
export const tryRule = async (
  configure: RuleConfigure,
  level: number,
  { start, end, registry, read, clock }: { start: number; end: number; registry: PlantRegistry; read: Read; clock: () => number },
) => {
  const applied = compile(0, level, configure, plantOf(registry))
  const points = [...new Set(applied.subjects.flatMap((s) => s.points.flat()))]
  if (points.length > most.points) throw new Fault('rangeTooLong')
  if (costOf(applied) > 4 * mostSlots)
    throw new FieldFaults([{ field: 'RuleConfigure.RuleList', rule: 'alarmRule.fault.slots', values: { max: mostSlots } }])
  const until = clock() + most.ms
  const engine = new Rules()
  const events = engine.put(applied, start)
  let Samples = 0
  const judge = async (rows: readonly Stored[]) => {
    for (let at = 0; at < rows.length; ) {
      await ownTurn()
      if (clock() > until) throw new Fault('rangeTooLong')
      const [steps, last] = [engine.steps(), Math.min(rows.length, at + most.rows)]
      while (at < last && engine.steps() - steps < most.steps) events.push(...engine.judge([rows[at++]!]))
    }
  }
  // Each read of the store has a fixed cost, so several days of few points are read together.
  let span = day * Math.max(1, Math.floor(5 / points.length))
  for (let from = start; from < end; ) {
    const to = Math.min(from + span, end)
    const isShort = span <= minute
    const rows = await read(points, from, to, isShort ? most.samples - Samples + 1 : most.read + 1)
    if (rows.length > most.read && !isShort) {
      span = Math.max(minute, Math.floor(span / 4))
      continue
    }
    Samples += rows.length
    if (Samples > most.samples || clock() > until) throw new Fault('rangeTooLong')
    if (points.length > 1) rows.sort((a, b) => a.time - b.time || a.n - b.n)
    await judge(rows)
    from = to
  }
  events.push(...engine.tick(end))
  const open = new Map<string, Tried>()
  const Alarms: Tried[] = []
  for (const e of events) {
    const alarm = open.get(e.key)
    if (e.kind === 'level' && alarm) alarm.AlarmLevel = e.level
    if (e.kind === 'recovered' && alarm) {
      alarm.End = e.time
      open.delete(e.key)
    }
    if (e.kind !== 'raised') continue
    const meta = registry.get(e.point)
    const made: Tried = {
      Name: `${meta?.DeviceName ?? ''} · ${meta?.ParaName ?? ''}`,
      ParaId: e.point,
      AlarmLevel: e.level,
      Start: e.time,
      End: null,
      Value: e.value,
    }
    open.set(e.key, made)
    Alarms.push(made)
  }
  return { Start: start, End: end, Samples, Count: Alarms.length, Alarms: Alarms.slice(0, most.alarms) }
}
