/** Width of a slot, ms: the maximum delay until a due item is found; it keeps its own time. */
const width = 1000

/**
 * A timer wheel without a clock: items with their due time, in slots of a second. Setting and moving an item takes constant time;
 * a query costs the slots that have passed.
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
    /** Sets the due time of an item, epoch ms, and replaces the previous one; undefined removes it. */
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
    /** Removes and returns the items due by `now`, epoch ms, in order of due time. */
    take(now: number): T[] {
      const last = Math.floor(now / width)
      // After a long absence, fewer slots are in use than seconds have passed.
      const passed =
        last - turnedTo > slots.size
          ? [...slots.keys()].filter((s) => s <= last)
          : Array.from({ length: Math.max(0, last - turnedTo) }, (_, i) => turnedTo + 1 + i)
      const due = passed.flatMap((s) => [...(slots.get(s) ?? [])].filter((thing) => dueOf.get(thing)! <= now))
      due.sort((a, b) => dueOf.get(a)! - dueOf.get(b)!)
      for (const thing of due) unset(thing)
      // The last slot may contain items that are due later in the same second.
      turnedTo = Math.max(turnedTo, last - 1)
      return due
    },
    size: () => dueOf.size,
  }
}
export type Wheel<T> = ReturnType<typeof createWheel<T>>
