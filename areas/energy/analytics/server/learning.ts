// Questions that take long are worked out in a thread of their own, for so long as a reader waits.
import { Worker } from 'node:worker_threads'
import { FieldFaults } from '../../../../server/http/faults.ts'
import type { LearningJob, Learnt } from './learn-worker.ts'

const mostMs = 10_000
const heapMb = 384

/** @throws FieldFaults where it takes longer than a reader waits, or more memory than there is */
export const learn = <K extends LearningJob['kind']>(job: Extract<LearningJob, { kind: K }>): Promise<Learnt[K]> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./learn-worker.ts', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: heapMb } })
    const over = (end: () => void) => {
      clearTimeout(timer)
      worker.removeAllListeners('exit')
      void worker.terminate()
      end()
    }
    const tooMuch = () => over(() => reject(new FieldFaults([{ field: 'End', rule: 'analytics.tooLong' }])))
    const timer = setTimeout(tooMuch, mostMs)
    worker.once('message', (said: { done: Learnt[K] } | { tooMany: true } | { failed: string }) => {
      if ('done' in said) over(() => resolve(said.done))
      else if ('tooMany' in said) over(() => reject(new FieldFaults([{ field: 'MinSupport', rule: 'analytics.manyRules' }])))
      else over(() => reject(new Error(said.failed)))
    })
    worker.once('error', (error: Error & { code?: string }) =>
      error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuch() : over(() => reject(error)),
    )
    worker.once('exit', () => over(() => reject(new Error('The question was not answered.'))))
    worker.postMessage(job)
  })
