import { day } from './conditions.ts'
import { type Counter, countedAt, counters } from './counters.ts'

type Store = { counter: Counter; size: number; top: number; load: number }
const counterOf = (name: string) => counters.find(({ point }) => point === name)!
/** Bulk tanks, litres: what they hold, how full a tanker leaves them, and what it brings. */
const stores = {
  coagulant: { counter: counterOf('Coagulant total'), size: 6000, top: 5700, load: 4500 },
  hypochlorite: { counter: counterOf('Hypochlorite total'), size: 1200, top: 1140, load: 900 },
} satisfies Record<string, Store>

/** Tankers come in the morning, s of the day in UTC, once there is room for a load. */
const tankerAt = 8 * 3600

/** % of a bulk tank at a moment of the past or present: what has been counted since the last tanker is gone. */
export const storeLevel = (name: keyof typeof stores, seconds: number) => {
  const { counter, size, top, load } = stores[name]
  const counted = (at: number) => countedAt(counter, at)
  const lastTanker = Math.floor((seconds - tankerAt) / day) * day + tankerAt
  const loads = Math.floor(counted(lastTanker) / load)
  return (100 * (top - (counted(seconds) - loads * load))) / size
}
