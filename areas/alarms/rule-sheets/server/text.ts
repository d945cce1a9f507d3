// A rule's conditions in one cell of a sheet: `{Pump 1 / Pressure} > 10 for 60 s and {Pump 1 / Run} = 1`. Points are identified by device and
// name; `{#12}` is point 12, `{A, B / P}` point P of the devices A and B, `{* / P}` that of every device of the project, `{* M / P}` that
// of every device of model M. Pure.
import type { RuleCondition, RuleConfigure } from '../../alarm-rules/alarm-configure.ts'

/** A point in a cell: by id, by device and name, or by devices (none: all of the project) or a model that a rule selects. */
export type Named =
  | { id: number }
  | { device: string; point: string }
  | { devices: string[]; point: string }
  | { model: string; point: string }
/** A condition with point names instead of ids. */
export type NamedCondition = Omit<RuleCondition, 'AlarmParams' | 'DeviceSelection'> & { points: Named[] }
export type NamedRule = { LogicSymbol: 1 | 2; groups: { LogicSymbol: 1 | 2; conditions: NamedCondition[] }[] }

/** A text cannot be parsed: the text at that position. */
export class Unreadable extends Error {}

const symbols = { 1: '=', 2: '!=', 3: '>', 4: '>=', 5: '<', 6: '<=', 7: 'in', 8: 'not in' } as const
const operators = Object.fromEntries(Object.entries(symbols).map(([code, text]) => [text, Number(code)]))

