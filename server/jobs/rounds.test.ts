import { afterEach, expect, it, vi } from 'vitest'
import type { Change } from '../database/db.ts'
import { startRounds } from './rounds.ts'

const change = (resource: string): Change => ({ resource, id: 1, verb: 'update', EnterpriseId: 1 }) as Change
const begun: { stop(): Promise<void> }[] = []
afterEach(() => Promise.all(begun.splice(0).map((r) => r.stop())))

/** Rounds that last until they are let go. */
const held = (pollMs = 3_600_000) => {
  const listeners = new Set<(change: Change) => void>()
  const ends: PromiseWithResolvers<void>[] = []
  const errors: unknown[] = []
  const rounds = startRounds({
    database: {
      onChange: (listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    round: () => {
      const end = Promise.withResolvers<void>()
      ends.push(end)
      return end.promise
    },
    wakes: ({ resource }) => resource === 'mine',
    failed: (error) => errors.push(error),
    pollMs,
  })
  begun.push({
    stop: () => {
      for (const end of ends) end.resolve()
      return rounds.stop()
    },
  })
  const tell = (resource: string) => {
    for (const listener of listeners) listener(change(resource))
  }
  return { ...rounds, ends, errors, listeners, tell }
}

it('begin at once, and one that is asked for while another is at work follows it, however often it was asked for', async () => {
  const rounds = held()
  expect(rounds.ends).toHaveLength(1)
  rounds.tell('mine')
  rounds.tell('mine')
  rounds.tell('other')
  expect(rounds.ends).toHaveLength(1)
  rounds.ends[0]!.resolve()
  await vi.waitFor(() => expect(rounds.ends).toHaveLength(2))
  rounds.ends[1]!.resolve()
  await rounds.ends[1]!.promise
  rounds.tell('other')
  expect(rounds.ends).toHaveLength(2)
  rounds.tell('mine')
  await vi.waitFor(() => expect(rounds.ends).toHaveLength(3))
})

it('go on after one that failed', async () => {
  const rounds = held(20)
  rounds.ends[0]!.reject(new Error('no room'))
  await vi.waitFor(() => expect(rounds.ends).toHaveLength(2))
  expect(rounds.errors).toEqual([new Error('no room')])
})

it('settle when what was due at that moment is done', async () => {
  const rounds = held()
  let settled = false
  const done = rounds.settle().then(() => {
    settled = true
  })
  rounds.ends[0]!.resolve()
  await vi.waitFor(() => expect(rounds.ends).toHaveLength(2))
  expect(settled).toBe(false)
  rounds.ends[1]!.resolve()
  await done
})

it('stop after the round at work, hear nothing more and begin none', async () => {
  const rounds = held(20)
  const stopping = rounds.stop()
  rounds.tell('mine')
  rounds.ends[0]!.resolve()
  await stopping
  await new Promise((resolve) => setTimeout(resolve, 60))
  expect(rounds.ends).toHaveLength(1)
  expect(rounds.listeners.size).toBe(0)
})
