import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Change, Database } from '../../../../server/database/db.ts'
import type { PointMeta, Stored } from '../../../../server/telemetry/sample.ts'
import { type AlarmEvent, createEngine, type Engine } from './alarming/engine.ts'
import { ofLimit } from './found.ts'
import { load, Overtaken } from './ledger.ts'
import { hasLimits, watchOf } from './limits.ts'
import { openRulebook, type PlantRegistry, type Rulebook } from './rulebook.ts'
import { type AlarmHub, createSaving } from './saving.ts'
import { type Sifted, sift } from './sifting.ts'
import { createWaiting, type Part } from './waiting.ts'

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
  hub: AlarmHub
  log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** Epoch ms. */
  clock?: () => number
  limits?: Partial<typeof standardLimits>
}

/**
 * Readings that may wait in memory, those judged in one turn of the main thread, those fetched from the store at a time; ms between two
 * settlings; points settled in one step, in whole blocks; longest wait after a failure, ms; ms from one saving to the next, so that what
 * comes together is one transaction; what may be found and not saved before judging waits.
 */
const standardLimits = {
  ...{ waiting: 200_000, step: 10_000, fetch: 50_000, settleMs: 10_000, settle: 20_000, retryMs: 5000 },
  ...{ gatherMs: 100, unsaved: 20_000 },
}

/** Resources whose changes the rules and the faults of gateways follow. */
const heardOf = new Set(['alarmRule', 'gateway', 'alarmSetting', 'almGatewayTemplate'])
/** Readings that go on coming leave room for others. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

export type Alarms = ReturnType<typeof startAlarms>

/**
 * Judges every live reading beside its storage. Whatever happens between the two, each is judged once: how far the engine is
 * is saved with what it found, and at start, after a flood or after an absence of PostgreSQL it goes on from the store.
 */
