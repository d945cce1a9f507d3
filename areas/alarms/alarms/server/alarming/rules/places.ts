// Index from a point to the conditions that use it, with their prefilter.
import { createPrefilter } from '../prefilter.ts'
import type { Newest } from '../readings.ts'
import { none } from '../span.ts'
import { noChangeSpan } from './noChangeSpan.ts'
import { type Test, upToExtreme } from './rule.ts'
import type { Slot } from './slot.ts'
import type { Watch } from './watch.ts'

/**
 * `due`: until then, epoch ms, nothing changes without a reading; may be earlier than the true deadline, never later.
 * `saved`: its mark at the last save; `known`: arrival number up to which the loaded state is complete.
 */
export type WatchEntry = { id: string; watch: Watch; version: string; due: number; saved?: string | undefined; known?: number }
/** A test of a watch that uses a point; `index`: position of the test in its watch. */
export type Place = { index: number; test: Test; own: Slot }
/** A watch and all of its places for one point. */
export type Dependant = { entry: WatchEntry; places: Place[] }

const pointsOf = ({ watch }: WatchEntry) => {
  const [only] = watch.slots
  if (watch.slots.length === 1 && only!.length === 1) return [only![0]!.point]
  return new Set(watch.slots.flatMap((slots) => slots.map((slot) => slot.point)))
}

type Prefilter = ReturnType<typeof createPrefilter>
/** The prefilter by point: the passing range, and the newest passed reading. */
const createPointPrefilter = (work: { steps: number }, byPoint: ReadonlyMap<number, Dependant[]>, prefilter: Prefilter) => ({
  /** Applies the newest passed reading to the slots of a point. */
  catchUp(point: number) {
    const reading = prefilter.take(point)
    if (!reading) return
    for (const { entry, places } of byPoint.get(point)!) {
      work.steps += places.length
      for (const { test, own } of places) {
        own.time = reading.time
        own.value = reading.value
        if (test.style === 3) own.from = Math.max(own.from, reading.time)
      }
      entry.watch.at = Math.max(entry.watch.at, reading.time)
    }
  },
  /** Sets the range of values that change neither a condition of this point nor an extreme of its alarms. */
  updatePrefilter(point: number) {
    const dependants = byPoint.get(point)
    if (!dependants) return
    let [low, high, time, due] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 0, Number.POSITIVE_INFINITY]
    for (const { entry, places } of dependants) {
      const { active, rule } = entry.watch
      work.steps += places.length
      due = Math.min(due, entry.due)
      for (const { test, own } of places) {
        const [l, h] = active && rule.severity.length ? none : noChangeSpan(test, own)
        low = Math.max(low, l)
        high = Math.min(high, h)
        if (entry.watch.extreme === undefined || entry.watch.by !== point) continue
        const [least, most] = upToExtreme(test, entry.watch.extreme)
        low = Math.max(low, least)
        high = Math.min(high, most)
        time = Math.max(time, own.time)
      }
    }
    prefilter.set(point, [low, high], time, due)
  },
})

/**
 * Slots lag behind readings that the prefilter passed. Catch up before you read a watch, and update the prefilter of its points after
 * you change it. `work` counts the visited slots.
 */
export const createPlaces = (work: { steps: number }) => {
  const byPoint = new Map<number, Dependant[]>()
  const prefilter = createPrefilter()

  const { catchUp, updatePrefilter } = createPointPrefilter(work, byPoint, prefilter)
  const catchUpAll = ({ watch }: WatchEntry) => {
    for (const slots of watch.slots) {
      work.steps += slots.length
      for (const { point } of slots) catchUp(point)
    }
  }

  return {
    has: (point: number) => byPoint.has(point),
    pass: prefilter.pass,
    release: prefilter.release,
    /** Queues the readings of the point: watches evaluated with it must not use later readings. */
    wait(point: number) {
      prefilter.wait()
      prefilter.queue(point)
      for (const { entry } of byPoint.get(point) ?? [])
        for (const slots of entry.watch.slots) {
          work.steps += slots.length
          for (const slot of slots) prefilter.queue(slot.point)
        }
    },
    /** Watches that use a point, for a reading; the point counts as touched. */
    at(point: number): readonly Dependant[] {
      const dependants = byPoint.get(point)
      if (!dependants) return []
      catchUp(point)
      prefilter.touch(point)
      return dependants
    },
    newest(point: number): Newest<string> | undefined {
      catchUp(point)
      const dependants = byPoint.get(point) ?? []
      for (const { places } of dependants)
        for (const { own } of places)
          if (own.value !== null) {
            const standing = dependants
              .filter(({ entry }) => entry.watch.active)
              .map(({ entry: { id, watch } }) => ({ of: id, extreme: watch.by === point ? watch.extreme : undefined }))
            return { time: own.time, value: own.value, standing }
          }
      return undefined
    },
    updatePrefilter,
    catchUpAll,
    /** Updates each point once, even if several watches use it. */
    updatePrefilterOfAll(changed: Iterable<WatchEntry>, ...more: number[]) {
      const points = new Set(more)
      for (const entry of changed) for (const point of pointsOf(entry)) points.add(point)
      for (const point of points) updatePrefilter(point)
    },
    link(entry: WatchEntry) {
      const { slots, tests } = entry.watch
      for (const [index, test] of tests.entries())
        for (const own of slots[index]!) {
          catchUp(own.point)
          prefilter.queue(own.point)
          const dependants = byPoint.get(own.point) ?? []
          byPoint.set(own.point, dependants)
          // A watch links all of its places in one go.
          const last = dependants.at(-1)
          if (last?.entry === entry) last.places.push({ index, test, own })
          else dependants.push({ entry, places: [{ index, test, own }] })
        }
    },
    unlink(entry: WatchEntry) {
      catchUpAll(entry)
      for (const point of pointsOf(entry)) {
        const left = byPoint.get(point)!.filter((dependant) => dependant.entry !== entry)
        if (left.length) {
          byPoint.set(point, left)
          updatePrefilter(point)
        } else {
          byPoint.delete(point)
          prefilter.drop(point)
        }
      }
    },
    entriesAt: (points: readonly number[]) => new Set(points.flatMap((point) => (byPoint.get(point) ?? []).map(({ entry }) => entry))),
    takeTouched: prefilter.takeTouched,
  }
}
