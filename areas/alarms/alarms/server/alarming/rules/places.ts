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
export type Held = { id: string; watch: Watch; version: string; due: number; saved?: string | undefined; known?: number }
/** A test of a watch that a point bears on. */
export type Place = { held: Held; test: Test; own: Slot }

const pointsOf = ({ watch }: Held) => new Set(watch.slots.flatMap((slots) => slots.map((slot) => slot.point)))

/** Slots are behind the readings that have passed them by: whoever looks at a watch catches up first, and hushes it when it has changed. */
export const createPlaces = () => {
  const byPoint = new Map<number, Place[]>()
  const prefilter = createPrefilter()

  /** Gives the slots of a point the reading that has passed them by. */
  const catchUp = (point: number) => {
    const reading = prefilter.take(point)
    if (!reading) return
    for (const { held, test, own } of byPoint.get(point)!) {
      own.time = reading.time
      own.value = reading.value
      if (test.style === 3) own.from = Math.max(own.from, reading.time)
      held.watch.at = Math.max(held.watch.at, reading.time)
    }
  }
  /** Works out which readings of a point change nothing from now on. */
  const hush = (point: number) => {
    const places = byPoint.get(point)
    if (!places) return
    let [low, high, time, due] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 0, Number.POSITIVE_INFINITY]
    for (const { held, test, own } of places) {
      const { active, rule } = held.watch
      const [l, h] = active && rule.severity.length ? none : noChangeSpan(test, own)
      low = Math.max(low, l)
      high = Math.min(high, h)
      time = Math.max(time, own.time)
      due = Math.min(due, held.due)
    }
    prefilter.set(point, [low, high], time, due)
  }
  const catchUpAll = ({ watch }: Held) => {
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
      for (const { held } of byPoint.get(point) ?? [])
        for (const slots of held.watch.slots) for (const slot of slots) prefilter.queue(slot.point)
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
      return { time, value, standing: places.filter(({ held }) => held.watch.active).map(({ held }) => held.id) }
    },
    hush,
    catchUpAll,
    hushAll({ watch }: Held) {
      for (const slots of watch.slots) for (const { point } of slots) hush(point)
    },
    link(held: Held) {
      const { slots, tests } = held.watch
      for (const [i, test] of tests.entries())
        for (const own of slots[i]!) {
          catchUp(own.point)
          prefilter.queue(own.point)
          byPoint.set(own.point, [...(byPoint.get(own.point) ?? []), { held, test, own }])
        }
    },
    unlink(held: Held) {
      catchUpAll(held)
      for (const point of pointsOf(held)) {
        const left = byPoint.get(point)!.filter((place) => place.held !== held)
        if (left.length) {
          byPoint.set(point, left)
          hush(point)
        } else {
          byPoint.delete(point)
          prefilter.drop(point)
        }
      }
    },
    heldAt: (points: readonly number[]) => new Set(points.flatMap((point) => (byPoint.get(point) ?? []).map((place) => place.held))),
    takeTouched: prefilter.takeTouched,
  }
}
