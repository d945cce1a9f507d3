import { setImmediate } from 'node:timers/promises'

const rowsPerSlice = 1000

/** Runs `each` for all items and lets other calls run after every thousand rows. */
export const inSlices = async <T, R>(items: readonly T[], rowsOf: (item: T) => number, each: (item: T) => R) => {
  const done: R[] = []
  let rows = 0
  for (const item of items) {
    done.push(each(item))
    rows += rowsOf(item)
    if (rows < rowsPerSlice) continue
    rows = 0
    await setImmediate()
  }
  return done
}
