// Which messages of one alarm are due, and when to check again. Pure: times are epoch ms, the clock is passed in.
import type { AlarmPush } from '../../../../alarm-rules/alarm-push.ts'

/** The current alarm. `raised`: number of times the same subject was raised within the `ms` before its start, including this time. */
export type Facts = {
  start: number
  level: number
  acknowledged: boolean
  recovered: boolean
  shelvedUntil: number | null
  /** Reminders of the tenant, if the rule has none: interval in minutes, and maximum number. */
  reminder?: { minutes: number; times: number } | undefined
  raised: (ms: number) => number
}

/** State, as stored. */
export type PushState = {
  /** Time of the first message, epoch ms. */
  told?: number
  /** Escalation steps sent. */
  steps?: number
  reminders?: number
  /** The level at which personal settings suppressed it; a higher level may pass them. */
  left?: number
}

/** `risen`: only to people without the first message, because the level has risen. */
export type Send = { kind: 'raised' | 'step' | 'reminder' | 'recovered'; step: number; risen?: number }
export type Plan = {
  sends: Send[]
  state: PushState
  /** No more messages follow. `why`: the reason, if nothing was ever sent. */
  done: boolean
  why?: 'shaken' | 'flapping' | 'level' | 'acknowledged'
  /** Time of the next check; undefined: at the next change of the alarm. */
  next?: number
}

/** An alarm raised more often than this within the window flaps. It is sent once it was active for the window (ISA-18.2: chattering is 3 a minute). */
export const flapping = { times: 3, ms: 60_000 } as const
const minute = 60_000

const wantsRecovery = ({ PushStyle, RecoveryNotice }: AlarmPush) => PushStyle === 3 || RecoveryNotice === 1

const first = (push: AlarmPush, facts: Facts, now: number): Omit<Plan, 'state'> => {
  const { AntiShakeDuration: duration, AntiShakeFrequency: times } = push
  const wait = (next?: number): Omit<Plan, 'state'> => ({ sends: [], done: false, ...(next === undefined ? {} : { next }) })
  const never = (why: NonNullable<Plan['why']>) => ({ sends: [], done: true, why })
  if (duration && times && facts.raised(duration * (push.AntiShakeUnit === 2 ? minute : 1000)) < times) return never('shaken')
  // The level may still rise.
  if (facts.level < (push.AlarmLevel ?? 1)) return facts.recovered || facts.acknowledged ? never('level') : wait()
  if (facts.raised(flapping.ms) > flapping.times && now < facts.start + flapping.ms)
    return facts.recovered ? never('flapping') : facts.acknowledged ? never('acknowledged') : wait(facts.start + flapping.ms)
  if (facts.shelvedUntil !== null && facts.shelvedUntil > now && !facts.recovered) return wait(facts.shelvedUntil)
  return { sends: [{ kind: 'raised', step: 0 }], done: false }
}

/** Due steps and reminders of an unacknowledged alarm; several missed ones are sent as one. */
const further = (push: AlarmPush, facts: Facts, state: PushState, now: number): { sends: Send[]; state: PushState; next: number } => {
  const steps = push.StepPush?.Enabled === 1 ? push.StepPush.Steps : []
  const sends: Send[] = []
  let reached = state.steps ?? 0
  while (reached < steps.length && facts.start + steps[reached]!.Delay * minute <= now) sends.push({ kind: 'step', step: ++reached })
  const nextStep = reached < steps.length ? facts.start + steps[reached]!.Delay * minute : Number.POSITIVE_INFINITY
  let reminders = state.reminders ?? 0
  let nextReminder = Number.POSITIVE_INFINITY
  const own = push.PushStyle === 2 && push.RepeatMinutes ? { minutes: push.RepeatMinutes, times: Number.POSITIVE_INFINITY } : undefined
  const { minutes, times } = own ?? facts.reminder ?? { minutes: 0, times: 0 }
  if (times) {
    const every = minutes * minute
    const due = Math.min(times, Math.floor((now - state.told!) / every))
    if (due > reminders) sends.push({ kind: 'reminder', step: due })
    reminders = Math.max(reminders, due)
    if (reminders < times) nextReminder = state.told! + (reminders + 1) * every
  }
  return { sends, state: { ...state, steps: reached, reminders }, next: Math.min(nextStep, nextReminder) }
}

export const plan = (push: AlarmPush, facts: Facts, before: PushState, now: number): Plan => {
  let state = before
  const sends: Send[] = []
  if (state.told === undefined) {
    const begun = first(push, facts, now)
    if (begun.done || !begun.sends.length) return { ...begun, state }
    state = { told: now }
    sends.push(...begun.sends)
  }
  if (facts.recovered) {
    if (wantsRecovery(push)) sends.push({ kind: 'recovered', step: 0 })
    return { sends, state, done: true }
  }
  if (facts.acknowledged) return { sends, state, done: !wantsRecovery(push) }
  if (facts.shelvedUntil !== null && facts.shelvedUntil > now) return { sends, state, done: false, next: facts.shelvedUntil }
  if (state.left !== undefined && facts.level > state.left) {
    const { left: _, ...rest } = state
    state = rest
    sends.push({ kind: 'raised', step: 0, risen: facts.level })
  }
  const more = further(push, facts, state, now)
  sends.push(...more.sends)
  const waits = Number.isFinite(more.next)
  return {
    sends,
    state: more.state,
    done: !waits && !wantsRecovery(push) && state.left === undefined,
    ...(waits ? { next: more.next } : {}),
  }
}
