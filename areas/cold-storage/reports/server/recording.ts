// Asks for work with records, which a thread of its own does.
import { askWorker } from '../../../../server/jobs/askWorker.ts'
import { boundedQueue } from '../../../../server/jobs/boundedQueue.ts'
import type { Recorded, RecordJob } from './record-worker.ts'

/** Two million values with all that is worked out from them. */
const limits = { mostMs: 120_000, heapMb: 1024 }
export const askRecord = <K extends RecordJob['kind']>(job: RecordJob & { kind: K }, signal?: AbortSignal): Promise<Recorded[K]> =>
  askWorker<Recorded[K]>(new URL('./record-worker.ts', import.meta.url), job, { ...limits, ...(signal && { signal }) })

/** Reports that are shown, drawn and approved, one of a company at a time. */
const opened = boundedQueue({ concurrency: 2, perKey: 1, backlog: 60, maxWaitMs: 60_000, refusal: 'busy' })
export const reportInTurn = <T>(company: number, work: () => Promise<T>): Promise<T> => opened(work, { key: company })
