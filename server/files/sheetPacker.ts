import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { boundedQueue } from '../jobs/boundedQueue.ts'
import type { Cell } from './cell.ts'

/** Packing takes a whole core: one stays free for readings and other people's calls. */
const queued = boundedQueue({ concurrency: Math.max(1, availableParallelism() - 1), backlog: 100 })

const packInWorker = (header: readonly string[], rows: readonly (readonly Cell[])[]) =>
  new Promise<Buffer>((resolve, reject) => {
    const worker = new Worker(new URL('./sheetPacker-worker.ts', import.meta.url), { workerData: { header, rows } })
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('The sheet was not written.')))
    worker.once('message', (file: Uint8Array) => resolve(Buffer.from(file)))
  })

/**
 * Packs a spreadsheet in a worker.
 *
 * @throws Fault `busy` when too many wait already.
 */
export const packSheet = (...sheet: Parameters<typeof packInWorker>) => queued(() => packInWorker(...sheet))
