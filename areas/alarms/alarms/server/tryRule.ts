// A rule over what is stored of its points: the engine that would judge it, with the clock of the readings.

import { Fault } from '../../../../server/http/faults.ts'
import type { Stored } from '../../../../server/telemetry/sample.ts'
import { day } from '../../../../server/telemetry/store/store.ts'
import type { RuleConfigure } from '../../alarm-rules/alarm-configure.ts'
import { compile } from './alarming/rules/compile.ts'
import { createRules } from './alarming/rules/engine.ts'
import { type PlantRegistry, plantOf } from './ruleRegistry.ts'

/** Points of a try, readings of a try, alarms that are named one by one. */
const most = { points: 200, samples: 3_000_000, alarms: 1000 }

export type Tried = { Name: string; ParaId: number; AlarmLevel: number; Start: number; End: number | null; Value: number | null }
export type Read = (points: readonly number[], start: number, end: number, limit?: number) => Promise<Stored[]>

/** Every alarm between `start` and `end` (epoch ms). Fault rangeTooLong where that is more than one may wait for. */
export const tryRule = async (
  configure: RuleConfigure,
  level: number,
  { start, end, registry, read }: { start: number; end: number; registry: PlantRegistry; read: Read },
) => {
  const applied = compile(0, level, configure, plantOf(registry))
  const points = [...new Set(applied.subjects.flatMap((s) => s.points.flat()))]
  if (points.length > most.points) throw new Fault('rangeTooLong')
  const engine = createRules()
  const events = engine.put(applied, start)
  let Samples = 0
  // Of few points several days at once: each reading of the store has a price of its own.
  const span = day * Math.max(1, Math.floor(5 / points.length))
  for (let from = start; from < end; from += span) {
    const rows = await read(points, from, Math.min(from + span, end), most.samples - Samples + 1)
    Samples += rows.length
    if (Samples > most.samples) throw new Fault('rangeTooLong')
    if (points.length > 1) rows.sort((a, b) => a.time - b.time || a.n - b.n)
    events.push(...engine.judge(rows))
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
      Name: `${meta?.DeviceName ?? ''} ${meta?.ParaName ?? ''}`,
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
