import { believedAheadMs, type Stored } from '../../../../../server/telemetry/sample.ts'
import { beyond, furtherOf, type Limit, noChangeSpanOf, sides, type Watch, within } from './condition.ts'
import { type Condition, elapse, type Hold, idleCondition, react, type Turn } from './machine.ts'
import { createPrefilter } from './prefilter.ts'
import type { Newest } from './readings.ts'
import { none } from './span.ts'

/** State of one point, as plain JSON: newest evaluated reading, both conditions, and the arrival number up to which it is current. Stored in `alarm_state`. */
export type PointState = { point: number; time: number; value: number; n?: number } & Record<Limit, Condition>

export type AlarmEvent = {
  kind: 'raised' | 'recovered'
  point: number
  limit: Limit
  /** The newest evaluated reading. */
  value: number
  /** The limit that was exceeded when the alarm was raised. */
  limitValue: number
  /** The value furthest beyond the limit while the alarm was active, if known. */
  extreme: number | undefined
  /** Epoch ms. */
  time: number
  /** Arrival number of the newest evaluated reading of all points. */
  n: number
}

const activeOf = (state: PointState) => sides.flatMap((side) => (state[side].phase > 1 ? [{ of: side, extreme: state[side].extreme }] : []))

const holdOf = (w: Watch): Hold => ({ raiseMs: w.raiseMs ?? 0, clearMs: w.clearMs ?? 0 })

/** Updates the extremes of the active alarms with a value. */
const extend = (state: PointState, value: number) => {
  const { low, high } = state
  if (low.extreme !== undefined) low.extreme = furtherOf('low', low.extreme, value)
  if (high.extreme !== undefined) high.extreme = furtherOf('high', high.extreme, value)
}

/**
 * Judges readings against the limits of their points (domain.md, 4; states after ISA-18.2). Pure: no clock, no timer; times are epoch ms
 * and values are in the unit of the point. A point and limit has at most one active alarm, so raised and recovered alternate.
 * Feed live readings in the order of their arrival numbers, never back-fill. Throws nothing: bad quality is ignored.
 */
export class Engine {
  readonly #watches = new Map<number, Watch>()
  readonly #states = new Map<number, PointState>()
  /** Points with conditions that may change over time without a reading. */
  readonly #waiting = new Set<number>()
  readonly #turned = new Set<number>()
  readonly #prefilter = createPrefilter()
  #n = 0