/** Quotes a name that contains syntax; a quote inside is doubled. */
const quoted = (name: string) => (/^\s|\s$|["{},/#*]/.test(name) || !name ? `"${name.replaceAll('"', '""')}"` : name)
export const pointText = (p: Named) =>
  'id' in p
    ? `{#${p.id}}`
    : 'device' in p
      ? `{${quoted(p.device)} / ${quoted(p.point)}}`
      : 'model' in p
        ? `{* ${quoted(p.model)} / ${quoted(p.point)}}`
        : `{${p.devices.length ? `${p.devices.map(quoted).join(', ')}${p.devices.length > 1 ? '' : ','}` : '*'} / ${quoted(p.point)}}`

const conditionText = (c: NamedCondition) => {
  const style = { 1: '', 2: ' changes', 3: ` silent ${c.Duration} s`, 4: ` every ${c.Duration} s` }[c.TriggerStyle]
  const op = c.OperateSymbol
  const value = op ? ` ${symbols[op]} ${op >= 7 ? `${c.ParamValue}..${c.ParamValue2}` : c.ParamValue}` : ''
  const back = typeof c.Deadband === 'number' ? ` back ${c.Deadband}` : ''
  const trigger = { 1: '', 2: ` for ${c.Duration} s`, 3: ` ${c.Frequency} times in ${c.Duration} s` }[c.TriggerCondition]
  return `${c.points.map(pointText).join(' + ')}${style}${value}${back}${trigger}`
}
const joins = { 1: ' and ', 2: ' or ' } as const

export const textOf = ({ LogicSymbol, groups }: NamedRule): string => {
  const texts = groups.map((g) => g.conditions.map(conditionText).join(joins[g.LogicSymbol]))
  return texts.length === 1 ? texts[0]! : texts.map((t) => `(${t})`).join(joins[LogicSymbol])
}

export const reader = (text: string) => {
  let at = 0
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    const sticky = new RegExp(`\\s*(?:${pattern.source})`, 'iy')
    sticky.lastIndex = at
    const found = sticky.exec(text)
    if (found) at = sticky.lastIndex
    return found ?? undefined
  }
  const fail = (): never => {
    throw new Unreadable(text.slice(at).trim().slice(0, 40))
  }
  return { take, need: (pattern: RegExp) => take(pattern) ?? fail(), fail, end: () => at >= text.trimEnd().length }
}
export type Reader = ReturnType<typeof reader>
export const number = /(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)/
const name = ({ take, fail }: Reader): string => {
  const inQuotes = take(/"((?:[^"]|"")*)"/)
  if (inQuotes) return inQuotes[1]!.replaceAll('""', '"')
  return take(/([^"{},/#*\s](?:[^"{},/#*]*[^"{},/#*\s])?)/)?.[1] ?? fail()
}

export const readPoint = (r: Reader): Named => {
  r.need(/\{/)
  const id = r.take(/#(\d{1,15})\s*\}/)
  if (id) return { id: Number(id[1]) }
  const devices: string[] = []
  let many = r.take(/\*/) !== undefined
  const model = many && !r.take(/(?=[/,])/) ? name(r) : undefined
  if (!many) devices.push(name(r))
  while (model === undefined && r.take(/,/)) {
    many = true
    if (!r.take(/(?=\/)/)) devices.push(name(r))
  }
  r.need(/\//)
  const point = name(r)
  r.need(/\}/)
  if (model !== undefined) return { model, point }
  return many ? { devices, point } : { device: devices[0]!, point }
}

const readCondition = (r: Reader): NamedCondition => {
  const points = [readPoint(r)]
  while (r.take(/\+/)) points.push(readPoint(r))
  const condition: NamedCondition = { points, TriggerStyle: 1, TriggerCondition: 1 }
  const seconds = (word: string) => r.take(new RegExp(`${word}\\s+(\\d+)\\s*s\\b`))?.[1]
  const [silent, every] = [seconds('silent'), seconds('every')]
  if (silent) return { ...condition, TriggerStyle: 3, Duration: Number(silent) }
  if (every) Object.assign(condition, { TriggerStyle: 4, Duration: Number(every) })
  else if (r.take(/changes\b/)) condition.TriggerStyle = 2
  const op = operators[
    r
      .need(/(not\s+in|in|!=|>=|<=|=|>|<)/)[1]!
      .toLowerCase()
      .replace(/\s+/g, ' ')
  ] as 1
  condition.OperateSymbol = op
  condition.ParamValue = Number(r.need(number)[1])
  if (op >= 7) condition.ParamValue2 = Number(r.need(new RegExp(`\\.\\.\\s*${number.source}`))[1])
  const back = r.take(new RegExp(`back\\s+${number.source}`))
  if (back) condition.Deadband = Number(back[1])
  const lasting = seconds('for')
  const times = lasting ? undefined : r.take(/(\d+)\s*times\s+in\s+(\d+)\s*s\b/)
  if (lasting) Object.assign(condition, { TriggerCondition: 2, Duration: Number(lasting) })
  if (times) Object.assign(condition, { TriggerCondition: 3, Frequency: Number(times[1]), Duration: Number(times[2]) })
  return condition
}

/** A list joined by `and` or by `or`; a mix needs brackets. */
const joined = <T>(r: Reader, one: () => T): { LogicSymbol: 1 | 2; items: T[] } => {
  const items = [one()]
  const join = r.take(/(and|or)\b/)?.[1]?.toLowerCase()
  if (!join) return { LogicSymbol: 1, items }
  do items.push(one())
  while (r.take(new RegExp(`${join}\\b`)))
  return { LogicSymbol: join === 'or' ? 2 : 1, items }
}

/** @throws Unreadable with the text at which parsing ended. */
export const readText = (text: string): NamedRule => {
  const r = reader(text)
  const group = () => {
    const { LogicSymbol, items } = joined(r, () => readCondition(r))
    return { LogicSymbol, conditions: items }
  }
  const bracketed = () => {
    r.need(/\(/)
    const inside = group()
    r.need(/\)/)
    return inside
  }
  const { LogicSymbol, items } = r.take(/(?=\()/) ? joined(r, bracketed) : { LogicSymbol: 1 as const, items: [group()] }
  return r.end() ? { LogicSymbol, groups: items } : r.fail()
}

type Enabled = Pick<RuleConfigure, 'EnableType' | 'EnableRule'>
/** `08:00-18:00 days 2,3,4 from 2026-01-01 to 2026-12-31 Europe/Berlin`, `cron 0 0 8 * * ? Europe/Berlin`; empty: always. */
export const enableText = ({ EnableType, EnableRule: e }: Enabled): string => {
  if (EnableType === 0 || !e) return ''
  const parts =
    EnableType === 2
      ? [`cron ${e.Cron ?? ''}`]
      : [
          ...(e.StartTime ? [`${e.StartTime}-${e.EndTime}`] : []),
          ...(e.Weeks?.length ? [`days ${e.Weeks.join(',')}`] : []),
          ...(e.StartDate ? [`from ${e.StartDate}`] : []),
          ...(e.EndDate ? [`to ${e.EndDate}`] : []),
        ]
  return [...parts, e.TimeZone].join(' ')
}
export const readEnable = (text: string): Enabled => {
  const r = reader(text)
  if (!text.trim()) return { EnableType: 0 }
  const cron = r.take(/cron\s+(.*\S)\s+(\S+)\s*$/)
  if (cron) return { EnableType: 2, EnableRule: { Cron: cron[1]!, TimeZone: cron[2]! } }
  const clock = r.take(/(\d\d:\d\d)\s*-\s*(\d\d:\d\d)/)
  const days = r.take(/days\s+([1-7](?:\s*,\s*[1-7])*)/)
  const [from, to] = [r.take(/from\s+(\d{4}-\d\d-\d\d)/), r.take(/to\s+(\d{4}-\d\d-\d\d)/)]
  const zone = r.need(/([A-Za-z][\w+-]*(?:\/[\w+-]+)*)/)[1]!
  if (!r.end()) r.fail()
  return {
    EnableType: 1,
    EnableRule: {
      TimeZone: zone,
      ...(clock ? { StartTime: clock[1]!, EndTime: clock[2]! } : {}),
      ...(days ? { Weeks: days[1]!.split(',').map(Number) } : {}),
      ...(from ? { StartDate: from[1]! } : {}),
      ...(to ? { EndDate: to[1]! } : {}),
    },
  }
}

type Steps = NonNullable<RuleConfigure['Severity']>
/** `2: 80, 3: 90`: levels and the values from which they apply. */
export const severityText = (steps: RuleConfigure['Severity']) =>
  (steps ?? []).map(({ AlarmLevel, ParamValue }) => `${AlarmLevel}: ${ParamValue}`).join(', ')
export const readSeverity = (text: string): Steps => {
  const r = reader(text)
  const steps: Steps = []
  while (!r.end()) {
    if (steps.length) r.need(/,/)
    const found = r.need(new RegExp(`([23])\\s*:\\s*${number.source}`))
    steps.push({ AlarmLevel: Number(found[1]) as 2 | 3, ParamValue: Number(found[2]) })
  }
  return steps
}
