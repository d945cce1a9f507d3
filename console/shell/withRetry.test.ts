import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { withRetry } from './withRetry.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Fails this many times, like a fetch without a network. */
const cutFor = (times: number) => {
  let tried = 0
  const load = async () => {
    if (++tried <= times) throw new TypeError('Failed to fetch')
    return 'part'
  }
  return { load, tried: () => tried }
}

it('fetches a part again after half a second when the line was cut, and then twice as late each time', async () => {
  const { load, tried } = cutFor(2)
  const part = withRetry(load)()
  await vi.advanceTimersByTimeAsync(499)
  expect(tried()).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(tried()).toBe(2)
  await vi.advanceTimersByTimeAsync(999)
  expect(tried()).toBe(2)
  await vi.advanceTimersByTimeAsync(1)
  expect(await part).toBe('part')
})

it('gives up at the fifth try, with what went wrong', async () => {
  const { load, tried } = cutFor(9)
  const part = withRetry(load)()
  const refused = expect(part).rejects.toThrow('Failed to fetch')
  await vi.runAllTimersAsync()
  await refused
  expect(tried()).toBe(5)
})
