// Stores readings in the ClickHouse of an owner that numbers, counts and judges them.
import type { Settling } from './commit.ts'
import { createCounters } from './counters.ts'
import { Ingest } from './ingest.ts'
import { createNewcomers } from './newcomers.ts'
import type { PointRegistry } from './sample.ts'
import { openClickHouseStore } from './store/clickhouse/clickhouseStore.ts'
import { readyOf, type TelemetryOptions } from './telemetry.ts'

type WriterOptions = {
  clickhouse: NonNullable<TelemetryOptions['clickhouse']>
  registry: PointRegistry
  settling: Settling
  clock: () => number
  log: { error(fields: object, text: string): void }
}

export const openWriter = async ({ clickhouse, log, ...options }: WriterOptions) => {
  const store = await openClickHouseStore({ ...clickhouse, clock: options.clock })
  const newest = new Map((await store.latest()).map(({ point, time }) => [point, time]))
  const ingest = new Ingest({
    ...options,
    store,
    newest,
    mayRepeat: createNewcomers(),
    counters: createCounters(),
    rejected: { add: options.settling.keep },
    log: (problem, err) => log.error({ err }, problem),
  })
  const stopListening = options.registry.onChange((change) => 'removed' in change && ingest.forget(change.Id))
  return {
    ingest,
    ready: readyOf(store),
    close: async () => {
      stopListening()
      await ingest.close()
      await store.close()
    },
  }
}
export type Writer = Awaited<ReturnType<typeof openWriter>>
