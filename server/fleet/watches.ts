// Live values for consoles at other processes: each announces the points that its consoles subscribe to, and receives their values only.
import { setTimeout as sleep } from 'node:timers/promises'
import type { LiveValue } from '../../contract/hub.ts'
import { parse } from './frames.ts'
import type { Nats } from './natsConnection.ts'

/** ms: report interval; timeout after which a silent process is forgotten; timeout of a request. */
const times = { report: 1000, forgotten: 10_000, answer: 3000 }
/** Maximum points per request: the answer contains their values. */
const mostAdded = 5000

/** `size`: number of points that the process watches after this change. */
type Watch = { process: string; add: number[]; remove: number[]; size: number }
/** `isKnown`: false if the owner's list differs, for example because it has just become the owner. */
type WatchAnswer = { isKnown: boolean; values: LiveValue[] }

/** The owner's end. `has`: whether any process watches a point. */
export const serveWatches = (
  nats: Nats,
  owner: string,
  latest: (point: number) => LiveValue | undefined,
  now = () => performance.now(),
) => {
  const processes = new Map<string, { points: Set<number>; heardAt: number }>()
  const counts = new Map<number, number>()
  const count = (point: number, by: number) => {
    const sum = (counts.get(point) ?? 0) + by
    if (sum > 0) counts.set(point, sum)
    else counts.delete(point)
  }
  const take = ({ process, add, remove, size }: Watch): WatchAnswer => {
    const own = processes.get(process) ?? { points: new Set<number>(), heardAt: 0 }
    processes.set(process, own)
    own.heardAt = now()
    for (const point of remove) if (own.points.delete(point)) count(point, -1)
    for (const point of add) {
      if (own.points.has(point)) continue
      own.points.add(point)
      count(point, 1)
    }
    return { isKnown: own.points.size === size, values: add.map(latest).filter((value) => value !== undefined) }
  }
  const stop = nats.subscribe(nats.subject('owner', owner, 'watch'), (data, answer) => answer(JSON.stringify(take(parse<Watch>(data)))))
  const timer = setInterval(() => {
    for (const [process, { points, heardAt }] of processes) {
      if (now() - heardAt < times.forgotten) continue
      processes.delete(process)
      for (const point of points) count(point, -1)
    }
  }, times.report)
  return {
    has: (point: number) => counts.has(point),
    close: () => {
      clearInterval(timer)
      stop()
    },
  }
}

type Watcher = { nats: Nats; process: string; owner: () => string | undefined; missed: () => void }
/**
 * The end of an API process. Calls `missed` if the owner's list differs: consoles have to subscribe again.
 */
export const openWatches = ({ nats, process, owner, missed }: Watcher) => {
  const values = new Map<number, LiveValue | undefined>()
  let removed: number[] = []
  let isSending = Promise.resolve()

  /** A newer value may have arrived before the answer. */
  const isNewer = ([point, time]: LiveValue) => time >= (values.get(point)?.[1] ?? time)

  const send = async (add: number[]) => {
    const to = owner()
    if (!to && !add.length) return
    if (!to) throw new Error('No server that owns the database is there.')
    const watch: Watch = { process, add, remove: removed.splice(0), size: values.size }
    const answer = JSON.parse(await nats.request(nats.subject('owner', to, 'watch'), JSON.stringify(watch), times.answer)) as WatchAnswer
    for (const value of answer.values) if (values.has(value[0]) && isNewer(value)) values.set(value[0], value)
    if (!answer.isKnown) missed()
  }
  /** Sends requests one by one, because the owner compares the number of points. */
  const inTurn = (add: () => number[]) => {
    isSending = isSending.then(() => send(add())).catch(missed)
    return isSending
  }
  let isOpen = true
  const report = async () => {
    while (isOpen) {
      await sleep(times.report, undefined, { ref: false })
      if (isOpen && owner() && (values.size || removed.length)) await inTurn(() => [])
    }
  }
  void report()
  return {
    /** Resolves when the latest values of these points have arrived, or the request has failed. */
    watch: async (points: readonly number[]) => {
      const fresh = points.filter((point) => !values.has(point))
      for (let from = 0; from < fresh.length; from += mostAdded) {
        const some = fresh.slice(from, from + mostAdded)
        await inTurn(() => {
          for (const point of some) values.set(point, undefined)
          return some
        })
      }
      // The other points may be part of a request that is still pending.
      await isSending
    },
    /** Call when a point has lost its last subscriber. */
    leave: (point: number) => {
      if (values.delete(point)) removed.push(point)
    },
    take: (news: readonly LiveValue[]) => {
      for (const value of news) if (values.has(value[0])) values.set(value[0], value)
    },
    latest: (point: number) => values.get(point),
    /** Call when the owner changes. */
    reset: () => {
      values.clear()
      removed = []
    },
    close: () => {
      isOpen = false
    },
  }
}