  /** The state of a point, updated with the newest reading that the prefilter passed. */
  #stateOf(point: number) {
    const state = this.#states.get(point)
    const reading = state && this.#prefilter.take(point)
    return reading ? Object.assign(state, reading) : state
  }
  /** Sets the range of values that change nothing at this point. */
  #updatePrefilter(watch: Watch) {
    const { point } = watch
    const state = this.#states.get(point)
    const [[l, h], [a, b]] = state
      ? ([noChangeSpanOf(watch, 'low', state.low), noChangeSpanOf(watch, 'high', state.high)] as const)
      : [none, none]
    this.#prefilter.set(point, [Math.max(l, a), Math.min(h, b)], state?.time ?? 0, Number.POSITIVE_INFINITY)
  }

  #move(state: PointState, watch: Watch, events: AlarmEvent[], work: (c: Condition, side: Limit) => Turn | undefined) {
    for (const side of sides) {
      const c = state[side]
      const { phase, since } = c
      const turn = work(c, side)
      if (c.phase !== phase || c.since !== since) this.#turned.add(state.point)
      if (!turn) continue
      if (turn.kind === 'raised') {
        c.limit = watch[side]!
        c.extreme = state.value
      }
      events.push({ ...turn, point: state.point, limit: side, value: state.value, limitValue: c.limit, extreme: c.extreme, n: this.#n })
      if (turn.kind === 'recovered') c.extreme = undefined
    }
    if (sides.some((side) => state[side].phase === 1 || state[side].phase === 3)) this.#waiting.add(state.point)
    else this.#waiting.delete(state.point)
  }

  #one(s: Stored, now: number, events: AlarmEvent[]) {
    this.#n = Math.max(this.#n, s.n)
    if (s.value === null || this.#prefilter.pass(s)) return
    const watch = this.#watches.get(s.point)
    if (!watch) return
    let state = this.#stateOf(s.point)
    if (state && s.time < state.time) {
      if (state.time <= now + believedAheadMs) return
      // The device's clock was set back: shift the phases, so that their durations stay the same.
      for (const side of sides.filter((side) => state![side].phase)) {
        state[side].since -= state.time - s.time
        this.#turned.add(s.point)
      }
    }
    if (!state) {
      state = { point: s.point, time: s.time, value: s.value, low: idleCondition(), high: idleCondition() }
      this.#states.set(s.point, state)
    }
    const { value } = s
    const hold = holdOf(watch)
    // Delays that expired before this reading belong to the previous value.
    if (this.#waiting.has(s.point)) this.#move(state, watch, events, (c) => elapse(c, hold, s.time))
    state.time = s.time
    state.value = value
    extend(state, value)
    this.#prefilter.touch(s.point)
    this.#move(state, watch, events, (c, side) => react(c, hold, s.time, beyond(watch, side, value), within(watch, side, value)))
    this.#updatePrefilter(watch)
  }

  /** Arrival number up to which everything is evaluated. */
  get judged() {
    return this.#n
  }

  watches(point: number) {
    return this.#watches.has(point)
  }

  /** Number of active alarms. */
  standing() {
    return this.#states.values().reduce((sum, s) => sum + sides.filter((side) => s[side].phase > 1).length, 0)
  }

  /** Prefilter: true when the reading changes nothing. Otherwise queue it for `judge`; later readings of its point must queue too. */
  passes(s: Stored): boolean {
    if (this.#prefilter.pass(s)) return true
    this.#prefilter.wait()
    this.#prefilter.queue(s.point)
    return false
  }
  /** Reports that `count` queued readings are evaluated, and everything up to arrival number `to`. */
  advance(count: number, to: number) {
    this.#prefilter.release(count)
    this.#n = Math.max(this.#n, to)
  }

  /**
   * Evaluates readings in order. Skips a reading older than the newest of its point, unless that one is further ahead of `now` (epoch ms)
   * than `believedAheadMs`. A reading with the same time replaces the newest one.
   */
  judge(samples: readonly Stored[], now = Number.POSITIVE_INFINITY): AlarmEvent[] {
    const events: AlarmEvent[] = []
    for (const s of samples) this.#one(s, now, events)
    return events
  }

  /** Events of delays that expired by `now`, epoch ms, in order. */
  tick(now: number): AlarmEvent[] {
    const events: AlarmEvent[] = []
    for (const point of [...this.#waiting]) {
      const watch = this.#watches.get(point)
      if (!watch) continue
      this.#move(this.#states.get(point)!, watch, events, (c) => elapse(c, holdOf(watch), now))
      this.#updatePrefilter(watch)
    }
    return events.sort((a, b) => a.time - b.time || a.point - b.point)
  }

  /**
   * Sets or removes the limits of a point. An alarm whose limit is removed clears at `now`. A changed limit applies from the next
   * reading.
   */
  configure(watch: Watch | { point: number; removed: true }, now: number): AlarmEvent[] {
    const events: AlarmEvent[] = []
    const limits = 'removed' in watch || (watch.low === null && watch.high === null) ? undefined : watch
    const state = this.#stateOf(watch.point)
    const old = limits ?? { point: watch.point, low: null, high: null, range: null }
    if (state)
      this.#move(state, old, events, (c, side) => {
        if (old[side] !== null || c.phase === 0) return undefined
        const stood = c.phase > 1
        Object.assign(c, { phase: 0, since: now })
        return stood ? { kind: 'recovered', time: now } : undefined
      })
    if (limits) {
      this.#watches.set(watch.point, limits)
      this.#updatePrefilter(limits)
    } else {
      this.#watches.delete(watch.point)
      this.#prefilter.drop(watch.point)
      this.#waiting.delete(watch.point)
      if (this.#states.delete(watch.point)) this.#turned.add(watch.point)
    }
    return events
  }

  /** Replays readings that were judged before the imported state was saved, to restore times and values. Raises nothing. */
  witness(samples: readonly Stored[]) {
    for (const s of samples) {
      const state = this.#stateOf(s.point)
      const watch = this.#watches.get(s.point)
      if (!watch || s.value === null || s.quality > 1 || (state && (s.time < state.time || s.n <= (state.n ?? 0)))) continue
      this.#prefilter.touch(s.point)
      if (state) {
        Object.assign(state, { time: s.time, value: s.value })
        extend(state, s.value)
      } else this.#states.set(s.point, { point: s.point, time: s.time, value: s.value, low: idleCondition(), high: idleCondition() })
      this.#updatePrefilter(watch)
    }
  }

  /** Raises the active alarm of a limit again at `time` with the newest value; returns nothing without an active alarm. */
  raiseAgain(point: number, side: Limit, time: number): AlarmEvent[] {
    const state = this.#stateOf(point)
    const watch = this.#watches.get(point)
    if (!state || !watch || state[side].phase < 2) return []
    state[side].extreme = state.value
    this.#turned.add(point)
    this.#updatePrefilter(watch)
    const { value } = state
    return [{ kind: 'raised', point, limit: side, value, limitValue: state[side].limit, extreme: value, time, n: this.#n }]
  }

  state(point: number): PointState | undefined {
    const state = this.#stateOf(point)
    return state && structuredClone({ ...state, n: this.#n })
  }
  newest(point: number): Newest<Limit> | undefined {
    const state = this.#stateOf(point)
    return state && { time: state.time, value: state.value, standing: activeOf(state) }
  }
  export(): { n: number; points: PointState[] } {
    return structuredClone({ n: this.#n, points: Array.from(this.#states.keys(), (point) => this.#stateOf(point)!) })
  }
  import(saved: { n: number; points: readonly PointState[] }) {
    this.#n = saved.n
    for (const p of structuredClone(saved.points)) {
      this.#states.set(p.point, p)
      if (sides.some((side) => p[side].phase === 1 || p[side].phase === 3)) this.#waiting.add(p.point)
    }
  }

  /** Points whose conditions changed (`turned`) or that were evaluated (`touched`) since the last call. */
  take(which: 'turned' | 'touched'): number[] {
    if (which === 'touched') return this.#prefilter.takeTouched()
    const points = [...this.#turned]
    this.#turned.clear()
    return points
  }
}
