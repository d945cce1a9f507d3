import type { Logger } from 'pino'
import type { HubMessages } from '../../../contract/areas/hub.ts'
import { type AlarmEvent, createEngine, type Engine } from '../../alarming/engine.ts'
import type { Change, Database } from '../../database/db.ts'
import type { PointMeta, Stored } from '../../telemetry/sample.ts'
import { type Found, ofLimit } from './found.ts'
import { type Announced, load, Overtaken, type Step, save } from './ledger.ts'
import { hasLimits, watchOf } from './limits.ts'
import { openRulebook, type PlantRegistry, type Rulebook } from './rulebook.ts'

export type AlarmNeeds = {
  database: Database
  /** Filled before this starts. */
  registry: PlantRegistry
  telemetry: {
    /** Live readings after their commit, in the order of their arrival numbers; those of points that are not stored have n = 0. */
    onStored(listener: (rows: readonly Stored[]) => void): () => void
    /** Live readings with an arrival number above n, in that order, at most `limit`. */
    since(n: number, limit: number): Promise<Stored[]>
    /** The newest reading of a point: a rule that is new or changed looks at it at once. */
    newest?(point: number): Stored | undefined
  }
  hub: {
    send(
      audience: { EnterpriseId: number; ProjectId?: number | null; permission?: string },
      message: 'Alarm',
      ...args: HubMessages['Alarm']
    ): void
  }
  log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** Epoch ms. */
  clock?: () => number
  limits?: Partial<typeof standardLimits>
}

/**
 * Readings that may wait in memory, those judged in one turn of the main thread, those fetched from the store at a time; ms between two
 * settlings; points settled in one step, few enough that an alarm behind them is not late; longest wait after a failure, ms.
 */
const standardLimits = { waiting: 200_000, step: 10_000, fetch: 50_000, settleMs: 10_000, settle: 1000, retryMs: 5000 }

/** Resources whose changes the rules and the faults of gateways follow. */
const heardOf = new Set(['alarmRule', 'gateway', 'alarmSetting', 'almGatewayTemplate'])

export type Alarms = ReturnType<typeof startAlarms>

/**
 * Judges every live reading beside its storage. Whatever happens between the two, each is judged once: how far the engine is
 * is saved with what it found, and at start, after a flood or after an absence of PostgreSQL it goes on from the store.
 */
