/** Width of a slot, ms: how late a turn may be found, not what time it bears. */
const width = 1000

/**
 * Timers without a clock: things with the moment they fall due, in slots of a second. Setting and moving one costs the same however
 * many there are; asking costs the slots that have passed.
 */
export const createWheel = <T>() => {
  const slots = new Map<number, Set<T>>()
  const dueOf = new Map<T, number>()
  let turnedTo = Number.NEGATIVE_INFINITY

  const unset = (thing: T) => {
    const due = dueOf.get(thing)
    if (due === undefined) return
    dueOf.delete(thing)
    const slot = Math.floor(due / width)
    const bucket = slots.get(slot)
    bucket?.delete(thing)
    if (!bucket?.size) slots.delete(slot)
  }

  return {
    /** Due at `due`, epoch ms, in place of what was set before; never when undefined. */
    set(thing: T, due: number | undefined) {
      if (dueOf.get(thing) === due) return
      unset(thing)
      if (due === undefined || due === Number.POSITIVE_INFINITY) return
      dueOf.set(thing, due)
      const slot = Math.floor(due / width)
      const bucket = slots.get(slot) ?? new Set()
      slots.set(slot, bucket.add(thing))
      turnedTo = Math.min(turnedTo, slot - 1)
    },
    unset,
    /** What is due by `now`, epoch ms, in the order it falls due; it is no longer set. */
    take(now: number): T[] {
      const last = Math.floor(now / width)
      // After a long absence there are fewer slots in use than seconds gone.
      const passed =
        last - turnedTo > slots.size
          ? [...slots.keys()].filter((s) => s <= last)
          : Array.from({ length: Math.max(0, last - turnedTo) }, (_, i) => turnedTo + 1 + i)
      const due = passed.flatMap((s) => [...(slots.get(s) ?? [])].filter((thing) => dueOf.get(thing)! <= now))
      due.sort((a, b) => dueOf.get(a)! - dueOf.get(b)!)
      for (const thing of due) unset(thing)
      // The last slot may hold more, due later within its second.
      turnedTo = Math.max(turnedTo, last - 1)
      return due
    },
    size: () => dueOf.size,
  }
}
export type Wheel<T> = ReturnType<typeof createWheel<T>>
