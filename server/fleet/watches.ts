// Live values for consoles at other processes: each announces the points that its consoles subscribe to, and receives their values only.
import { setTimeout as sleep } from 'node:timers/promises'
import type { LiveValue } from '../../contract/hub.ts'
import { parse } from './frames.ts'
import type { Nats } from './natsConnection.ts'

/** ms: report interval; timeout after which a silent process is forgotten; timeout of a request. */
const times = { report: 1000, forgotten: 10_000, answer: 3000 }
/** Maximum points per list of a request: the answer contains values, and NATS limits messages. */
const most = 5000

/** `size`: number of points that the process watches after this change. `isFirst`: replaces everything sent before. */
type Watch = { process: string; add: number[]; remove: number[]; size: number; isFirst?: boolean }
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
  const forget = (process: string) => {
    for (const point of processes.get(process)?.points ?? []) count(point, -1)
    processes.delete(process)
  }
  const take = ({ process, add, remove, size, isFirst }: Watch): WatchAnswer => {
    if (isFirst) forget(process)
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
    for (const [process, { heardAt }] of processes) if (now() - heardAt >= times.forgotten) forget(process)
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
/** The first `most` of a set, which loses them. */
const takeSome = (points: Set<number>) => {
  const some = [...points.values().take(most)]
  for (const point of some) points.delete(point)
  return some
}

/**
 * The end of an API process. Calls `missed` if the owner could not be reached or its list differs: consoles have to subscribe again. The next
 * request then replaces the owner's list.
 */
export const openWatches = ({ nats, process, owner, missed }: Watcher) => {
  const values = new Map<number, LiveValue | undefined>()
  /** Changes that the owner does not know yet. A point that was left and is watched again is in both: its value is requested. */
  const [added, removed] = [new Set<number>(), new Set<number>()]
  /** Number of points in the owner's list, after the requests so far. */
  let told = 0
  let isFirst = true
  let isSending = Promise.resolve()

  /** A newer value may have arrived before the answer. */
  const isNewer = ([point, time]: LiveValue) => time >= (values.get(point)?.[1] ?? time)

  const restart = () => {
    removed.clear()
    for (const point of values.keys()) added.add(point)
    told = 0
    isFirst = true
  }
  const ask = async (to: string) => {
    const remove = takeSome(removed)
    // The owner counts points: what it has to remove goes first.
    const add = removed.size ? [] : takeSome(added)
    told += add.length - remove.length
    const watch: Watch = { process, add, remove, size: told, isFirst }
    isFirst = false
    const answer = JSON.parse(await nats.request(nats.subject('owner', to, 'watch'), JSON.stringify(watch), times.answer)) as WatchAnswer
    for (const value of answer.values) if (values.has(value[0]) && isNewer(value)) values.set(value[0], value)
    if (!answer.isKnown) throw new Error('The owner has another list.')
  }
  /** Also reports when nothing has changed. */
  const send = async () => {
    do {
      const to = owner()
      if (!to && !added.size) return
      if (!to) throw new Error('No server that owns the database is there.')
      await ask(to)
    } while (added.size || removed.size)
  }
  /** Sends requests one by one, because the owner compares the number of points. */
  const inTurn = () => {
    isSending = isSending.then(send).catch(() => {
      restart()
      missed()
    })
    return isSending
  }
  let isOpen = true
  const report = async () => {
    while (isOpen) {
      await sleep(times.report, undefined, { ref: false })
      if (isOpen && owner() && (values.size || removed.size)) await inTurn()
    }
  }
  void report()
  return {
    /** Resolves when the latest values of these points have arrived, or the request has failed. */
    watch: async (points: readonly number[]) => {
      for (const point of points) {
        if (values.has(point)) continue
        values.set(point, undefined)
        added.add(point)
      }
      // The other points may be part of a request that is still pending.
      await (added.size ? inTurn() : isSending)
    },
    /** Call when a point has lost its last subscriber. */
    leave: (point: number) => {
      if (values.delete(point) && !added.delete(point)) removed.add(point)
    },
    take: (news: readonly LiveValue[]) => {
      for (const value of news) if (values.has(value[0])) values.set(value[0], value)
    },
    latest: (point: number) => values.get(point),
    /** Call when the owner changes. */
    reset: () => {
      values.clear()
      added.clear()
      restart()
    },
    close: () => {
      isOpen = false
    },
  }
}
