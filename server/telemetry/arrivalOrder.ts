/** Reserved arrival numbers. `deliver` is called once everything before them is stored or given up. */
type Range = { first: number; last: number; isOver: boolean; readings: number; deliver?: () => void }

type Numbers = {
  /** Reserves so many numbers, above all before, and returns the first. */
  reserve: (amount: number) => number
  /** The highest number that was reserved. */
  top: () => number
}

/**
 * Several writers store readings at the same time, under arrival numbers that are reserved here. Listeners hear of readings in the order of
 * their numbers, whichever was stored first. So whoever has heard of a number has heard of all before it, and may go on from there
 * after a restart.
 */
export const createArrivalOrder = ({ reserve, top }: Numbers) => {
  /** By number, ascending. */
  const ranges: Range[] = []
  let waiting = 0
  const deliverFirst = () => {
    while (ranges[0]?.isOver) {
      const { readings, deliver } = ranges.shift()!
      waiting -= readings
      deliver?.()
    }
  }
  const end = (first: number, readings: number, deliver?: () => void) => {
    const range = ranges.find((r) => r.first === first && !r.isOver)
    if (!range) return false
    waiting += readings
    Object.assign(range, { isOver: true, readings, deliver })
    deliverFirst()
    return true
  }
  return {
    reserve: (amount: number) => {
      const first = reserve(amount)
      ranges.push({ first, last: first + amount - 1, isOver: false, readings: 0 })
      return first
    },
    /** False if the numbers were given up, or never reserved: the readings have to be stored under others. */
    stored: end,
    /** Nothing with these numbers is delivered. */
    giveUp: (first: number) => void end(first, 0),
    /** Everything up to here is stored and delivered, or never will be. */
    reached: () => (ranges[0] ? ranges[0].first - 1 : top()),
    /** Whether all others wait for these numbers. */
    isFirst: (first: number) => ranges[0]?.first === first,
    /** Stored readings that wait for earlier ones. */
    waiting: () => waiting,
  }
}
export type ArrivalOrder = ReturnType<typeof createArrivalOrder>
