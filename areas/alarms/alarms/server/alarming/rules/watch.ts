// One rule at one subject: its slots, whether its alarm is active, and its next deadline.
import { ownSlot, turnOf } from './extreme.ts'
import type { Rule, Subject, Test } from './rule.ts'
import { extremeTest, levelAt } from './rule.ts'
import { dueOf, elapse, emptySlot, isStill, type Slot } from './slot.ts'

export type Watch = {
  rule: Rule
  key: string
  /** In the order of the groups and their tests. */
  tests: readonly Test[]
  slots: Slot[][]
  /** Whether its alarm is active. */
  active: boolean
  level: number
  /** The test whose alarms have an extreme. */
  measured: Test | undefined
  /** For an active alarm: the point that raised it, and the extreme of that point; undefined if unknown. */
  by?: number | undefined
  extreme?: number | undefined
  /** Time of the newest reading or transition, epoch ms; 0 before the first. */
  at: number
  /** Number of times it was raised since it was opened. */
  raises: number
  /** Time since which the alarm is active without its conditions (hold-off), epoch ms; Infinity = none. */
  calm: number
  /** The next time of a cron gate, or the next opening of a window. */
  gateDue: number
  /** Whether its points are offline, so that it raises nothing. */
  muted: boolean
}

/** State, as stored. */
export type WatchState = {
  rule: number
  key: string
  version: string
  /** Arrival number up to which everything had been evaluated. */
  n?: number
  active: boolean
  level: number
  by?: number | undefined
  extreme?: number | undefined
  /** Extreme stored in the alarm's row, which may be newer. */
  settledExtreme?: number | undefined
  at: number
  /** Missing in states of versions without hold-off. */
  calm?: number | null
  gateDue: number | null
  slots: Slot[][]
}

export type Turn = {
  kind: 'raised' | 'recovered' | 'level'
  time: number
  point: number
  value: number | null
  level: number
  /** The extreme value that the alarm has reached, if that is known. */
  extreme: number | undefined
}

const never = Number.POSITIVE_INFINITY

export const openWatch = (rule: Rule, { key, points }: Subject, now: number): Watch => {
  const tests = rule.groups.flatMap((g) => g.tests)
  return {
    ...{ rule, key, tests, active: false, level: rule.level, at: 0, raises: 0, calm: never, muted: false },
    ...{ measured: extremeTest(rule), by: undefined, extreme: undefined },
    slots: tests.map((_, i) => points[i]!.map((point) => emptySlot(point, now))),
    gateDue: rule.gate.kind === 'cron' ? (rule.gate.next(now) ?? never) : never,
  }
}

export const stateOfWatch = (
  { rule, key, active, level, by, extreme, at, calm, gateDue, slots }: Watch,
  version: string,
  n: number,
): WatchState => ({
  ...{ rule: rule.id, key, version, n, active, level, by, extreme, at },
  calm: Number.isFinite(calm) ? calm : null,
  gateDue: Number.isFinite(gateDue) ? gateDue : null,
  slots: slots.map((own) => own.map((slot) => ({ ...slot, hits: [...slot.hits] }))),
})

const holds = (slots: readonly Slot[]) => {
  for (const slot of slots) if (slot.holds) return true
  return false
}

/** Whether the combined conditions hold. */
export const truth = ({ rule, slots }: Watch): boolean => {
  if (slots.length === 1) return holds(slots[0]!)
  let at = 0
  const groups = rule.groups.map(({ logic, tests }) => {
    const own = tests.map(() => holds(slots[at++]!))
    return logic === 1 ? own.every(Boolean) : own.some(Boolean)
  })
  return rule.logic === 1 ? groups.every(Boolean) : groups.some(Boolean)
}

export const slotCount = ({ slots }: Watch) => slots.reduce((sum, own) => sum + own.length, 0)

/** Counts the slots that hold, so that re-evaluation after a change does not visit all slots. */
export const tallyOf = ({ rule, slots }: Watch) => {
  const groupOf = rule.groups.flatMap(({ tests }, group) => tests.map(() => group))
  const holding = slots.map((own) => own.reduce((sum, slot) => sum + Number(slot.holds), 0))
  const met = rule.groups.map(() => 0)
  for (const [test, count] of holding.entries()) if (count) met[groupOf[test]!]!++
  const isMet = (group: number) => met[group]! >= (rule.groups[group]!.logic === 1 ? rule.groups[group]!.tests.length : 1)
  return {
    turn(test: number, holds: boolean) {
      const before = holding[test]! > 0
      holding[test]! += holds ? 1 : -1
      if (before !== holding[test]! > 0) met[groupOf[test]!]! += before ? -1 : 1
    },
    truth: () => (rule.logic === 1 ? met.every((_, group) => isMet(group)) : met.some((_, group) => isMet(group))),
  }
}

