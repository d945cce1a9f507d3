import type { Logger } from 'pino'
import type { Change, Database } from '../../../../server/database/db.ts'
import type { PointMeta, Stored } from '../../../../server/telemetry/sample.ts'
import { sides } from './alarming/condition.ts'
import { type AlarmEvent, createEngine, type Engine } from './alarming/engine.ts'
import { load } from './alarmLoad.ts'
import { type AlarmChange, ofLimit } from './alarmRows.ts'
import { StaleEpoch } from './alarmStore.ts'
import { type AlarmHub, createAlarmWriter } from './alarmWriter.ts'
import { createBacklog, type Part } from './backlog.ts'
import { createJoining, inOrder, type Joining } from './joining.ts'
import { hasLimits, watchOf } from './limits.ts'
import { type Prefiltered, prefilterReadings } from './prefilterReadings.ts'
import { retry } from './retry.ts'
import { openRuleRegistry, type PlantRegistry, type RuleRegistry } from './ruleRegistry.ts'

export type AlarmNeeds = {
  database: Database
  /** Filled before this starts. */
  registry: PlantRegistry
  telemetry: {
    /** Live readings after their commit, in the order of their arrival numbers; those of points that are not stored have n = 0. */
    onStored(listener: (rows: readonly Stored[]) => void): () => void
    /** Live readings with an arrival number above n, in that order, at most `limit`. */
    since(n: number, limit: number): Promise<Stored[]>
    /** The newest reading of a point: a new or changed rule judges it immediately. */
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
const watchedResources = new Set(['alarmRule', 'gateway', 'alarmSetting', 'almGatewayTemplate'])
/** Readings that go on coming leave room for others. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

export type Alarms = ReturnType<typeof startAlarms>

/**
 * Judges every live reading beside its storage. Whatever happens between the two, each is judged once: how far the engine is
 * is saved with what it found, and at start, after a flood or after an absence of PostgreSQL it goes on from the store.
 */
export const startAlarms = ({ database, registry, telemetry, hub, log, clock = Date.now, ...options }: AlarmNeeds) => {
  const limits = { ...standardLimits, ...options.limits }
  const backlog = createBacklog(limits.waiting)
  let changes = new Map<number, PointMeta | { Id: number; removed: true }>()
  /** Rules and gateways that have changed. */
  const changedRecords: Pick<Change, 'resource' | 'id'>[] = []
  /** Readings are to be fetched from the store: after the start, and when more came than may wait. */
  let behind = true
  let failures = 0
  const halt = new AbortController()
  let engine: Engine | undefined
  let rules: RuleRegistry | undefined
  /** The saving under way, what came of it, when it began (performance.now), and what wakes the loop for the next. */
  let saved: Promise<void> | undefined
  let failure: unknown
  let savedAt = Number.NEGATIVE_INFINITY
  let next: NodeJS.Timeout | undefined
  let wake = () => {}
  /** The loop is idle: nothing is being judged, fetched or configured. */
  let resting = false
  /** Arrival number up to which readings were prefiltered on arrival. */
  let prefilteredTo = 0
  const idle: (() => void)[] = []

  const failed = (err: unknown, what: string) => {
    failures++
    log.warn({ err }, what)
  }
  const retried = retry({ signal: halt.signal, longest: limits.retryMs, failed })
  const writer = createAlarmWriter({ database, hub, clock, limits, retried })
  let joining: Joining | undefined
  const add = (changes: readonly AlarmChange[]) => writer.add(joining!.apply(changes))
  const changesOf = (events: readonly AlarmEvent[]) => events.map((event) => ofLimit(event, registry.get))
  const find = (events: readonly AlarmEvent[]) => add(changesOf(events))

  const begin = async () => {
    const state = await load(database)
    const loaded = createEngine()
    writer.begin(state)
    backlog.dropPrefiltered()
    prefilteredTo = 0
    loaded.import({ n: state.judged, points: state.states })
    const passed = state.states.flatMap(({ point, ...of }) => sides.flatMap((side) => (of[side].phase > 1 ? [{ point, side }] : [])))
    joining = createJoining(state.active, passed, ({ point, side }, time) => changesOf(loaded.raiseAgain(point, side, time))[0])
    for (const { point } of state.states) {
      const meta = registry.get(point)
      if (meta) find(loaded.configure(watchOf(meta), clock()))
    }
    for (const meta of registry.all()) if (hasLimits(meta) && !loaded.watches(meta.Id)) find(loaded.configure(watchOf(meta), clock()))
    for (const point of state.gone) find(loaded.configure({ point, removed: true }, clock()))
    const ruleRegistry = openRuleRegistry({ database, registry, newest: telemetry.newest ?? (() => undefined), clock })
    add(await ruleRegistry.begin(state.judged, state.rules))
    const witness = (rows: Stored[]) => {
      loaded.witness(rows)
      ruleRegistry.witness(rows)
      return rows.at(-1)?.n
    }
    witness(state.newest)
    for (let n: number | undefined = state.settled; n !== undefined && n < state.judged; )
      n = witness((await telemetry.since(n, limits.fetch)).filter((r) => r.n <= state.judged))
    behind = true
    engine = loaded
    rules = ruleRegistry
  }

  const fetch = async (engine: Engine): Promise<Part> => {
    if (!behind) return backlog.take(limits.step)
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

  const judge = async ({ limited, ruled, to }: Prefiltered, engine: Engine, ruleRegistry: RuleRegistry) => {
    for (let at = 0; at < Math.max(limited.length, ruled.length); at += limits.step) {
      if (at) await turn()
      const ofLimits = changesOf(engine.judge(limited.slice(at, at + limits.step), clock()))
      add(inOrder(ofLimits, await ruleRegistry.judge(ruled.slice(at, at + limits.step), clock())))
    }
    engine.advance(limited.length, to)
    ruleRegistry.advance(ruled.length, to)
  }
  const judgeAll = async (part: Part, engine: Engine, ruleRegistry: RuleRegistry) => {
    if ('to' in part) return judge(part, engine, ruleRegistry)
    for (let at = 0; at < part.length; at += limits.step) {
      if (at) await turn()
      await judge(prefilterReadings(part.slice(at, at + limits.step), engine.judged, engine, ruleRegistry), engine, ruleRegistry)
    }
  }

  const isFull = () => saved !== undefined && writer.unsaved() >= limits.unsaved

  /** Starts a save, unless one is running or began a moment ago. */
  const persist = (engine: Engine, ruleRegistry: RuleRegistry) => {
    if (saved) return
    const rest = savedAt + limits.gatherMs - performance.now()
    if (rest > 0 && !idle.length && writer.unsaved() < limits.unsaved) {
      next ??= setTimeout(() => {
        next = undefined
        wake()
      }, rest)
      return
    }
    const step = writer.save(engine, ruleRegistry, false)
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
    const ruleRegistry = rules!
    const changed = changes
    changes = new Map()
    for (const c of changedRecords.splice(0)) ruleRegistry.noteChange(c)
    for (const id of changed.keys()) ruleRegistry.pointChanged(id)
    for (const c of changed.values()) find(current.configure('removed' in c ? { point: c.Id, removed: true } : watchOf(c), clock()))
    if (ruleRegistry.due) add(await retried(() => ruleRegistry.apply(), 'rules not loaded'))
    if (!isFull()) {
      await judgeAll(await retried(() => fetch(current), 'readings not fetched for alarms'), current, ruleRegistry)
      // Expire delays only when no newer readings are queued.
      if (!behind && backlog.isEmpty()) {
        add(inOrder(changesOf(current.tick(clock())), ruleRegistry.tick(clock())))
      }
    }
    persist(current, ruleRegistry)
  }

  const run = async () => {
    let broken = false
    while (!halt.signal.aborted) {
      const asked = idle.length
      try {
        await step()
      } catch (error) {
        broken = !(error instanceof StaleEpoch)
        if (broken) break
        log.warn('another alarm engine has written, or a commit was not answered; starting again from what is saved')
        engine = undefined
        continue
      }
      const isMore = behind || !backlog.isEmpty() || changes.size || changedRecords.length || rules?.due
      if (failure || halt.signal.aborted) continue
      if (isMore && !isFull()) {
        await turn()
        continue
      }
      const isSaved = !saved && !writer.unsaved() && !writer.isSettling()
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
        do await writer.save(engine, rules, true)
        while (writer.isSettling())
    } catch (err) {
      log.warn({ err }, 'alarm state not settled')
    }
    for (const done of idle.splice(0)) done()
  }

  /** Prefilters readings on arrival, provided everything before them is judged or prefiltered too. */
  const look = (rows: readonly Stored[]): Part => {
    const isUp = resting && !behind && !backlog.isUnfiltered() && !changes.size && !changedRecords.length
    if (!isUp || !engine || !rules || rules.due) return rows
    const part = prefilterReadings(rows, Math.max(prefilteredTo, engine.judged), engine, rules)
    prefilteredTo = part.to
    return part
  }

  const unlisten = [
    telemetry.onStored((rows) => {
      if (!backlog.add(look(rows))) {
        behind = true
        prefilteredTo = 0
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
      if (!watchedResources.has(change.resource)) return
      changedRecords.push(change)
      wake()
    }),
  ]
  const ticker = setInterval(() => wake(), 1000).unref()
  const running = run()

  return {
    /** Resolves when everything received so far is judged and saved. */
    idle: () =>
      new Promise<void>((resolve) => {
        idle.push(resolve)
        wake()
      }),
    stats: () => ({
      ...writer.counts,
      failures,
      waiting: backlog.size(),
      behind,
      judged: engine?.judged ?? 0,
      standing: (engine?.standing() ?? 0) + (rules?.standing() ?? 0) - (joining?.joined() ?? 0),
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
