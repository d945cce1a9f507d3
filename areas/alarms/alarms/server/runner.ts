import type { Logger } from 'pino'
import type { Change, Database } from '../../../../server/database/db.ts'
import type { PointMeta, Stored } from '../../../../server/telemetry/sample.ts'
import { AlarmEngines, turn } from './alarmEngines.ts'
import { load } from './alarmLoad.ts'
import { StaleEpoch } from './alarmStore.ts'
import { type AlarmHub, createAlarmWriter } from './alarmWriter.ts'
import { createBacklog, type Part } from './backlog.ts'
import { retry } from './retry.ts'
import type { PlantRegistry } from './ruleRegistry.ts'

export type AlarmNeeds = {
  database: Database
  /** Loaded before the start. */
  registry: PlantRegistry
  telemetry: {
    /** Live readings after their commit, in the order of their arrival numbers; live-only points have n = 0. */
    onStored(listener: (rows: readonly Stored[]) => void): () => void
    /** Live readings with an arrival number above n, in that order, at most `limit`. */
    since(n: number, limit: number): Promise<Stored[]>
    /** The newest reading of a point: a new or changed rule evaluates it immediately. */
    newest?(point: number): Stored | undefined
  }
  hub: AlarmHub
  log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** Epoch ms. */
  clock?: () => number
  limits?: Partial<typeof standardLimits>
}

/**
 * Readings queued in memory; readings evaluated per turn of the main thread; readings fetched from the store at a time; interval between
 * settlements, ms; points settled in one step, in whole blocks; maximum wait after a failure, ms; interval between saves, ms, so that
 * changes share a transaction; maximum unsaved changes before evaluation waits.
 */
const standardLimits = {
  ...{ waiting: 200_000, step: 10_000, fetch: 50_000, settleMs: 10_000, settle: 20_000, retryMs: 5000 },
  ...{ gatherMs: 100, unsaved: 60_000 },
}

/** Pause between saves of alarms that come and go. */
const longestRestMs = 2000
/** Resources whose changes the rules and the faults of gateways follow. */
const watchedResources = new Set(['alarmRule', 'gateway', 'alarmSetting', 'almGatewayTemplate'])
/**
 * Judges every live reading beside its storage. Whatever happens between the two, each is judged once: how far the engine is
 * is saved with what it found, and at start, after a flood or after an absence of PostgreSQL it goes on from the store.
 */
export class Alarms {
  readonly #needs: AlarmNeeds
  readonly #limits: typeof standardLimits
  readonly #clock: () => number
  readonly #backlog: ReturnType<typeof createBacklog>
  readonly #writer: ReturnType<typeof createAlarmWriter>
  readonly #retried: ReturnType<typeof retry>
  readonly #halt = new AbortController()
  #changes = new Map<number, PointMeta | { Id: number; removed: true }>()
  /** Rules and gateways that have changed. */
  readonly #changedRecords: Pick<Change, 'resource' | 'id'>[] = []
  /** Readings are to be fetched from the store: after the start, and when more came than may wait. */
  #behind = true
  #failures = 0
  #engines: AlarmEngines | undefined
  /** The saving under way, what came of it, when it began (performance.now), and what wakes the loop for the next. */
  #saved: Promise<void> | undefined
  #failure: unknown
  #savedAt = Number.NEGATIVE_INFINITY
  #restsUntil = 0
  #next: NodeJS.Timeout | undefined
  #wake = () => {}
  /** The loop is idle: nothing is being judged, fetched or configured. */
  #resting = false
  /** Arrival number up to which readings were prefiltered on arrival. */
  #prefilteredTo = 0
  readonly #idle: (() => void)[] = []
  readonly #unlisten: readonly (() => unknown)[]
  readonly #ticker = setInterval(() => this.#wake(), 1000).unref()
  readonly #running: Promise<void>

  constructor(needs: AlarmNeeds) {
    const { database, hub, log, clock = Date.now } = needs
    const limits = { ...standardLimits, ...needs.limits }
    this.#needs = needs
    this.#limits = limits
    this.#clock = clock
    this.#backlog = createBacklog(limits.waiting)
    const failed = (err: unknown, what: string) => {
      this.#failures++
      log.warn({ err }, what)
    }
    this.#retried = retry({ signal: this.#halt.signal, longest: limits.retryMs, failed })
    this.#writer = createAlarmWriter({ database, hub, clock, limits, retried: this.#retried })
    this.#unlisten = this.#listen()
    this.#running = this.#run()
  }

