// Runs long analytics queries in a worker thread with a time limit.
import { FieldFaults } from '../../../../server/http/faults.ts'
import { askWorker, TooMuchWork, WorkRefused } from '../../../../server/jobs/askWorker.ts'
import type { LearningJob, Learnt } from './learn-worker.ts'

const limits = { mostMs: 10_000, heapMb: 384 }

/** @throws FieldFaults where it takes longer than a reader waits, or more memory than there is */
export const learn = <K extends LearningJob['kind']>(job: Extract<LearningJob, { kind: K }>): Promise<Learnt[K]> =>
  askWorker<Learnt[K]>(new URL('./learn-worker.ts', import.meta.url), job, limits).catch((error) => {
    if (error instanceof TooMuchWork) throw new FieldFaults([{ field: 'End', rule: 'analytics.tooLong' }])
    if (error instanceof WorkRefused) throw new FieldFaults([{ field: 'MinSupport', rule: error.message }])
    throw error
  })
