import { expect, test } from 'vitest'
import { startClock } from './clock.ts'
import { handlers } from './handlers.ts'
import { startPoller } from './poll/poller.ts'
import { startTracing } from './tracing.ts'

const start = () => {
  const clock = startClock()
  const poller = startPoller({ now: clock.now, emit: () => {}, onEvent: () => {}, onFirst: () => {} })
  const tracing = startTracing({ poller, now: clock.now, publish: () => {} })
  return { clock, does: handlers({ folder: '', clock, poller, tracing, onApplied: async () => {} }) }
}
const off = (clock: ReturnType<typeof startClock>) => Math.round((clock.now() - Date.now()) / 100) * 100

test('the answer to a question for the time moves the clock by the offset without the way there and back', async () => {
  const { clock, does } = start()
  const now = Date.now()
  // Asked 400 ms ago; the server, an hour ahead, took the question in and answered 200 ms later.
  const T2 = now - 200 + 3_600_000
  expect(await does.timesync({ T1: now - 400, T2, T3: T2 }, now)).toBeUndefined()
  expect(off(clock)).toBe(3_600_000)
})

test('small offsets, half answers and impossible times leave the clock alone', async () => {
  const { clock, does } = start()
  const now = Date.now()
  await does.timesync({ T1: now, T2: now + 300, T3: now + 300 }, now)
  await does.timesync({ T1: now, T2: now + 9000 }, now)
  const old = Date.UTC(2020, 0, 1)
  await does.timesync({ T1: now, T2: old, T3: old }, now)
  expect(off(clock)).toBe(0)
})

test('a command sets the clock, unless it cannot be right', async () => {
  const { clock, does } = start()
  expect(await does.timesync({ Ts: Date.now() - 60_000 }, 0)).toMatchObject({ Code: 0 })
  expect(off(clock)).toBe(-60_000)
  expect(await does.timesync({ Ts: Date.now() + 2 * 86_400_000 }, 0)).toMatchObject({ Code: 5 })
  expect(off(clock)).toBe(-60_000)
})
