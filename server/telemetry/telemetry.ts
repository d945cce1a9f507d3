import { join } from 'node:path'
import { repeat } from '../jobs/repeat.ts'
import { type ArrivalOrder, createArrivalOrder } from './arrivalOrder.ts'
import { createCounters } from './counters.ts'
import { type Log, measureDisk, watchDisk } from './disk.ts'
import { hearElsewhere } from './elsewhere.ts'
import { firstReading } from './firstReading.ts'
import { prepareFolder } from './format.ts'
import { Ingest } from './ingest.ts'
import { createLateCounts } from './late.ts'
import { createLatest } from './latest.ts'
import type { Source } from './meaning/folding.ts'
import type { Formula } from './meaning/formula.ts'
import { withFormulas } from './meaning/formulaSource.ts'
import { createStatistics } from './meaning/statistics.ts'
import { createNewcomers } from './newcomers.ts'
import { createQuery } from './query.ts'
import { openRejected } from './rejected.ts'
import { cutoffs, type Kept, openRetention } from './retention.ts'
import { believedAheadMs, type PointRegistry, type Stored } from './sample.ts'
import { openClickHouseStore } from './store/clickhouse/clickhouseStore.ts'
import { openDuckDbStore } from './store/duckdb/duckdbStore.ts'
import { day, minute, type Store } from './store/store.ts'

export type TelemetryOptions = {
  /** Telemetry's own part of the data folder. */
  folder: string
  /** Samples live there instead of in the folder. */
  clickhouse?: { url: string } | { cluster: string; quorum: boolean } | undefined
  registry: PointRegistry
  /** Epoch ms. */
  clock?: () => number
  log: Log
  /** False = another process may be storing now: readings wait. */
  isOwner?: () => boolean
  /** How long a tenant's readings and roll-ups are kept. */
  retention?: (EnterpriseId: number) => Kept
  /** All points there are and were, for retention. */
  points?: () => Promise<Iterable<{ Id: number; EnterpriseId: number }>>
  /** 0 = what the disk has. */
  diskBudgetBytes?: number
}

/** A clock that was ahead and had been set back by the time we stopped stays so. */
const returnedReadings = (store: Store, initial: readonly Stored[], believed: number) => {
  const ahead = initial.filter(({ time }) => time > believed)
  return store.returned(
    ahead.map(({ point }) => point),
    believed,
  )
}

type Since = (id: number) => number | undefined
const answersFrom = (store: Source, clock: () => number, readingsSince: Since) => ({
  clock,
  query: createQuery(store, clock, readingsSince),
  statistics: createStatistics({ store, clock, readingsSince }),
})
/** Queries behind charts and figures. `readingsSince`: start of a point's retained readings. */
export const answersOf = (store: Store, clock: () => number, readingsSince: Since) => ({
  ...answersFrom(store, clock, readingsSince),
  /** Questions of long work, by a connection that charts do not wait for. */
  aside: store.aside,
  readingsSince,
  /** The same for questions in which these Ids are formula points. */
  withFormulas: (formulas: ReadonlyMap<number, Formula>) => {
    const source = withFormulas(store, formulas, clock)
    return { ...answersFrom(source, clock, readingsSince), columns: source.columns }
  },
})
/** Readings are asked for up to where all are stored: whoever goes on from the last one would miss those that are stored later. */
const upTo = ({ since, arrivals, top }: Store, order: ArrivalOrder | undefined): Pick<Store, 'since' | 'arrivals' | 'top'> => {
  if (!order) return { since, arrivals, top }
  const reached = async (ask: () => Promise<Stored[]>) => {
    const to = order.reached()
    return (await ask()).filter(({ n }) => n <= to)
  }
  return {
    since: (...asked) => reached(() => since(...asked)),
    arrivals: (...asked) => reached(() => arrivals(...asked)),
    top: order.reached,
  }
}
/** What of the store others ask as it is. */
const directOf = ({ arrived, read, load, snapshot, ...store }: Store, order: ArrivalOrder | undefined) => ({
  /**
   * `since`: live readings above an arrival number, page by page, for the alarm engine at its start (findings 10). `arrivals`: the same of
   * some points, with back-fill, for systems of others.
   */
  ...upTo(store as Store, order),
  arrived,
  /** Stored readings, by point and time, for trying a rule. */
  read,
  /** Loads history without counts, latest values or alarms. */
  load,
  /** For a backup; nothing where the readings lie in a store with backups of its own. */
  snapshot,
})
/** False while the store is away. */
export const readyOf = (store: Store) => () =>
  store.ready().then(
    () => true,
    () => false,
  )
