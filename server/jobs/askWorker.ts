// Runs one job in a new worker thread. The thread ends with the result, on timeout or on abort.
import { Worker } from 'node:worker_threads'

export type WorkerLimits = { mostMs: number; heapMb: number; signal?: AbortSignal }
/** `refused`: key of an expected error, which the caller translates. */
export type WorkerAnswer<T> = { done: T } | { refused: string } | { failed: string }

/** The job exceeded its time or memory limit. */
export class TooMuchWork extends Error {}
/** The worker refused the job; `message` is the reason. */
export class WorkRefused extends Error {}

/** @throws TooMuchWork, WorkRefused, and what `signal` was aborted with */
export const askWorker = <T>(url: URL, job: object, { mostMs, heapMb, signal }: WorkerLimits): Promise<T> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const worker = new Worker(url, { resourceLimits: { maxOldGenerationSizeMb: heapMb } })
    const over = (end: () => void) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', aborted)
      worker.removeAllListeners('exit')
      void worker.terminate()
      end()
    }
    const tooMuch = () => over(() => reject(new TooMuchWork()))
    const aborted = () => over(() => reject(signal!.reason))
    const timer = setTimeout(tooMuch, mostMs)
    signal?.addEventListener('abort', aborted)
    worker.once('message', (said: WorkerAnswer<T>) => {
      if ('done' in said) over(() => resolve(said.done))
      else if ('refused' in said) over(() => reject(new WorkRefused(said.refused)))
      else over(() => reject(new Error(said.failed)))
    })
    worker.once('error', (error: Error & { code?: string }) =>
      error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuch() : over(() => reject(error)),
    )
    worker.once('exit', () => over(() => reject(new Error('The question was not answered.'))))
    worker.postMessage(job)
  })
