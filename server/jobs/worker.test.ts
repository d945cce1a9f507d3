import { afterEach, expect, it, vi } from 'vitest'
import type { Change } from '../database/db.ts'
import { startWorker } from './worker.ts'

const change = (resource: string): Change => ({ resource, id: 1, verb: 'update', EnterpriseId: 1 }) as Change
const workers: { stop(): Promise<void> }[] = []
afterEach(() => Promise.all(workers.splice(0).map((r) => r.stop())))

/** A worker whose runs last until the test ends them. */
const startTestWorker = (pollMs = 3_600_000) => {
  const listeners = new Set<(change: Change) => void>()
  const ends: PromiseWithResolvers<void>[] = []
  const errors: unknown[] = []
  const worker = startWorker({
    database: {
      onChange: (listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    run: () => {
      const end = Promise.withResolvers<void>()
      ends.push(end)
      return end.promise
    },
    triggeredBy: ({ resource }) => resource === 'mine',
    failed: (error) => errors.push(error),
    pollMs,
  })
  workers.push({
    stop: () => {
      for (const end of ends) end.resolve()
      return worker.stop()
    },
  })
  const emit = (resource: string) => {
    for (const listener of listeners) listener(change(resource))
  }
  return { ...worker, ends, errors, listeners, emit }
}

it('runs on start; changes during a run trigger exactly one further run', async () => {
  const worker = startTestWorker()
  expect(worker.ends).toHaveLength(1)
  worker.emit('mine')
  worker.emit('mine')
  worker.emit('other')
  expect(worker.ends).toHaveLength(1)
  worker.ends[0]!.resolve()
  await vi.waitFor(() => expect(worker.ends).toHaveLength(2))
  worker.ends[1]!.resolve()
  await worker.ends[1]!.promise
  worker.emit('other')
  expect(worker.ends).toHaveLength(2)
  worker.emit('mine')
  await vi.waitFor(() => expect(worker.ends).toHaveLength(3))
})

it('runs again after a failure', async () => {
  const worker = startTestWorker(20)
  worker.ends[0]!.reject(new Error('no room'))
  await vi.waitFor(() => expect(worker.ends).toHaveLength(2))
  expect(worker.errors).toEqual([new Error('no room')])
})

it('settle waits for the work due at that moment', async () => {
  const worker = startTestWorker()
  let settled = false
  const done = worker.settle().then(() => {
    settled = true
  })
  worker.ends[0]!.resolve()
  await vi.waitFor(() => expect(worker.ends).toHaveLength(2))
  expect(settled).toBe(false)
  worker.ends[1]!.resolve()
  await done
})

it('stop waits for the current run, unsubscribes and starts no other', async () => {
  const worker = startTestWorker(20)
  const stopping = worker.stop()
  worker.emit('mine')
  worker.ends[0]!.resolve()
  await stopping
  await new Promise((resolve) => setTimeout(resolve, 60))
  expect(worker.ends).toHaveLength(1)
  expect(worker.listeners.size).toBe(0)
})
