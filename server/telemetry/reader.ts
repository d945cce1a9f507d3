// Charts and figures in an API process, which reads the ClickHouse that the owner writes.
import { cutoffs, type Kept } from './retention.ts'
import type { PointRegistry } from './sample.ts'
import { openClickHouseStore } from './store/clickhouse/clickhouseStore.ts'
import { answersOf, readyOf, type TelemetryOptions } from './telemetry.ts'

type ReaderOptions = {
  clickhouse: NonNullable<TelemetryOptions['clickhouse']>
  registry: Pick<PointRegistry, 'get'>
  clock: () => number
  /** How long a tenant's readings and roll-ups are kept. */
  retention: (EnterpriseId: number) => Kept
}

export const openTelemetryReader = async ({ clickhouse, registry, clock, retention }: ReaderOptions) => {
  const store = await openClickHouseStore({ ...clickhouse, clock })
  const keptSince = (id: number) => cutoffs(retention(registry.get(id)?.EnterpriseId ?? 0), clock())?.before
  return {
    ...answersOf(store, clock, keptSince),
    ready: readyOf(store),
    close: () => store.close(),
  }
}
export type TelemetryReader = Awaited<ReturnType<typeof openTelemetryReader>>
