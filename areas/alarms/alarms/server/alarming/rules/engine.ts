import type { Stored } from '../../../../../../server/telemetry/sample.ts'
import { carriedExtreme, extend, turnOf } from './extreme.ts'
import type { WatchEntry } from './places.ts'
import { createReader } from './reader.ts'
import type { Rule, Subject } from './rule.ts'
import { read } from './slot.ts'
import { advance, openWatch, settle, unmute, type WatchState } from './watch.ts'
import { type RuleEvent, WatchList } from './watchList.ts'

export type { RuleEvent } from './watchList.ts'

/** A rule and its subjects. `version` changes with everything that affects its evaluation. */
export type Applied = { rule: Rule; version: string; subjects: readonly Subject[] }

type Reading = { time: number; value: number }
type Newest = (point: number) => Reading | undefined

const idOf = (rule: number, key: string) => `${rule} ${key}`

/**
 * Evaluates readings against rules. Pure: no clock, no timer; times are epoch ms. A reading costs only the rules that
 * use its point, and a timer wheel finds due watches. A rule and subject has at most one active alarm, so raised and recovered alternate.
 * Feed live readings in the order of arrival, never back-fill. Throws nothing: rules are validated before.
 */
export class Rules {
  readonly #rules = new Map<number, Map<string, WatchEntry>>()
  readonly #list = new WatchList()
  readonly #places = this.#list.places
  readonly #readOne = createReader(this.#list)
  /** States of an earlier run that no rule has resumed yet. */
  readonly #saved = new Map<string, WatchState>()

