import { join } from 'node:path'
import { createCounters } from './counters.ts'
import { type Disk, measureDisk } from './disk.ts'
import { firstReading } from './firstReading.ts'
import { prepareFolder } from './format.ts'
import { createIngest } from './ingest.ts'
import { createLatest } from './latest.ts'
import { createQuery } from './query.ts'
import { openRejected } from './rejected.ts'
import { cutoffs, type Kept } from './retention.ts'
import { believedAheadMs, type PointRegistry } from './sample.ts'
import { openClickHouseStore } from './store/clickhouse/clickhouseStore.ts'
import { openDuckDbStore } from './store/duckdb/duckdbStore.ts'
import { day, minute } from './store/store.ts'

/** How often the room on the disk is looked at: refusals begin, and end, so much later, ms. */
const measureMs = 5000

/** Anything with pino's two methods. */
export type Log = { warn: (fields: object, text: string) => void; error: (fields: object, text: string) => void }

export type TelemetryOptions = {
  /** Telemetry's own part of the data folder. */
  folder: string
  /** Samples live there instead of in the folder. */
  clickhouseUrl?: string | undefined
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

/** Opens everything between a gateway's message and a chart. Fails with clear words when the folder is from a newer version. */
export const openTelemetry = async (options: TelemetryOptions) => {
  const { folder, clickhouseUrl, registry, clock = Date.now, retention, points, diskBudgetBytes = 0 } = options
  const log = (problem: string, error: unknown) => options.log.error({ err: error }, problem)
  await prepareFolder(folder)
  const store = clickhouseUrl
    ? await openClickHouseStore({ url: clickhouseUrl, clock })
    : await openDuckDbStore({ folder: join(folder, 'store'), clock, log })
  const rejected = openRejected(join(folder, 'rejected'))
  const counters = createCounters()
  const initial = await store.latest()
  // A clock that was ahead and had been set back by the time we stopped stays so.
  const believed = clock() + believedAheadMs
  const ahead = initial.filter((reading) => reading.time > believed)
  const returned = await store.returned(
    ahead.map((reading) => reading.point),
    believed,
  )
  const latest = createLatest([...initial, ...returned], clock)

  let closing = false
  let disk: Disk
  const diskListeners = new Set<(disk: Disk) => void>()
  const measure = async () => {
    const was = disk
    disk = await measureDisk(folder, await store.size(), diskBudgetBytes, !clickhouseUrl)
    if (disk.warning && !was?.warning) options.log.warn({ used: disk.used, budget: disk.budget }, 'telemetry uses 80 % of its disk budget')
    if (was?.full && !disk.full) options.log.warn({ used: disk.used, budget: disk.budget }, 'telemetry has room again: readings are taken')
    if (disk.full && !was?.full)
      options.log.error({ used: disk.used, budget: disk.budget }, 'telemetry has used up its disk budget: readings are refused')
    if (was && (was.full !== disk.full || was.warning !== disk.warning)) for (const listener of diskListeners) listener(disk)
    return disk
  }
  await measure()
  let measuring = false
  const look = async () => {
    if (measuring || closing) return
    measuring = true
    await measure().catch((error: unknown) => closing || log('the disk could not be measured', error))
    measuring = false
  }

  const ingest = createIngest({
    registry,
    store,
    counters,
    rejected,
    clock,
    log,
    newest: new Map(initial.map(({ point, time }) => [point, time])),
    hasRoom: () => !disk.full,
    ...(options.isOwner ? { isOwner: options.isOwner } : {}),
  })
  ingest.onStored(latest.take)
  const stopListening = registry.onChange((change) => {
    if (!('removed' in change)) return
    latest.forget(change.Id)
    ingest.forget(change.Id)
  })

  const cutoffOf = (EnterpriseId: number) => cutoffs(retention?.(EnterpriseId) ?? {}, clock())
  const retain = async () => {
    if (!points) return
    const byTenant = Map.groupBy(await points(), (point) => point.EnterpriseId)
    const due = [...byTenant].flatMap(([EnterpriseId, of]) => {
      const cutoff = cutoffOf(EnterpriseId)
      return cutoff ? [{ points: of.map((point) => point.Id), ...cutoff }] : []
    })
    await store.retain(due)
  }
  let retained = clock()
  let busy: Promise<void> | undefined
  /** What time brings: segments, merges, once a day retention. One at a time. */
  const keep = () => {
    busy ??= (async () => {
      try {
        await store.settle()
        if (clock() - retained >= day) {
          await retain()
          retained = clock()
        }
      } catch (error) {
        if (!closing) log('telemetry housekeeping failed, trying again in a minute', error)
      }
      busy = undefined
    })()
    return busy
  }
  const timers = [setInterval(() => void keep(), minute).unref(), setInterval(() => void look(), measureMs).unref()]

  return {
    ingest,
    latest,
    query: createQuery(store, clock, (id) => cutoffOf(registry.get(id)?.EnterpriseId ?? 0)?.before),
    rejected,
    counters: counters.tenants,
    disk: () => disk,
    /** Bytes that the store holds in this process, by what they are for; nothing while it is away. */
    memory: async () => (await store.memory?.().catch(() => [])) ?? [],
    /** Told when it becomes full or nearly full, and when it is no longer. */
    onDisk: (listener: (disk: Disk) => void) => {
      diskListeners.add(listener)
      return () => void diskListeners.delete(listener)
    },
    /** Live readings above an arrival number, page by page, for the alarm engine at its start (findings 10). */
    since: store.since,
    /** Stored readings, by point and time, for trying a rule. */
    read: store.read,
    /** Of a past that nobody saw: no counts, no latest values, no alarms. */
    load: store.load,
    /** When the first reading of some points was, epoch ms. */
    first: (points: readonly number[], from: number) => firstReading(store, points, from, clock()),
    retain,
    keep,
    /** For a backup; nothing where the readings lie in a store with backups of its own. */
    snapshot: store.snapshot,
    /** False while the store is away. */
    ready: () =>
      store.ready().then(
        () => true,
        () => false,
      ),
    /** Commits what was taken, then closes the files. */
    close: async () => {
      closing = true
      for (const timer of timers) clearInterval(timer)
      stopListening()
      await ingest.close()
      await store.close()
      await busy
      rejected.close()
    },
  }
}
export type Telemetry = Awaited<ReturnType<typeof openTelemetry>>