/** Raises, clears or waits for the gate, depending on the conditions at `time`. */
export const settle = (watch: Watch, time: number, by: Slot, fired = false, given?: boolean): Turn | undefined => {
  const { gate } = watch.rule
  const turn = (kind: Turn['kind']) => turnOf(watch, kind, time)
  if (gate.kind === 'cron' && !fired) return undefined
  const is = given ?? truth(watch)
  if (gate.kind === 'window') watch.gateDue = never
  if (watch.active && !is) {
    watch.calm = Math.min(watch.calm, time)
    if (time < watch.calm + watch.rule.holdMs) return undefined
    watch.calm = never
    watch.active = false
    const recovered = turn('recovered')
    watch.by = undefined
    watch.extreme = undefined
    return recovered
  }
  watch.calm = never
  if (!is || watch.muted) return undefined
  const cause = watch.active || by.holds ? by : ownSlot(watch)
  const level = watch.rule.severity.length ? levelAt(watch.rule, cause.value) : watch.rule.level
  if (watch.active) {
    if (level <= watch.level) return undefined
    watch.level = level
    return turn('level')
  }
  if (gate.kind === 'window' && !gate.open(time)) {
    watch.gateDue = gate.opening(time) ?? never
    return undefined
  }
  watch.active = true
  watch.level = level
  watch.raises++
  watch.by = cause.point
  if (watch.measured) watch.extreme = cause.value ?? undefined
  return turn('raised')
}

/** When its gate or the end of its hold-off may change it, epoch ms. */
const ownDue = ({ gateDue, calm, rule }: Watch) => Math.min(gateDue, calm + rule.holdMs)

/** When it may change without a reading, epoch ms; Infinity for never. */
export const dueOfWatch = (watch: Watch): number => {
  let due = ownDue(watch)
  for (const [i, test] of watch.tests.entries()) for (const slot of watch.slots[i]!) due = Math.min(due, dueOf(slot, test))
  return due
}

/** Skips timed checks with an unchanged result, up to the next possible change; returns the time of that change, except for a cron gate. */
const skipLooks = (watch: Watch, to: number): number => {
  let due = watch.calm + watch.rule.holdMs
  const looks: { slot: Slot; ms: number }[] = []
  for (const [i, test] of watch.tests.entries())
    for (const slot of watch.slots[i]!)
      if (isStill(slot, test)) looks.push({ slot, ms: test.ms })
      else due = Math.min(due, dueOf(slot, test))
  const until = Math.min(to, due, watch.gateDue)
  for (const { slot, ms } of looks) slot.from = Math.max(slot.from, Math.floor((until - 1) / ms) * ms)
  return due
}

/** Processes everything due by `to`, epoch ms, each at its own time. `cost` counts the visited slots. */
export const advance = (watch: Watch, to: number, turns: Turn[], cost: { steps: number }) => {
  const { gate } = watch.rule
  const count = slotCount(watch)
  for (;;) {
    skipLooks(watch, to)
    const due = dueOfWatch(watch)
    cost.steps += 2 * count
    if (due > to) return
    let by = watch.slots[0]![0]!
    for (const [i, test] of watch.tests.entries())
      for (const slot of watch.slots[i]!)
        if (dueOf(slot, test) <= due) {
          elapse(slot, test, due)
          by = slot
        }
    const fired = gate.kind === 'cron' && watch.gateDue <= due
    const turn = settle(watch, Math.max(due, watch.at), by, fired)
    if (turn) {
      turns.push(turn)
      watch.at = turn.time
    }
    // Repeated checks find the same result until another deadline, so a long absence costs no more than a short one.
    if (fired) {
      const next = gate.next(due) ?? never
      watch.gateDue = never
      watch.gateDue = Math.max(next, gate.next(Math.min(skipLooks(watch, due), to) - 1) ?? never)
    }
  }
}

/** Restarts the no-data timers of muted points at `now`. */
export const unmute = (watch: Watch, now: number, turns: Turn[]) => {
  watch.muted = false
  for (const [i, test] of watch.tests.entries())
    if (test.style === 3)
      for (const slot of watch.slots[i]!) if (!slot.holds || !watch.active) Object.assign(slot, { from: now, holds: false, met: false })
  const turn = settle(watch, Math.max(now, watch.at), watch.slots[0]![0]!)
  if (turn) turns.push(turn)
}

/** A state without its newest readings, which are settled; undefined if silence or the time of a check belongs to it. */
export const markOf = ({ active, level, raises, calm, gateDue, tests, slots }: Watch): string | undefined => {
  if (tests.some((test) => test.style > 2)) return undefined
  const each = slots.flatMap((own, i) => own.map((s) => [s.met, s.holds, s.met && tests[i]!.trigger === 2 ? s.since : 0, s.hits]))
  return JSON.stringify([active, level, raises, `${calm} ${gateDue}`, each])
}
