import { expect, test } from 'vitest'
import { boundedQueue } from './boundedQueue.ts'

test('jobs of one key never take all places: those of another key pass the ones that wait', async () => {
  const queued = boundedQueue({ concurrency: 2, perKey: 1, backlog: 2 })
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const start = (name: string, key: number) =>
    queued(
      () =>
        new Promise<void>((end) => {
          begun.push(name)
          ends.set(name, end)
        }),
      { key },
    )
  const first = [start('a1', 1), start('a2', 1)]
  const other = start('b1', 2)
  expect(begun).toEqual(['a1', 'b1'])
  const waiting = start('b2', 2)
  await expect(start('c1', 3)).rejects.toThrow('busy')
  ends.get('b1')!()
  await other
  expect(begun).toEqual(['a1', 'b1', 'b2'])
  ends.get('a1')!()
  await first[0]
  expect(begun).toEqual(['a1', 'b1', 'b2', 'a2'])
  for (const end of ends.values()) end()
  await Promise.all([...first, waiting])
})

test('a free place goes to the key that runs fewest jobs, not to the longest backlog', async () => {
  const queued = boundedQueue({ concurrency: 2, backlog: 9 })
  const begun: number[] = []
  const ends: (() => void)[] = []
  const start = (key: number) =>
    queued(
      () =>
        new Promise<void>((end) => {
          begun.push(key)
          ends.push(end)
        }),
      { key },
    )
  const jobs = [1, 1, 1, 1, 2].map(start)
  ends[0]!()
  await jobs[0]
  expect(begun).toEqual([1, 1, 2])
  for (let i = 1; i < jobs.length; i++) {
    ends[i]!()
    await new Promise(setImmediate)
  }
  await Promise.all(jobs)
})

test('keys take turns, however many jobs one of them queues', async () => {
  const queued = boundedQueue({ concurrency: 1, backlog: 9 })
  const begun: string[] = []
  const { promise: open, resolve } = Promise.withResolvers<void>()
  const start = (name: string, key: number) => queued(() => open.then(() => void begun.push(name)), { key })
  const jobs = [start('a1', 1), start('a2', 1), start('a3', 1), start('a4', 1), start('b1', 2), start('b2', 2)]
  resolve()
  await Promise.all(jobs)
  expect(begun).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'a4'])
})

test('a key that fills the backlog loses its newest jobs to others, but never parts of a running job', async () => {
  const queued = boundedQueue({ concurrency: 1, backlog: 3, refusal: 'tooMany' })
  const done: string[] = []
  const { promise: open, resolve } = Promise.withResolvers<void>()
  const start = (name: string, key: number, admitted = false) =>
    queued(() => open.then(() => void done.push(name)), { key, admitted }).catch(
      (error: Error) => void done.push(`${name} ${error.message}`),
    )
  const jobs = [start('a1', 1), start('a2', 1), start('a3', 1), start('a4', 1, true), start('b1', 2), start('b2', 2), start('a5', 1)]
  await new Promise(setImmediate)
  expect(done.toSorted()).toEqual(['a3 tooMany', 'a5 tooMany', 'b2 tooMany'])
  resolve()
  await Promise.all(jobs)
  expect(done.slice(3)).toEqual(['a1', 'b1', 'a2', 'a4'])
})

test('a job that waits longer than its limit is refused, and leaves its place in the queue', async () => {
  const queued = boundedQueue({ concurrency: 1, backlog: 2, maxWaitMs: 10, refusal: 'unavailable' })
  const { promise, resolve } = Promise.withResolvers<string>()
  const first = queued(() => promise)
  await expect(queued(async () => 'never')).rejects.toThrow('unavailable')
  resolve('first')
  expect(await first).toBe('first')
  expect(await queued(async () => 'next')).toBe('next')
})
