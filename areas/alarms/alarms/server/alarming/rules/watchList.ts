import type { Stored } from '../../../../../../server/telemetry/sample.ts'
import { createWheel } from '../wheel.ts'
import { extend } from './extreme.ts'
import { createPlaces, type WatchEntry } from './places.ts'
import { dueOfWatch, markOf, slotCount, stateOfWatch, type Turn, type WatchState } from './watch.ts'

export type RuleEvent = Turn & {
  rule: number
  key: string
  /** Arrival number of the newest evaluated reading of all points. */
  n: number
  /** Readings of all points of the rule at that time. */
  snapshot: { ParaId: number; Value: number | null; Time: number }[]
}

/** Every watch of the rules, its places and its timer. */
export class WatchList {
  /** Slot visits so far: a machine-independent measure of evaluation cost. */
  readonly cost = { steps: 0 }
  readonly places = createPlaces(this.cost)
  readonly wheel = createWheel<WatchEntry>()
  readonly byId = new Map<string, WatchEntry>()
  readonly turned = new Set<string>()
  /** Arrival number up to which everything is evaluated. */
  n = 0

  event({ watch }: WatchEntry, turn: Turn): RuleEvent {
    return {
      ...turn,
      rule: watch.rule.id,
      key: watch.key,
      n: this.n,
      snapshot: watch.slots.flat().map(({ point, value, time }) => ({ ParaId: point, Value: value, Time: time })),
    }
  }

  stateOf(entry: WatchEntry): WatchState {
    this.places.catchUpAll(entry)
    return stateOfWatch(entry.watch, entry.version, this.n)
  }

  /** Update the prefilter of the points of the watch afterwards. */
  setDue(entry: WatchEntry) {
    this.places.catchUpAll(entry)
    this.cost.steps += slotCount(entry.watch)
    entry.due = dueOfWatch(entry.watch)
    this.wheel.set(entry, entry.due)
  }

  /** Updates a watch, emits its transitions and resets its timer. */
  work(entry: WatchEntry, events: RuleEvent[], act: (turns: Turn[]) => void) {
    const turns: Turn[] = []
    this.places.catchUpAll(entry)
    act(turns)
    for (const turn of turns) events.push(this.event(entry, turn))
    this.setDue(entry)
    this.turned.add(entry.id)
  }

  unlink(entry: WatchEntry) {
    this.wheel.unset(entry)
    this.places.unlink(entry)
  }

  #differs(id: string) {
    const entry = this.byId.get(id)
    const mark = entry && markOf(entry.watch)
    if (!entry || mark === undefined) return true
    const is = mark !== entry.saved
    entry.saved = mark
    return is
  }

  witness(samples: readonly Stored[]) {
    const changed = new Set<WatchEntry>()
    for (const s of samples)
      for (const { entry, places: all } of this.places.at(s.point)) {
        this.cost.steps += all.length
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
    for (const entry of changed) this.setDue(entry)
    this.places.updatePrefilterOfAll(changed)
  }

  takeChanged(): string[] {
    const ids = [...this.turned].filter((id) => this.#differs(id))
    this.turned.clear()
    return ids
  }
}
