// One fact makes one alarm: while a rule's alarm is active on the same side of the same point, the limit's alarm joins it.
import { limitLevel } from '../../../../contract/telemetry.ts'
import { Operator, Style } from '../../alarm-rules/alarm-configure.ts'
import type { Limit } from './alarming/condition.ts'
import type { AlarmChange, Terms } from './alarmRows.ts'

/** An active alarm, as stored. */
export type ActiveAlarm = Pick<Terms, 'TriggerStyle' | 'OperateSymbol'> & { Subject: string; ParaId: number | null; AlarmLevel: number }

/** The side that a rule compares; undefined for other kinds of rules, whose alarms differ from those of a limit. */
const sideOf = ({ TriggerStyle, OperateSymbol }: Pick<Terms, 'TriggerStyle' | 'OperateSymbol'>): Limit | undefined => {
  if (TriggerStyle !== Style.value) return undefined
  if (OperateSymbol === Operator.above || OperateSymbol === Operator.atLeast) return 'high'
  return OperateSymbol === Operator.below || OperateSymbol === Operator.atMost ? 'low' : undefined
}

type Place = { point: number; side: Limit }
const keyOf = ({ point, side }: Place) => `${point} ${side}`
const isLimit = ({ subject }: AlarmChange) => subject.startsWith('l')

/**
 * Orders changes of both engines by dependency: at the same time, a limit that clears comes first, and an exceeded limit comes
 * after the rule, so that it joins.
 */
export const inOrder = (limits: readonly AlarmChange[], rules: readonly AlarmChange[]): AlarmChange[] => {
  const [merged, left, right] = [[] as AlarmChange[], [...limits].reverse(), [...rules].reverse()]
  for (;;) {
    const [limit, rule] = [left.at(-1), right.at(-1)]
    if (!limit && !rule) return merged
    const isFirst = limit && (!rule || limit.time < rule.time || (limit.time === rule.time && limit.kind === 'recovered'))
    merged.push((isFirst ? left : right).pop()!)
  }
}

/** `active`: stored alarms. `limits`: active alarms of the engine. `raise`: raises the alarm of a limit that is no longer joined. */
export const createJoining = (
  active: readonly ActiveAlarm[],
  limits: readonly Place[],
  raise: (place: Place, time: number) => AlarmChange | undefined,
) => {
  /** Alarms of rules, by subject. */
  const rules = new Map<string, Place & { level: number }>()
  /** Subjects of rules' alarms, by the limit alarm that they replace. */
  const covers = new Map<string, Set<string>>()
  const stored = new Set<string>()
  const joined = new Set<string>()

  const cover = (subject: string, place: Place, level: number) => {
    rules.set(subject, { ...place, level })
    covers.set(keyOf(place), (covers.get(keyOf(place)) ?? new Set()).add(subject))
  }
  /** Returns the limit alarm once no rule's alarm replaces it. */
  const uncover = (subject: string): Place | undefined => {
    const place = rules.get(subject)
    if (!place) return undefined
    rules.delete(subject)
    const left = covers.get(keyOf(place))!
    left.delete(subject)
    if (left.size) return undefined
    covers.delete(keyOf(place))
    return place
  }

  for (const { Subject, ParaId, AlarmLevel, ...terms } of active) {
    const side = sideOf(terms)
    if (Subject.startsWith('l')) stored.add(Subject.slice(1))
    else if (Subject.startsWith('r') && side && ParaId !== null) cover(Subject, { point: ParaId, side }, AlarmLevel)
  }
  for (const place of limits) if (!stored.has(keyOf(place))) joined.add(keyOf(place))

  /** The higher level applies. */
  const lift = (key: string, change: AlarmChange): AlarmChange[] =>
    [...covers.get(key)!].flatMap((subject) => {
      const rule = rules.get(subject)!
      if (rule.level >= limitLevel) return []
      rule.level = limitLevel
      return [{ ...change, kind: 'level' as const, subject, level: limitLevel, extreme: null, terms: undefined, row: undefined }]
    })

  const ofLimit = (change: AlarmChange): AlarmChange[] => {
    const key = change.subject.slice(1)
    if (change.kind === 'recovered') {
      if (joined.delete(key)) return []
      stored.delete(key)
      return [change]
    }
    if (covers.has(key)) {
      joined.add(key)
      return lift(key, change)
    }
    stored.add(key)
    return [change]
  }

  /** The effect on a limit alarm when a rule's alarm replaces it. */
  const join = (key: string, change: AlarmChange): AlarmChange[] => {
    if (!stored.delete(key)) return []
    joined.add(key)
    return [{ ...change, kind: 'joined', subject: `l${key}`, level: limitLevel, extreme: null, terms: undefined, row: undefined }]
  }
  const part = (subject: string, time: number): AlarmChange[] => {
    const place = uncover(subject)
    if (!place || !joined.delete(keyOf(place))) return []
    const own = raise(place, time)
    if (own) stored.add(keyOf(place))
    return own ? [own] : []
  }

  const ofRule = (change: AlarmChange): AlarmChange[] => {
    const { kind, subject, time, row, terms } = change
    if (kind === 'recovered') return [change, ...part(subject, time)]
    const point = row?.ParaId ?? rules.get(subject)?.point
    const side = sideOf(row ?? terms ?? { TriggerStyle: null, OperateSymbol: null })
    if (kind === 'raised' && !row) return [change]
    // An edit may change the side of a rule.
    const parted = kind === 'level' && rules.get(subject)?.side !== side ? part(subject, time) : []
    if (!side || !point) return [change, ...parted]
    cover(subject, { point, side }, change.level)
    const key = keyOf({ point, side })
    const ended = join(key, change)
    const level = joined.has(key) ? Math.max(change.level, limitLevel) : change.level
    rules.get(subject)!.level = level
    return [{ ...change, level, ...(row ? { row: { ...row, AlarmLevel: level } } : {}) }, ...ended, ...parted]
  }

  return {
    apply: (changes: readonly AlarmChange[]) =>
      changes.flatMap((change) => (isLimit(change) ? ofLimit(change) : change.subject.startsWith('r') ? ofRule(change) : [change])),
    /** Number of joined limits. */
    joined: () => joined.size,
  }
}
export type Joining = ReturnType<typeof createJoining>
