import type { Stored } from '../../../../../../server/telemetry/sample.ts'
import { createWheel } from '../wheel.ts'
import { carriedExtreme, extend, turnOf } from './extreme.ts'
import { createPlaces, type WatchEntry } from './places.ts'
import { createReader } from './reader.ts'
import type { Rule, Subject } from './rule.ts'
import { read } from './slot.ts'
import { advance, dueOfWatch, markOf, openWatch, settle, slotCount, stateOfWatch, type Turn, unmute, type WatchState } from './watch.ts'

export type RuleEvent = Turn & {
  rule: number
  key: string
  /** Arrival number of the newest judged reading of all points. */
  n: number
  /** Readings of all points of the rule at that moment. */
  snapshot: { ParaId: number; Value: number | null; Time: number }[]
}

/** A rule and what it is applied to. `version` changes with anything that bears on its judgement. */
export type Applied = { rule: Rule; version: string; subjects: readonly Subject[] }

/**
 * Judges readings against rules. Pure: no clock, no timer; times are epoch ms. A reading costs only the rules that
 * name its point, and a timer wheel finds what is due. A rule and subject has at most one active alarm, so raised and recovered alternate.
 * Feed live readings in the order of arrival, never back-fill. Throws nothing: rules are checked before they get here.
 */
export const createRules = () => {
  const rules = new Map<number, Map<string, WatchEntry>>()
  /** Visits of slots so far: the cost of judging, whatever the machine. */
  const cost = { steps: 0 }
  const places = createPlaces(cost)
  const wheel = createWheel<WatchEntry>()
  const saved = new Map<string, WatchState>()
  const byId = new Map<string, WatchEntry>()
  const turned = new Set<string>()
  let n = 0

  const idOf = (rule: number, key: string) => `${rule} ${key}`
  const event = ({ watch }: WatchEntry, turn: Turn): RuleEvent => ({
    ...turn,
    rule: watch.rule.id,
    key: watch.key,
    n,
    snapshot: watch.slots.flat().map(({ point, value, time }) => ({ ParaId: point, Value: value, Time: time })),
  })

  const stateOf = (entry: WatchEntry): WatchState => {
    places.catchUpAll(entry)
    return stateOfWatch(entry.watch, entry.version, n)
  }

  const differs = (id: string) => {
    const entry = byId.get(id)
    const mark = entry && markOf(entry.watch)
    if (!entry || mark === undefined) return true
    const is = mark !== entry.saved
    entry.saved = mark
    return is
  }

  /** Update the prefilter of the points of the watch afterwards. */
  const setDue = (entry: WatchEntry) => {
    places.catchUpAll(entry)
    cost.steps += slotCount(entry.watch)
    entry.due = dueOfWatch(entry.watch)
    wheel.set(entry, entry.due)
  }

  /** Updates a watch, emits its transitions and resets its timer. */
  const work = (entry: WatchEntry, events: RuleEvent[], act: (turns: Turn[]) => void) => {
    const turns: Turn[] = []
    places.catchUpAll(entry)
    act(turns)
    for (const turn of turns) events.push(event(entry, turn))
    setDue(entry)
    turned.add(entry.id)
  }

  const readOne = createReader({ places, cost, setDue, work, turned, event })
  const one = (s: Stored, now: number, events: RuleEvent[]) => {
    n = Math.max(n, s.n)
    if (s.value !== null && !places.pass(s)) readOne(s.point, { time: s.time, value: s.value }, now, events)
  }

  const unlink = (entry: WatchEntry) => {
    wheel.unset(entry)
    places.unlink(entry)
  }

  const end = (entry: WatchEntry, now: number, events: RuleEvent[]) => {
    unlink(entry)
    const { watch } = entry
    byId.delete(entry.id)
    turned.add(entry.id)
    if (watch.active) events.push(event(entry, turnOf(entry.watch, 'recovered', Math.max(now, entry.watch.at))))
  }

  type Reading = { time: number; value: number }
  const begin = (applied: Applied, subject: Subject, now: number, newest: (point: number) => Reading | undefined, events: RuleEvent[]) => {
    const own = rules.get(applied.rule.id)!
    const id = idOf(applied.rule.id, subject.key)
    const old = own.get(subject.key)
    const state = old ? stateOf(old) : saved.get(id)
    saved.delete(id)
    const version = `${applied.version} ${subject.points.map((p) => p.join()).join(';')}`
    if (old?.version === version) return undefined
    if (old) unlink(old)
    const watch = openWatch(applied.rule, subject, now)
    const entry: WatchEntry = { id, watch, version, due: Number.POSITIVE_INFINITY }
    own.set(subject.key, entry)
    byId.set(id, entry)
    if (state?.version === version) {
      const { active, level, by, extreme, settledExtreme, at, gateDue, calm, slots } = structuredClone(state)
      const never = Number.POSITIVE_INFINITY
      Object.assign(watch, { active, level, by, extreme, at, gateDue: gateDue ?? never, calm: calm ?? never, slots })
      if (settledExtreme !== undefined) extend(watch, settledExtreme)
      entry.known = state.n ?? 0
      places.link(entry)
      setDue(entry)
      return entry
    }
    places.link(entry)
    work(entry, events, (turns) => {
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
      // What an alarm that goes on is compared with has changed.
      else if (watch.active) turns.push(turnOf(watch, 'level', Math.max(now, watch.at)))
    })
    return entry
  }

  return {
    /** Arrival number up to which everything is judged. */
    get judged() {
      return n
    },
    watches: (point: number) => places.has(point),
    /** Visits of slots so far. */
    steps: () => cost.steps,
    size: () => ({ rules: rules.size, timers: wheel.size() }),
    standing: () => [...rules.values()].flatMap((own) => [...own.values()]).filter((entry) => entry.watch.active).length,

    /** Prefilter: true when the reading changes nothing. Otherwise queue it for `judge`, and all points of the rules it names. */
    passes(s: Stored): boolean {
      if (places.pass(s)) return true
      places.wait(s.point)
      return false
    },
    /** Reports that `count` queued readings are judged, and everything up to arrival number `to`. */
    advance(count: number, to: number) {
      places.release(count)
      n = Math.max(n, to)
    },

    /**
     * Judges readings in their order; older ones than the newest of their point are passed over, unless that lies further ahead of `now`
     * than clocks are believed.
     */
    judge(samples: readonly Stored[], now = Number.POSITIVE_INFINITY): RuleEvent[] {
      const events: RuleEvent[] = []
      for (const s of samples) one(s, now, events)
      return events
    },

    /** Events of deadlines that expired by `now`, epoch ms, in order. */
    tick(now: number): RuleEvent[] {
      const events: RuleEvent[] = []
      const due = wheel.take(now)
      for (const entry of due) work(entry, events, (turns) => advance(entry.watch, now, turns, cost))
      places.updatePrefilterOfAll(due)
      return events.sort((a, b) => a.time - b.time || a.rule - b.rule)
    },

    /**
     * Adds or changes a rule at `now`, epoch ms. Alarms of subjects that it no longer covers recover. The newest readings are judged
     * immediately, because a value that is already beyond a limit is an alarm too.
     */
    put(applied: Applied, now: number, newest: (point: number) => Reading | undefined = () => undefined): RuleEvent[] {
      const events: RuleEvent[] = []
      const { id } = applied.rule
      const own = rules.get(id) ?? new Map<string, WatchEntry>()
      rules.set(id, own)
      const keys = new Set(applied.subjects.map((s) => s.key))
      for (const [key, entry] of own)
        if (!keys.has(key)) {
          own.delete(key)
          end(entry, now, events)
        }
      const begun = applied.subjects.flatMap((subject) => begin(applied, subject, now, newest, events) ?? [])
      places.updatePrefilterOfAll(begun)
      return events
    },

    /** A rule that was removed or disabled: its alarms recover at `now`. */
    remove(id: number, now: number): RuleEvent[] {
      const events: RuleEvent[] = []
      for (const entry of rules.get(id)?.values() ?? []) end(entry, now, events)
      rules.delete(id)
      return events
    },

    /** Mutes points of an offline gateway: they raise nothing until it is back. */
    mute(points: readonly number[], muted: boolean, now: number): RuleEvent[] {
      const events: RuleEvent[] = []
      const unmuted: WatchEntry[] = []
      for (const entry of places.entriesAt(points)) {
        if (entry.watch.muted === muted) continue
        entry.watch.muted = muted
        if (muted) continue
        work(entry, events, (turns) => unmute(entry.watch, now, turns))
        unmuted.push(entry)
      }
      places.updatePrefilterOfAll(unmuted)
      return events
    },

    /** States of an earlier run, before the rules are put. */
    import(judged: number, states: readonly WatchState[]) {
      n = Math.max(n, judged)
      for (const state of states) saved.set(idOf(state.rule, state.key), state)
    },
    /** What was imported and no rule has taken up: its alarms are over. */
    orphans(now: number): RuleEvent[] {
      const events = [...saved.values()].flatMap((s): RuleEvent[] => {
        turned.add(idOf(s.rule, s.key))
        const by = s.slots.flat().find((slot) => slot.point === s.by) ?? s.slots[0]?.[0]
        if (!s.active) return []
        const what = { kind: 'recovered' as const, time: Math.max(now, s.at), point: by?.point ?? 0, value: by?.value ?? null }
        return [{ ...what, level: s.level, extreme: s.settledExtreme ?? s.extreme, rule: s.rule, key: s.key, n, snapshot: [] }]
      })
      saved.clear()
      return events
    },
    /** Replays readings that were judged before the imported states were saved, to restore times and values. Raises nothing. */
    witness(samples: readonly Stored[]) {
      const changed = new Set<WatchEntry>()
      for (const s of samples)
        for (const { entry, places: all } of places.at(s.point)) {
          cost.steps += all.length
          for (const { test, own } of all) {
            if (s.value === null || s.quality > 1 || s.time < own.time || s.n <= (entry.known ?? 0)) continue
            own.time = s.time
            own.value = s.value
            if (test.style === 3) own.from = Math.max(own.from, s.time)
            entry.watch.at = Math.max(entry.watch.at, s.time)
            if (entry.watch.by === s.point) extend(entry.watch, s.value)
            changed.add(entry)
          }
        }
      for (const entry of changed) setDue(entry)
      places.updatePrefilterOfAll(changed)
    },

    /** Watches, as `rule key`, that changed or ended since the last call. One that changed and changed back is not among them. */
    take(): string[] {
      const ids = [...turned].filter(differs)
      turned.clear()
      return ids
    },
    /** Points that were judged at all since they were last taken. */
    takeTouched: places.takeTouched,
    newest: places.newest,
    /** Nothing for a watch that has ended. */
    state: (id: string): WatchState | undefined => {
      const entry = byId.get(id)
      return entry && stateOf(entry)
    },
  }
}
export type Rules = ReturnType<typeof createRules>