/** Opens everything between a gateway's message and a chart. Fails with clear words when the folder is from a newer version. */
export const openTelemetry = async (options: TelemetryOptions) => {
  const { folder, clickhouse, registry, clock = Date.now, retention, points, diskBudgetBytes = 0 } = options
  const log = (problem: string, error: unknown) => options.log.error({ err: error }, problem)
  await prepareFolder(folder)
  const store = clickhouse
    ? await openClickHouseStore({ ...clickhouse, clock })
    : await openDuckDbStore({ folder: join(folder, 'store'), clock, log })
  const rejected = openRejected(join(folder, 'rejected'))
  const counters = createCounters()
  const late = createLateCounts(clock)
  const initial = await store.latest()
  const latest = createLatest([...initial, ...(await returnedReadings(store, initial, clock() + believedAheadMs))], clock)

  const order = store.reserve && createArrivalOrder({ reserve: store.reserve, top: store.top })
  const measure = async () => measureDisk(folder, await store.size(), diskBudgetBytes, !clickhouse)
  const disk = await watchDisk(measure, options.log)
  const ingest = new Ingest({
    registry,
    store,
    counters,
    late,
    rejected,
    order,
    ...(order ? { mayRepeat: createNewcomers() } : {}),
    clock,
    log,
    newestOf: (point) => latest.get(point)?.time,
    newest: new Map(initial.map(({ point, time }) => [point, time])),
    hasRoom: () => !disk.now().full,
    ...(options.isOwner ? { isOwner: options.isOwner } : {}),
  })
  ingest.onStored(latest.take)
  const elsewhere = order && hearElsewhere({ order, counters, late, rejected, tell: (...stored) => ingest.tell(...stored) })
  const stopListening = registry.onChange((change) => {
    if ('removed' in change) for (const known of [latest, ingest, late]) known.forget(change.Id)
  })

  const cutoffOf = (EnterpriseId: number) => cutoffs(retention?.(EnterpriseId) ?? {}, clock())
  const keptSince = (id: number) => cutoffOf(registry.get(id)?.EnterpriseId ?? 0)?.before
  const { retain, onRetain } = openRetention(store, points, cutoffOf)
  let retained = clock()
  /** Segments and merges; once a day retention. */
  const keep = async () => {
    await store.settle()
    if (clock() - retained < day) return
    await retain()
    retained = clock()
  }
  const housekeeping = repeat(minute, keep, (error) => log('telemetry housekeeping failed, trying again in a minute', error))

  return {
    ingest,
    /** Readings that other processes store; only with a store that they can write to. */
    elsewhere,
    latest,
    ...answersOf(store, clock, keptSince),
    rejected,
    /** Late and replaced readings by point, since the start. */
    late,
    counters: counters.tenants,
    disk: disk.now,
    /** Bytes that the store holds in this process, by what they are for; nothing while it is away. */
    memory: async () => (await store.memory?.().catch(() => [])) ?? [],
    onDisk: disk.onChange,
    ...directOf(store, order),
    /** Hears of what retention is about to remove. */
    onRetain,
    /** When the first reading of some points was, epoch ms. */
    first: (points: readonly number[], from: number) => firstReading(store, points, from, clock()),
    retain,
    keep: housekeeping.run,
    ready: readyOf(store),
    /** Commits what was taken, then closes the files. */
    close: async () => {
      disk.stop()
      housekeeping.stop()
      stopListening()
      await ingest.close()
      await store.close()
      await housekeeping.idle()
      rejected.close()
    },
  }
}
export type Telemetry = Awaited<ReturnType<typeof openTelemetry>>
