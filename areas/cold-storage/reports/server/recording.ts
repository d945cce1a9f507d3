// Runs record processing in a worker thread.
import { askWorker } from '../../../../server/jobs/askWorker.ts'
import { boundedQueue } from '../../../../server/jobs/boundedQueue.ts'
import type { Recorded, RecordJob } from './record-worker.ts'

/** Heap for two million values and derived data. */
const limits = { mostMs: 120_000, heapMb: 1024 }
export const askRecord = <K extends RecordJob['kind']>(job: RecordJob & { kind: K }, signal?: AbortSignal): Promise<Recorded[K]> =>
  askWorker<Recorded[K]>(new URL('./record-worker.ts', import.meta.url), job, { ...limits, ...(signal && { signal }) })

/** Queue for viewing, rendering and approving reports: one per company at a time. */
const opened = boundedQueue({ concurrency: 2, perKey: 1, backlog: 60, maxWaitMs: 60_000, refusal: 'busy' })
export const reportInTurn = <T>(company: number, work: () => Promise<T>): Promise<T> => opened(work, { key: company })