export const startAlarms = ({ database, registry, telemetry, hub, log, clock = Date.now, ...options }: AlarmNeeds) => {
  const limits = { ...standardLimits, ...options.limits }
  const counts = { raised: 0, recovered: 0, failures: 0 }
  let queue: Stored[] = []
  let changes = new Map<number, PointMeta | { Id: number; removed: true }>()
  /** Rules and gateways that have changed. */
  const noted: Pick<Change, 'resource' | 'id'>[] = []
  /** Readings are to be fetched from the store: after the start, and when more came than may wait. */
  let behind = true
  let stopping = false
  let engine: Engine | undefined
  let rules: Rulebook | undefined
  let turn = 0
  let settledAt = clock()
  let settledTo = 0
  /** Points still to be settled, and up to which reading all are when the last of them is. */
  let settling: number[] = []
  let settlingTo = 0
  let settlingRules: string[] = []
  let unsaved: Found[] = []
  let wake = () => {}
  const idle: (() => void)[] = []

  /** Readings of other points need not wait here; the last of a commit does, for its number. */
  const isWatched = (point: number) => {
    const meta = registry.get(point)
    return (meta !== undefined && hasLimits(meta)) || engine?.watches(point) || rules?.watches(point)
  }

  const find = (events: readonly AlarmEvent[]) => {
    for (const event of events) unsaved.push(ofLimit(event, registry.get))
  }

  const know = (rows: readonly Stored[], engine: Engine) => {
    for (const { point } of rows) {
      const meta = engine.watches(point) ? undefined : registry.get(point)
      if (meta && hasLimits(meta)) find(engine.configure(watchOf(meta), clock()))
    }
  }

  const begin = async () => {
    const saved = await load(database)
    const made = createEngine()
    unsaved = []
    made.import({ n: saved.judged, points: saved.states })
    for (const { point } of saved.states) {
      const meta = registry.get(point)
      if (meta) find(made.configure(watchOf(meta), clock()))
    }
    for (const point of saved.gone) find(made.configure({ point, removed: true }, clock()))
    const book = openRulebook({ database, registry, newest: telemetry.newest ?? (() => undefined), clock })
    unsaved.push(...(await book.begin(saved.judged, saved.rules)))
    for (let n = saved.settled; n < saved.judged; ) {
      const rows = (await telemetry.since(n, limits.fetch)).filter((r) => r.n <= saved.judged)
      if (!rows.length) break
      know(rows, made)
      made.witness(rows)
      book.witness(rows)
      n = rows.at(-1)!.n
    }
    turn = saved.turn
    settledTo = saved.settled
    settling = []
    settlingRules = []
    settlingTo = 0
    behind = true
    engine = made
    rules = book
  }

  const next = async (engine: Engine): Promise<Stored[]> => {
    const fresh = (r: Stored) => r.n === 0 || r.n > engine.judged
    if (!behind) return queue.splice(0).filter(fresh)
    behind = false
    try {
      const rows = await telemetry.since(engine.judged, limits.fetch)
      if (rows.length >= limits.fetch) behind = true
      return rows
    } catch (error) {
      behind = true
      throw error
    }
  }

  /** A flood goes out in portions, so that consoles that read are not taken for ones that do not. */
  const announce = async (alarms: readonly Announced[]) => {
    for (const [i, { event, EnterpriseId, ProjectId, ...a }] of alarms.entries()) {
      if (i % 200 === 199) await new Promise((resolve) => setImmediate(resolve))
      counts[event]++
      const { Id, AlarmLevel, DeviceId, ParaId, RuleName, Value, Time } = a
      const message = { Id, Event: event, AlarmLevel, DeviceId, ParaId, RuleName, Value, Time }
      hub.send({ EnterpriseId, ProjectId, permission: 'm10201' }, 'Alarm', message)
    }
  }

  const isSettling = () => settling.length + settlingRules.length > 0

  /** Saves what is unsaved, again and again until it is saved or the server stops: then the readings are judged anew at the next start. */
  const persist = async (engine: Engine, book: Rulebook, settle: boolean) => {
    if (!isSettling() && engine.judged > settledTo && (settle || clock() - settledAt >= limits.settleMs)) {
      settling = engine.take('touched')
      settlingRules = book.take('touched')
      settlingTo = engine.judged
      settledAt = clock()
    }
    const settles = settlingTo > settledTo
    const turned = engine.take('turned')
    const turnedRules = book.take('turned')
    if (!unsaved.length && !turned.length && !turnedRules.length && !settles) return
    const part = settling.splice(0, limits.settle)
    const watches = [...new Set([...turnedRules, ...settlingRules.splice(0, limits.settle - part.length)])]
    const points = [...new Set([...turned, ...part])]
    const states = points.map((p) => engine.state(p)).filter((s) => s !== undefined)
    const forgotten = points.filter((p) => !engine.state(p))
    const settled = settles && !isSettling() ? settlingTo : undefined
    const ended = watches
      .filter((id) => !book.state(id))
      .map((id) => ({ RuleId: Number.parseInt(id, 10), Key: id.slice(id.indexOf(' ') + 1) }))
    const step: Step = {
      ...{ turn, judged: engine.judged, settled, events: unsaved, states, forgotten, refresh: settles },
      ...{ rules: watches.map((id) => book.state(id)).filter((s) => s !== undefined), ended },
    }
    const alarms = await retried(() => save(database, step), 'alarms not saved')
    turn++
    unsaved = []
    settledTo = settled ?? settledTo
    await announce(alarms)
  }

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        if (stopping) clearTimeout(timer)
        if (stopping) resolve()
      }
    })

  const retried = async <T>(work: () => Promise<T>, what: string): Promise<T> => {
    for (let wait = 100; ; wait = Math.min(limits.retryMs, wait * 2)) {
      try {
        return await work()
      } catch (err) {
        if (err instanceof Overtaken || stopping) throw err
        counts.failures++
        log.warn({ err }, what)
        await pause(wait)
        if (stopping) throw err
      }
    }
  }

  const step = async () => {
    if (!engine) await retried(begin, 'alarm state not loaded')
    const current = engine!
    const book = rules!
    const changed = changes
    changes = new Map()
    for (const c of noted.splice(0)) book.heard(c)
    for (const id of changed.keys()) book.pointChanged(id)
    for (const c of changed.values()) find(current.configure('removed' in c ? { point: c.Id, removed: true } : watchOf(c), clock()))
    if (book.due) unsaved.push(...(await retried(() => book.apply(), 'rules not loaded')))
    const rows = await retried(() => next(current), 'readings not fetched for alarms')
    for (let at = 0; at < rows.length; at += limits.step) {
      if (at) await new Promise((resolve) => setImmediate(resolve))
      const some = rows.slice(at, at + limits.step)
      know(some, current)
      find(current.judge(some, clock()))
      unsaved.push(...book.judge(some, clock()))
    }
    // Time passes only for values that are the newest.
    if (!behind && !queue.length) {
      find(current.tick(clock()))
      unsaved.push(...book.tick(clock()))
    }
    await persist(current, book, false)
  }

  const run = async () => {
    while (!stopping) {
      try {
        await step()
      } catch (error) {
        if (!(error instanceof Overtaken)) break
        log.warn('another alarm engine has written, or a commit was not answered; starting again from what is saved')
        engine = undefined
        continue
      }
      if (behind || queue.length || changes.size || noted.length || rules?.due || isSettling() || stopping) continue
      for (const done of idle.splice(0)) done()
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    try {
      if (engine && rules && !unsaved.length)
        do await persist(engine, rules, true)
        while (isSettling())
    } catch (err) {
      log.warn({ err }, 'alarm state not settled')
    }
    for (const done of idle.splice(0)) done()
  }

  const unlisten = [
    telemetry.onStored((rows) => {
      const own = rows.filter((r, i) => isWatched(r.point) || i === rows.length - 1)
      if (queue.length + own.length > limits.waiting) {
        queue = []
        behind = true
      } else for (const row of own) queue.push(row)
      wake()
    }),
    registry.onChange((changed) => {
      changes.set(changed.Id, changed)
      wake()
    }),
    database.onChange((change) => {
      if (!heardOf.has(change.resource)) return
      noted.push(change)
      wake()
    }),
  ]
  const ticker = setInterval(() => wake(), 1000).unref()
  const running = run()

  return {
    /** Resolves when everything that has come is judged and saved. */
    idle: () =>
      new Promise<void>((resolve) => {
        idle.push(resolve)
        wake()
      }),
    stats: () => ({
      ...counts,
      waiting: queue.length,
      behind,
      judged: engine?.judged ?? 0,
      standing: (engine?.standing() ?? 0) + (rules?.standing() ?? 0),
      rules: rules?.size().rules ?? 0,
    }),
    async stop() {
      stopping = true
      clearInterval(ticker)
      for (const off of unlisten) off()
      wake()
      await running
    },
  }
}