  #one(s: Stored, now: number, events: RuleEvent[]) {
    const list = this.#list
    list.n = Math.max(list.n, s.n)
    if (s.value !== null && !list.places.pass(s)) this.#readOne(s.point, { time: s.time, value: s.value }, now, events)
  }

  #end(entry: WatchEntry, now: number, events: RuleEvent[]) {
    this.#list.unlink(entry)
    const { watch } = entry
    this.#list.byId.delete(entry.id)
    this.#list.turned.add(entry.id)
    if (watch.active) events.push(this.#list.event(entry, turnOf(entry.watch, 'recovered', Math.max(now, entry.watch.at))))
  }

  #begin(applied: Applied, subject: Subject, now: number, newest: Newest, events: RuleEvent[]) {
    const own = this.#rules.get(applied.rule.id)!
    const id = idOf(applied.rule.id, subject.key)
    const old = own.get(subject.key)
    const state = old ? this.#list.stateOf(old) : this.#saved.get(id)
    this.#saved.delete(id)
    const version = `${applied.version} ${subject.points.map((p) => p.join()).join(';')}`
    if (old?.version === version) return undefined
    if (old) this.#list.unlink(old)
    const watch = openWatch(applied.rule, subject, now)
    const entry: WatchEntry = { id, watch, version, due: Number.POSITIVE_INFINITY }
    own.set(subject.key, entry)
    this.#list.byId.set(id, entry)
    if (state?.version === version) {
      const { active, level, by, extreme, settledExtreme, at, gateDue, calm, slots } = structuredClone(state)
      const never = Number.POSITIVE_INFINITY
      Object.assign(watch, { active, level, by, extreme, at, gateDue: gateDue ?? never, calm: calm ?? never, slots })
      if (settledExtreme !== undefined) extend(watch, settledExtreme)
      entry.known = state.n ?? 0
      this.#places.link(entry)
      this.#list.setDue(entry)
      return entry
    }
    this.#places.link(entry)
    this.#list.work(entry, events, (turns) => {
      Object.assign(watch, {
        active: state?.active ?? false,
        level: state?.level ?? applied.rule.level,
        ...carriedExtreme(old?.watch, watch),
      })
      for (const [test, slots] of watch.slots.entries())
        for (const slot of slots) {
          const reading = newest(slot.point)
          if (!reading) continue
          read(slot, watch.tests[test]!, now, reading.value)
          slot.time = reading.time
          // An active alarm stays active without a second delay.
          if (watch.active && slot.met && watch.tests[test]!.trigger === 2) slot.holds = true
        }
      const turn = settle(watch, now, watch.slots[0]![0]!)
      if (turn) turns.push(turn)
      if (turn) watch.at = now
      // The limit of an active alarm has changed.
      else if (watch.active) turns.push(turnOf(watch, 'level', Math.max(now, watch.at)))
    })
    return entry
  }

  /** Arrival number up to which everything is evaluated. */
  get judged() {
    return this.#list.n
  }
  watches(point: number) {
    return this.#places.has(point)
  }
  /** Visits of slots so far. */
  steps() {
    return this.#list.cost.steps
  }
  size() {
    return { rules: this.#rules.size, timers: this.#list.wheel.size() }
  }
  standing() {
    return [...this.#rules.values()].flatMap((own) => [...own.values()]).filter((entry) => entry.watch.active).length
  }

  /** Prefilter: true when the reading changes nothing. Otherwise queue it for `judge`, and all points of its rules. */
  passes(s: Stored): boolean {
    if (this.#places.pass(s)) return true
    this.#places.wait(s.point)
    return false
  }
  /** Reports that `count` queued readings are evaluated, and everything up to arrival number `to`. */
  advance(count: number, to: number) {
    this.#places.release(count)
    this.#list.n = Math.max(this.#list.n, to)
  }

  /**
   * Evaluates readings in order. Skips readings older than the newest of their point, unless that one is further ahead of `now` than
   * clocks are trusted.
   */
  judge(samples: readonly Stored[], now = Number.POSITIVE_INFINITY): RuleEvent[] {
    const events: RuleEvent[] = []
    for (const s of samples) this.#one(s, now, events)
    return events
  }

  /** Events of deadlines that expired by `now`, epoch ms, in order. */
  tick(now: number): RuleEvent[] {
    const events: RuleEvent[] = []
    const due = this.#list.wheel.take(now)
    for (const entry of due) this.#list.work(entry, events, (turns) => advance(entry.watch, now, turns, this.#list.cost))
    this.#places.updatePrefilterOfAll(due)
    return events.sort((a, b) => a.time - b.time || a.rule - b.rule)
  }

  /**
   * Adds or changes a rule at `now`, epoch ms. Alarms of subjects that it no longer covers clear. The newest readings are evaluated
   * immediately, because a value that is already beyond a limit is also an alarm.
   */
  put(applied: Applied, now: number, newest: (point: number) => Reading | undefined = () => undefined): RuleEvent[] {
    const events: RuleEvent[] = []
    const { id } = applied.rule
    const own = this.#rules.get(id) ?? new Map<string, WatchEntry>()
    this.#rules.set(id, own)
    const keys = new Set(applied.subjects.map((s) => s.key))
    for (const [key, entry] of own)
      if (!keys.has(key)) {
        own.delete(key)
        this.#end(entry, now, events)
      }
    const begun = applied.subjects.flatMap((subject) => this.#begin(applied, subject, now, newest, events) ?? [])
    this.#places.updatePrefilterOfAll(begun)
    return events
  }

  /** Removes a rule that was deleted or disabled: its alarms clear at `now`. */
  remove(id: number, now: number): RuleEvent[] {
    const events: RuleEvent[] = []
    for (const entry of this.#rules.get(id)?.values() ?? []) this.#end(entry, now, events)
    this.#rules.delete(id)
    return events
  }

  /** Mutes points of an offline gateway: they raise nothing while it is offline. */
  mute(points: readonly number[], muted: boolean, now: number): RuleEvent[] {
    const events: RuleEvent[] = []
    const unmuted: WatchEntry[] = []
    for (const entry of this.#places.entriesAt(points)) {
      if (entry.watch.muted === muted) continue
      entry.watch.muted = muted
      if (muted) continue
      this.#list.work(entry, events, (turns) => unmute(entry.watch, now, turns))
      unmuted.push(entry)
    }
    this.#places.updatePrefilterOfAll(unmuted)
    return events
  }

  /** Imports states of an earlier run, before the rules are added. */
  import(judged: number, states: readonly WatchState[]) {
    this.#list.n = Math.max(this.#list.n, judged)
    for (const state of states) this.#saved.set(idOf(state.rule, state.key), state)
  }
  /** Clears the alarms of imported states that no rule has resumed. */
  orphans(now: number): RuleEvent[] {
    const events = [...this.#saved.values()].flatMap((s): RuleEvent[] => {
      this.#list.turned.add(idOf(s.rule, s.key))
      const by = s.slots.flat().find((slot) => slot.point === s.by) ?? s.slots[0]?.[0]
      if (!s.active) return []
      const what = { kind: 'recovered' as const, time: Math.max(now, s.at), point: by?.point ?? 0, value: by?.value ?? null }
      return [{ ...what, level: s.level, extreme: s.settledExtreme ?? s.extreme, rule: s.rule, key: s.key, n: this.#list.n, snapshot: [] }]
    })
    this.#saved.clear()
    return events
  }
  /** Replays readings that were judged before the imported states were saved, to restore times and values. Raises nothing. */
  witness(samples: readonly Stored[]) {
    this.#list.witness(samples)
  }
  /** Watches, as `rule key`, that changed or ended since the last call, without those that changed back. */
  take(): string[] {
    return this.#list.takeChanged()
  }
  /** Points that were evaluated since the last call. */
  takeTouched() {
    return this.#places.takeTouched()
  }
  newest(point: number) {
    return this.#places.newest(point)
  }
  /** Undefined for a watch that has ended. */
  state(id: string): WatchState | undefined {
    const entry = this.#list.byId.get(id)
    return entry && this.#list.stateOf(entry)
  }
}