export const startAlarms = ({ database, registry, telemetry, hub, log, clock = Date.now, ...options }: AlarmNeeds) => {
  const limits = { ...standardLimits, ...options.limits }
  const queue = createWaiting(limits.waiting)
  let changes = new Map<number, PointMeta | { Id: number; removed: true }>()
  /** Rules and gateways that have changed. */
  const noted: Pick<Change, 'resource' | 'id'>[] = []
  /** Readings are to be fetched from the store: after the start, and when more came than may wait. */
  let behind = true
  let failures = 0
  const halt = new AbortController()
  let engine: Engine | undefined
  let rules: Rulebook | undefined
  /** The saving under way, what came of it, when it began (performance.now), and what wakes the loop for the next. */
  let saved: Promise<void> | undefined
  let failure: unknown
  let savedAt = Number.NEGATIVE_INFINITY
  let next: NodeJS.Timeout | undefined
  let wake = () => {}
  /** The loop waits to be woken: nothing is being judged, fetched or configured. */
  let resting = false
  /** Arrival number up to which readings have been sifted as they came. */
  let sifted = 0
  const idle: (() => void)[] = []

  const retried = async <T>(work: () => Promise<T>, what: string): Promise<T> => {
    for (let wait = 100; ; wait = Math.min(limits.retryMs, wait * 2)) {
      try {
        return await work()
      } catch (err) {
        if (err instanceof Overtaken || halt.signal.aborted) throw err
        failures++
        log.warn({ err }, what)
        await sleep(wait, undefined, { signal: halt.signal }).catch(() => {})
        if (halt.signal.aborted) throw err
      }
    }
  }
  const saving = createSaving({ database, hub, clock, limits, retried })
  const find = (events: readonly AlarmEvent[]) => saving.find(events.map((event) => ofLimit(event, registry.get)))

  const begin = async () => {
    const held = await load(database)
    const made = createEngine()
    saving.begin(held)
    queue.dropSifted()
    sifted = 0
    made.import({ n: held.judged, points: held.states })
    for (const { point } of held.states) {
      const meta = registry.get(point)
      if (meta) find(made.configure(watchOf(meta), clock()))
    }
    for (const meta of registry.all()) if (hasLimits(meta) && !made.watches(meta.Id)) find(made.configure(watchOf(meta), clock()))
    for (const point of held.gone) find(made.configure({ point, removed: true }, clock()))
    const book = openRulebook({ database, registry, newest: telemetry.newest ?? (() => undefined), clock })
    saving.find(await book.begin(held.judged, held.rules))
    const witness = (rows: Stored[]) => {
      made.witness(rows)
      book.witness(rows)
      return rows.at(-1)?.n
    }
    witness(held.newest)
    for (let n: number | undefined = held.settled; n !== undefined && n < held.judged; )
      n = witness((await telemetry.since(n, limits.fetch)).filter((r) => r.n <= held.judged))
    behind = true
    engine = made
    rules = book
  }

  const fetch = async (engine: Engine): Promise<Part> => {
    if (!behind) return queue.take(limits.step)
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

  const judge = async ({ limited, ruled, to }: Sifted, engine: Engine, book: Rulebook) => {
    for (let at = 0; at < Math.max(limited.length, ruled.length); at += limits.step) {
      if (at) await turn()
      find(engine.judge(limited.slice(at, at + limits.step), clock()))
      saving.find(book.judge(ruled.slice(at, at + limits.step), clock()))
    }
    engine.advance(limited.length, to)
    book.advance(ruled.length, to)
  }
  const judgeAll = async (part: Part, engine: Engine, book: Rulebook) => {
    if ('to' in part) return judge(part, engine, book)
    for (let at = 0; at < part.length; at += limits.step) {
      if (at) await turn()
      await judge(sift(part.slice(at, at + limits.step), engine.judged, engine, book), engine, book)
    }
  }

  const isFull = () => saved !== undefined && saving.unsaved() >= limits.unsaved

  /** Saves what was found, unless a saving is under way or began a moment ago. */
  const persist = (engine: Engine, book: Rulebook) => {
    if (saved) return
    const rest = savedAt + limits.gatherMs - performance.now()
    if (rest > 0 && !idle.length && saving.unsaved() < limits.unsaved) {
      next ??= setTimeout(() => {
        next = undefined
        wake()
      }, rest)
      return
    }
    const step = saving.save(engine, book, false)
    if (!step) return
    savedAt = performance.now()
    saved = step
      .catch((error) => {
        failure = error
      })
      .finally(() => {
        saved = undefined
        wake()
      })
  }

  const step = async () => {
    if (failure) {
      const error = failure
      failure = undefined
      throw error
    }
    if (!engine) await retried(begin, 'alarm state not loaded')
    const current = engine!
    const book = rules!
    const changed = changes
    changes = new Map()
    for (const c of noted.splice(0)) book.heard(c)
    for (const id of changed.keys()) book.pointChanged(id)
    for (const c of changed.values()) find(current.configure('removed' in c ? { point: c.Id, removed: true } : watchOf(c), clock()))
    if (book.due) saving.find(await retried(() => book.apply(), 'rules not loaded'))
    if (!isFull()) {
      await judgeAll(await retried(() => fetch(current), 'readings not fetched for alarms'), current, book)
      // Time passes only for values that are the newest.
      if (!behind && queue.isEmpty()) {
        find(current.tick(clock()))
        saving.find(book.tick(clock()))
      }
    }
    persist(current, book)
  }

  const run = async () => {
    let broken = false
    while (!halt.signal.aborted) {
      const asked = idle.length
      try {
        await step()
      } catch (error) {
        broken = !(error instanceof Overtaken)
        if (broken) break
        log.warn('another alarm engine has written, or a commit was not answered; starting again from what is saved')
        engine = undefined
        continue
      }
      const isMore = behind || !queue.isEmpty() || changes.size || noted.length || rules?.due
      if (failure || halt.signal.aborted) continue
      if (isMore && !isFull()) {
        await turn()
        continue
      }
      const isSaved = !saved && !saving.unsaved() && !saving.isSettling()
      if (!isMore && isSaved) for (const done of idle.splice(0, asked)) done()
      if (!saved && (idle.length || (!isSaved && !next))) continue
      resting = true
      await new Promise<void>((resolve) => {
        wake = resolve
      })
      resting = false
    }
    await saved
    try {
      if (engine && rules && !broken && !failure)
        do await saving.save(engine, rules, true)
        while (saving.isSettling())
    } catch (err) {
      log.warn({ err }, 'alarm state not settled')
    }
    for (const done of idle.splice(0)) done()
  }

  /** Readings that change nothing are known as such while they come, where everything before them is judged or sifted too. */
  const look = (rows: readonly Stored[]): Part => {
    const isUp = resting && !behind && !queue.isUnsifted() && !changes.size && !noted.length
    if (!isUp || !engine || !rules || rules.due) return rows
    const part = sift(rows, Math.max(sifted, engine.judged), engine, rules)
    sifted = part.to
    return part
  }

  const unlisten = [
    telemetry.onStored((rows) => {
      if (!queue.add(look(rows))) {
        behind = true
        sifted = 0
        engine?.advance(Number.POSITIVE_INFINITY, 0)
        rules?.advance(Number.POSITIVE_INFINITY, 0)
      }
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
      ...saving.counts,
      failures,
      waiting: queue.size(),
      behind,
      judged: engine?.judged ?? 0,
      standing: (engine?.standing() ?? 0) + (rules?.standing() ?? 0),
      rules: rules?.size().rules ?? 0,
    }),
    async stop() {
      halt.abort()
      clearInterval(ticker)
      clearTimeout(next)
      for (const off of unlisten) off()
      wake()
      await running
    },
  }
}
