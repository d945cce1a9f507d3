import { Worker } from 'node:worker_threads'
import type { FaultKey } from '../../../../../contract/faults.ts'
import type { Language } from '../../../../../contract/languages.ts'
import { Fault } from '../../../../../server/http/faults.ts'
import type { ReportDocument } from '../../blocks.ts'
import type { ReportFormat } from '../../contract.ts'

export type RenderJob = { document: ReportDocument; format: ReportFormat; language: Language; path: string; font: string | undefined }
export type Rendered =
  | { bytes: number; sha256: string }
  | { fault: { key: string; values: Record<string, string | number> } }
  | { failed: string; code?: string }

const heapMb = 512
/** Time limit: a hung worker would block the company's next report. */
const mostMs = 120_000

/** Pool of idle workers: starting one takes longer than rendering most reports. */
const [mostIdle, idleMs] = [2, 20_000]
const idle = new Map<Worker, NodeJS.Timeout>()
/** Removes only our own listeners; the worker needs its internal ones to deliver messages. */
const forget = (worker: Worker) => {
  for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event)
}
const startWorker = () => new Worker(new URL('./render-worker.ts', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: heapMb } })
const takeWorker = () => {
  const [free] = idle.keys()
  if (!free) return startWorker()
  clearTimeout(idle.get(free))
  idle.delete(free)
  forget(free)
  free.ref()
  return free
}
const keepWorker = (worker: Worker) => {
  forget(worker)
  if (idle.size >= mostIdle) return void worker.terminate()
  const gone = () => {
    clearTimeout(idle.get(worker))
    idle.delete(worker)
    void worker.terminate()
  }
  worker.once('error', gone).once('exit', gone).unref()
  idle.set(worker, setTimeout(gone, idleMs).unref())
}

/** Starts a worker while the report's readings are still being asked for. */
export const warmRenderer = () => {
  if (!idle.size) keepWorker(startWorker())
}

/** Renders a report in a worker thread and returns its size and SHA-256. */
export const renderReport = (job: RenderJob, signal: AbortSignal) =>
  new Promise<{ bytes: number; sha256: string }>((resolve, reject) => {
    const worker = takeWorker()
    const over = (end: () => void, isFree = false) => {
      signal.removeEventListener('abort', stop)
      clearTimeout(timer)
      if (isFree) keepWorker(worker)
      else void worker.terminate()
      end()
    }
    const stop = () => over(() => reject(new Error('The report was cancelled.')))
    const timer = setTimeout(() => over(() => reject(new Error('The report took too long.'))), mostMs)
    signal.addEventListener('abort', stop)
    worker.once('message', (said: Rendered) => {
      if ('bytes' in said) over(() => resolve(said), true)
      else if ('fault' in said) over(() => reject(new Fault(said.fault.key as FaultKey, said.fault.values)))
      else over(() => reject(said.code === 'ENOSPC' || said.code === 'EDQUOT' ? new Fault('exportNoRoom') : new Error(said.failed)))
    })
    worker.once('error', (error) => over(() => reject(error)))
    worker.once('exit', () => over(() => reject(new Error('The report was not made.'))))
    worker.postMessage(job)
  })