  #listen() {
    const { telemetry, registry, database } = this.#needs
    return [
      telemetry.onStored((rows) => {
        if (!this.#backlog.add(this.#look(rows))) {
          this.#behind = true
          this.#prefilteredTo = 0
          this.#engines?.dropQueued()
        }
        this.#wake()
      }),
      registry.onChange((changed) => {
        this.#changes.set(changed.Id, changed)
        this.#wake()
      }),
      database.onChange((change) => {
        if (!watchedResources.has(change.resource)) return
        this.#changedRecords.push(change)
        this.#wake()
      }),
    ]
  }

  /** Prefilters readings on arrival, provided everything before them is judged or prefiltered too. */
  #look(rows: readonly Stored[]): Part {
    const engines = this.#engines
    const isUp = this.#resting && !this.#behind && !this.#backlog.isUnfiltered() && !this.#changes.size && !this.#changedRecords.length
    if (!isUp || !engines || engines.rules.due) return rows
    const part = engines.prefilter(rows, Math.max(this.#prefilteredTo, engines.limits.judged))
    this.#prefilteredTo = part.to
    return part
  }

  async #begin() {
    const { database, registry, telemetry } = this.#needs
    const state = await load(database)
    this.#writer.begin(state)
    this.#backlog.dropPrefiltered()
    this.#prefilteredTo = 0
    const engines = new AlarmEngines(
      {
        ...{ database, registry, clock: this.#clock, step: this.#limits.step },
        newest: telemetry.newest ?? (() => undefined),
        since: (n) => telemetry.since(n, this.#limits.fetch),
        found: (changes) => this.#writer.add(changes),
      },
      state,
    )
    await engines.begin(state)
    this.#behind = true
    this.#engines = engines
    return engines
  }

  async #fetch(judged: number): Promise<Part> {
    if (!this.#behind) return this.#backlog.take(this.#limits.step)
    this.#behind = false
    try {
      const rows = await this.#needs.telemetry.since(judged, this.#limits.fetch)
      if (rows.length >= this.#limits.fetch) this.#behind = true
      return rows
    } catch (error) {
      this.#behind = true
      throw error
    }
  }

  #isFull() {
    return this.#saved !== undefined && this.#writer.unsaved() >= this.#limits.unsaved
  }

  /** Starts a save, unless one is running or began a moment ago. */
  #persist({ limits: engine, rules }: AlarmEngines) {
    if (this.#saved) return
    const { gatherMs, unsaved } = this.#limits
    const rest = Math.max(this.#savedAt + gatherMs, this.#restsUntil) - performance.now()
    if (rest > 0 && !this.#idle.length && this.#writer.unsaved() < unsaved) {
      this.#next ??= setTimeout(() => {
        this.#next = undefined
        this.#wake()
      }, rest)
      return
    }
    const hasChatter = this.#writer.hasChatter()
    const step = this.#writer.save(engine, rules.engine, false)
    if (!step) return
    const savedAt = performance.now()
    this.#savedAt = savedAt
    this.#saved = step
      .catch((error) => {
        this.#failure = error
      })
      .finally(() => {
        this.#saved = undefined
        const now = performance.now()
        // Alarms that come and go leave some of the database's time to others, and join meanwhile.
        this.#restsUntil = hasChatter ? now + Math.min(longestRestMs, 4 * (now - savedAt)) : 0
        this.#wake()
      })
  }

  async #step() {
    if (this.#failure) {
      const error = this.#failure
      this.#failure = undefined
      throw error
    }
    const engines = this.#engines ?? (await this.#retried(() => this.#begin(), 'alarm state not loaded'))
    const changed = this.#changes
    this.#changes = new Map()
    for (const c of this.#changedRecords.splice(0)) engines.rules.noteChange(c)
    for (const id of changed.keys()) engines.rules.pointChanged(id)
    for (const c of changed.values()) engines.configure(c)
    if (engines.rules.due) await this.#retried(() => engines.applyRules(), 'rules not loaded')
    if (!this.#isFull()) {
      await engines.judge(await this.#retried(() => this.#fetch(engines.limits.judged), 'readings not fetched for alarms'))
      // Expire delays only when no newer readings are queued.
      if (!this.#behind && this.#backlog.isEmpty()) engines.tick()
    }
    this.#persist(engines)
  }

  async #run() {
    let broken = false
    while (!this.#halt.signal.aborted) {
      const asked = this.#idle.length
      try {
        await this.#step()
      } catch (error) {
        broken = !(error instanceof StaleEpoch)
        if (broken) break
        this.#needs.log.warn('another alarm engine has written, or a commit was not answered; starting again from what is saved')
        this.#engines = undefined
        continue
      }
      const isMore =
        this.#behind || !this.#backlog.isEmpty() || this.#changes.size || this.#changedRecords.length || this.#engines?.rules.due
      if (this.#failure || this.#halt.signal.aborted) continue
      if (isMore && !this.#isFull()) {
        await turn()
        continue
      }
      const isSaved = !this.#saved && !this.#writer.unsaved() && !this.#writer.isSettling()
      if (!isMore && isSaved) for (const done of this.#idle.splice(0, asked)) done()
      if (!this.#saved && (this.#idle.length || (!isSaved && !this.#next))) continue
      this.#resting = true
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      this.#resting = false
    }
    await this.#saved
    const engines = this.#engines
    try {
      if (engines && !broken && !this.#failure)
        do await this.#writer.save(engines.limits, engines.rules.engine, true)
        while (this.#writer.isSettling())
    } catch (err) {
      this.#needs.log.warn({ err }, 'alarm state not settled')
    }
    for (const done of this.#idle.splice(0)) done()
  }

  /** Resolves when everything received so far is judged and saved. */
  idle() {
    return new Promise<void>((resolve) => {
      this.#idle.push(resolve)
      this.#wake()
    })
  }
  stats() {
    const engines = this.#engines
    return {
      ...this.#writer.counts,
      failures: this.#failures,
      waiting: this.#backlog.size(),
      behind: this.#behind,
      judged: engines?.limits.judged ?? 0,
      standing: engines?.standing() ?? 0,
      rules: engines?.rules.engine.size().rules ?? 0,
    }
  }
  async stop() {
    this.#halt.abort()
    clearInterval(this.#ticker)
    clearTimeout(this.#next)
    for (const off of this.#unlisten) off()
    this.#wake()
    await this.#running
  }
}
