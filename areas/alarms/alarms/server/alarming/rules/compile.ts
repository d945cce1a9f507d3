// Compiles the configuration of a rule for the engine.
import { createHash } from 'node:crypto'
import { Enable, type RuleCondition, type RuleConfigure, Selection } from '../../../../alarm-rules/alarm-configure.ts'
import type { Applied } from './engine.ts'
import { always, cronGate, type Gate, windowGate } from './gate.ts'
import type { Subject, Test } from './rule.ts'

/** Plant data that rules need. */
export type Plant = {
  point(id: number): { Id: number; ProjectId?: number | undefined; ParaDataType?: number | undefined } | undefined
  pointsOf(device: number): readonly { Id: number; ParaName: string; ParaDataType?: number | undefined }[]
  projectOf(device: number): number | undefined
  devicesOfProject(project: number): readonly number[]
  devicesOfModel(project: number, model: number): readonly number[]
}

/** The points that a rule of a project may watch. Named points and devices may have moved to another project since the rule was saved. */
export const withinProject = (plant: Plant, project: number): Plant => ({
  ...plant,
  point: (id) => {
    const found = plant.point(id)
    return found?.ProjectId === project ? found : undefined
  },
  pointsOf: (device) => (plant.projectOf(device) === project ? plant.pointsOf(device) : []),
})

const minutes = (text: string | null | undefined, otherwise: number) =>
  text ? Number(text.slice(0, 2)) * 60 + Number(text.slice(3)) : otherwise

const gateOf = ({ EnableType, EnableRule: e }: RuleConfigure): Gate => {
  if (EnableType === Enable.always || !e) return always
  if (EnableType === Enable.cron) return cronGate(e.Cron ?? '', e.TimeZone)
  const span = { start: minutes(e.StartTime, 0), end: minutes(e.EndTime, 0) }
  const days = { startDate: e.StartDate ?? undefined, endDate: e.EndDate ?? undefined, weeks: e.Weeks ?? undefined }
  return windowGate({ zone: e.TimeZone, ...days, ...span })
}

const testOf = (c: RuleCondition, binary: boolean): Test => ({
  ...{ style: c.TriggerStyle, trigger: c.TriggerCondition, ms: (c.Duration ?? 0) * 1000, times: c.Frequency ?? 1 },
  ...{ op: c.OperateSymbol ?? 0, a: c.ParamValue ?? 0, b: c.ParamValue2 ?? 0, band: c.Deadband ?? 0, binary },
})

const devicesOf = (s: NonNullable<RuleCondition['DeviceSelection']>, plant: Plant): readonly number[] => {
  if (s.Type === Selection.chosen) return s.DeviceIds ?? []
  const project = s.ProjectId ?? 0
  return s.Type === Selection.model ? plant.devicesOfModel(project, s.ModelId ?? 0) : plant.devicesOfProject(project)
}

/** Devices in all selections of the conditions; undefined without a selection. */
const selected = (conditions: readonly RuleCondition[], plant: Plant): number[] | undefined => {
  const sets = conditions.flatMap(({ DeviceSelection: s }) => (s ? [new Set(devicesOf(s, plant))] : []))
  return sets.length ? [...sets.reduce((a, b) => a.intersection(b))] : undefined
}

/**
 * Subjects of a rule. With a device selection: each device that has all named points. Without one, a single condition has each of its points
 * as a subject, so that one point in alarm does not hide another; several conditions form one subject.
 */
export const subjectsOf = (configure: RuleConfigure, plant: Plant): Subject[] => {
  const conditions = configure.RuleList.flatMap((g) => g.Conditions)
  // Rules of earlier versions may list a point repeatedly.
  const distinct = (found: number[]) => [...new Set(found)]
  const ids = (c: RuleCondition) => distinct(c.AlarmParams.flatMap((p) => (p.ParaId && plant.point(p.ParaId) ? [p.ParaId] : [])))
  const whole = (key: string, points: number[][]): Subject[] => (points.every((p) => p.length) ? [{ key, points }] : [])
  const devices = selected(conditions, plant)
  if (devices)
    return devices.flatMap((device) => {
      const named = new Map(plant.pointsOf(device).map((p) => [p.ParaName, p.Id]))
      const points = conditions.map((c) =>
        c.DeviceSelection ? distinct(c.AlarmParams.flatMap((p) => named.get(p.ParaName ?? '') ?? [])) : ids(c),
      )
      return whole(`d${device}`, points)
    })
  if (conditions.length === 1) return ids(conditions[0]!).map((id) => ({ key: `p${id}`, points: [[id]] }))
  return whole('all', conditions.map(ids))
}

/** Requires a configuration without faults. */
export const compile = (id: number, level: number, configure: RuleConfigure, plant: Plant): Applied => {
  const subjects = subjectsOf(configure, plant)
  const binary = (at: number) => subjects.some((s) => s.points[at]!.some((p) => plant.point(p)?.ParaDataType === 0))
  let at = 0
  const groups = configure.RuleList.map((g) => ({ logic: g.LogicSymbol, tests: g.Conditions.map((c) => testOf(c, binary(at++))) }))
  const severity = (configure.Severity ?? []).map((s) => ({ level: s.AlarmLevel, value: s.ParamValue }))
  const holdMs = (configure.HoldOff ?? 0) * 1000
  const judged = [configure.LogicSymbol, groups, severity, level, configure.EnableType, configure.EnableRule ?? null]
  const version = createHash('sha256')
    .update(JSON.stringify(holdMs ? [...judged, holdMs] : judged))
    .digest('base64url')
    .slice(0, 16)
  const rule = { id, level, logic: configure.LogicSymbol, groups, severity, gate: gateOf(configure), holdMs }
  return { rule, version, subjects }
}

/** Maximum slots that one reading visits: over all watches of a point, for the worst point. */
export const costOf = ({ subjects }: Pick<Applied, 'subjects'>): number => {
  const byPoint = new Map<number, number>()
  let most = 0
  for (const { points } of subjects) {
    const slots = points.reduce((sum, own) => sum + own.length, 0)
    for (const point of new Set(points.flat())) {
      const cost = (byPoint.get(point) ?? 0) + slots
      byPoint.set(point, cost)
      most = Math.max(most, cost)
    }
  }
  return most
}
