import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startClock, watchClock } from './clock.ts'

const from = Date.UTC(2026, 10, 21)
let set = 0
let passed = 0
const wall = () => from + passed + set
const steady = () => 5000 + passed
const pass = (ms: number) => {
  passed += ms
  vi.advanceTimersByTime(ms)
}
beforeEach(() => {
  vi.useFakeTimers()
  ;[set, passed] = [0, 0]
})
afterEach(() => void vi.useRealTimers())

const watched = () => {
  const clock = startClock(wall)
  const jumps: number[] = []
  const stop = watchClock(clock, (ms) => jumps.push(ms), wall, steady)
  return { clock, jumps, stop }
}

test('a clock that is set back does not take the gateway back with it, and the server is asked once', () => {
  const { clock, jumps, stop } = watched()
  pass(10_000)
  set -= 3_600_000
  pass(1000)
  pass(10_000)
  expect(jumps).toEqual([-3_600_000])
  expect(clock.now()).toBe(from + passed)
  stop()
})

test('one that is set forward, or right after a start in another year, is followed, and the server is asked', () => {
  const { clock, jumps, stop } = watched()
  set += 7_200_000
  pass(1000)
  expect(clock.now()).toBe(from + passed + 7_200_000)
  set -= 400 * 86_400_000
  pass(1000)
  expect(clock.now()).toBe(wall())
  expect(jumps).toEqual([7_200_000, -400 * 86_400_000])
  stop()
})

test('adjustments by NTP are not reported', () => {
  const { jumps, stop } = watched()
  for (let i = 0; i < 100; i++) {
    set += i % 2 ? 300 : -200
    pass(1000)
  }
  expect(jumps).toEqual([])
  stop()
})
