import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createPoll } from './poll.ts'

const minute = 60_000
let online = true
let reads: number[] = []
let answer: () => Promise<number> = async () => 1
let heard: number[] = []
let interrupted: boolean[] = []
let poll: ReturnType<typeof createPoll> | undefined
const start = (isOver?: () => boolean) => {
  const began = Date.now()
  poll = createPoll({
    read: () => {
      reads.push(Date.now() - began)
      return answer()
    },
    heard: (value) => heard.push(value),
    interrupted: (is) => interrupted.push(is),
    online: () => online,
    ...(isOver ? { isOver } : {}),
  })
  return poll
}
beforeEach(() => {
  vi.useFakeTimers()
  online = true
  reads = []
  heard = []
  interrupted = []
  answer = async () => 1
})
afterEach(() => {
  poll?.stop()
  vi.useRealTimers()
})
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

it('[notice-poll] reads first after 3 s, then every 60 s', async () => {
  start()
  await pass(2999)
  expect(reads).toEqual([])
  await pass(1 + 2 * minute)
  expect(reads).toEqual([3000, 63_000, 123_000])
})

it('[notice-poll] does not read while the browser is offline, and goes on when it is back', async () => {
  online = false
  start()
  await pass(10 * minute)
  expect(reads).toEqual([])
  online = true
  poll!.now()
  await pass(minute)
  expect(reads).toEqual([10 * minute, 11 * minute])
})

it('[notice-poll-stop] waits 60 s, 2, 4, 8 and 10 min after failures, says so, and goes on by itself', async () => {
  answer = () => Promise.reject(new Error('away'))
  start()
  await pass(3000)
  const waits = [1, 2, 4, 8, 10, 10]
  for (const [i, minutes] of waits.entries()) {
    expect(reads.length).toBe(i + 1)
    await pass(minutes * minute - 1)
    expect(reads.length).toBe(i + 1)
    await pass(1)
  }
  expect(interrupted.every((is) => is)).toBe(true)
  answer = async () => 2
  await pass(10 * minute)
  expect(interrupted.at(-1)).toBe(false)
  expect(heard).toEqual([2])
  const before = reads.length
  await pass(minute)
  expect(reads.length).toBe(before + 1)
})

it('[notice-poll-stop] reads no more after a logout or a session that is over, and says nothing of what comes late', async () => {
  let late = (_: number) => {}
  answer = () => new Promise((resolve) => (late = resolve))
  start()
  await pass(3000)
  poll!.stop()
  late(5)
  await pass(10 * minute)
  expect([reads.length, heard]).toEqual([1, []])
  reads = []
  answer = () => Promise.reject(new Error('over'))
  start(() => true)
  await pass(30 * minute)
  expect(reads).toEqual([3000])
})

it('[notice-poll] polls one at a time: requests during a poll cause one more, and do not double the rate', async () => {
  const answers: ((value: number) => void)[] = []
  answer = () => new Promise((resolve) => answers.push(resolve))
  start()
  poll!.now()
  for (let i = 0; i < 5; i++) poll!.now()
  await pass(0)
  expect(answers.length).toBe(1)
  answers[0]!(1)
  await pass(0)
  expect(answers.length).toBe(2)
  answers[1]!(2)
  await pass(minute - 1)
  expect([answers.length, heard]).toEqual([2, [1, 2]])
  await pass(1)
  expect(answers.length).toBe(3)
})
