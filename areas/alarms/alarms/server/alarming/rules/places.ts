// Which conditions a point bears on, and what has come of it lately.
import { createPrefilter } from '../prefilter.ts'
import type { Newest } from '../readings.ts'
import { none } from '../span.ts'
import { noChangeSpan } from './noChangeSpan.ts'
import type { Test } from './rule.ts'
import type { Slot } from './slot.ts'
import type { Watch } from './watch.ts'

/**
 * `due`: before then, epoch ms, time alone changes nothing; it may be earlier than what the wheel would find anew, never later.
 * `saved`: its mark when it was last taken; `known`: arrival number up to which all is in the state that it was loaded from.
 */
export type WatchEntry = { id: string; watch: Watch; version: string; due: number; saved?: string | undefined; known?: number }
/** A test of a watch that a point bears on. */
export type Place = { entry: WatchEntry; test: Test; own: Slot }

const pointsOf = ({ watch }: WatchEntry) => new Set(watch.slots.flatMap((slots) => slots.map((slot) => slot.point)))

/** Slots are behind the readings that have passed them by: whoever looks at a watch catches up first, and hushes it when it has changed. */
export const createPlaces = () => {
  const byPoint = new Map<number, Place[]>()
  const prefilter = createPrefilter()

  /** Gives the slots of a point the reading that has passed them by. */
  const catchUp = (point: number) => {
    const reading = prefilter.take(point)
    if (!reading) return
    for (const { entry, test, own } of byPoint.get(point)!) {
      own.time = reading.time
      own.value = reading.value
      if (test.style === 3) own.from = Math.max(own.from, reading.time)
      entry.watch.at = Math.max(entry.watch.at, reading.time)
    }
  }
  /** Works out which readings of a point change nothing from now on. */
  const hush = (point: number) => {
    const places = byPoint.get(point)
    if (!places) return
    let [low, high, time, due] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 0, Number.POSITIVE_INFINITY]
    for (const { entry, test, own } of places) {
      const { active, rule } = entry.watch
      const [l, h] = active && rule.severity.length ? none : noChangeSpan(test, own)
      low = Math.max(low, l)
      high = Math.min(high, h)
      time = Math.max(time, own.time)
      due = Math.min(due, entry.due)
    }
    prefilter.set(point, [low, high], time, due)
  }
  const catchUpAll = ({ watch }: WatchEntry) => {
    for (const slots of watch.slots) for (const { point } of slots) catchUp(point)
  }

  return {
    has: (point: number) => byPoint.has(point),
    pass: prefilter.pass,
    release: prefilter.release,
    /** A reading of the point has to wait: what is judged together with it must not know later ones by then. */
    wait(point: number) {
      prefilter.wait()
      prefilter.queue(point)
      for (const { entry } of byPoint.get(point) ?? [])
        for (const slots of entry.watch.slots) for (const slot of slots) prefilter.queue(slot.point)
    },
    /** The places of a point that something is read into now; it counts as touched. */
    at(point: number): readonly Place[] {
      const places = byPoint.get(point)
      if (!places) return []
      catchUp(point)
      prefilter.touch(point)
      return places
    },
    newest(point: number): Newest<string> | undefined {
      catchUp(point)
      const places = byPoint.get(point) ?? []
      const { time = 0, value = null } = places.find(({ own }) => own.value !== null)?.own ?? {}
      if (value === null) return undefined
      return { time, value, standing: places.filter(({ entry }) => entry.watch.active).map(({ entry }) => entry.id) }
    },
    hush,
    catchUpAll,
    hushAll({ watch }: WatchEntry) {
      for (const slots of watch.slots) for (const { point } of slots) hush(point)
    },
    link(entry: WatchEntry) {
      const { slots, tests } = entry.watch
      for (const [i, test] of tests.entries())
        for (const own of slots[i]!) {
          catchUp(own.point)
          prefilter.queue(own.point)
          byPoint.set(own.point, [...(byPoint.get(own.point) ?? []), { entry, test, own }])
        }
    },
    unlink(entry: WatchEntry) {
      catchUpAll(entry)
      for (const point of pointsOf(entry)) {
        const left = byPoint.get(point)!.filter((place) => place.entry !== entry)
        if (left.length) {
          byPoint.set(point, left)
          hush(point)
        } else {
          byPoint.delete(point)
          prefilter.drop(point)
        }
      }
    },
    entriesAt: (points: readonly number[]) => new Set(points.flatMap((point) => (byPoint.get(point) ?? []).map((place) => place.entry))),
    takeTouched: prefilter.takeTouched,
  }
}
