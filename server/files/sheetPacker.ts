import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Cell } from '../../contract/cell.ts'
import { boundedQueue } from '../jobs/boundedQueue.ts'
import { ownTurn } from '../jobs/ownTurn.ts'

/** Packing takes a whole core, so one core stays free for readings and calls. Tenants take turns. */
const queued = boundedQueue({ concurrency: Math.max(1, availableParallelism() - 1), backlog: 100 })

/** Pages of rows: each is copied to the worker in a turn of its own. */
type Pages = Iterable<readonly (readonly Cell[])[]>

const packInWorker = (header: readonly string[], pages: Pages) =>
  new Promise<Buffer>((resolve, reject) => {
    const worker = new Worker(new URL('./sheetPacker-worker.ts', import.meta.url), { workerData: { header } })
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('The sheet was not written.')))
    worker.once('message', (file: Uint8Array) => resolve(Buffer.from(file)))
    const send = async () => {
      for (const page of pages) {
        await ownTurn()
        worker.postMessage(page)
      }
      worker.postMessage('end')
    }
    send().catch((error) => {
      void worker.terminate()
      reject(error)
    })
  })

/**
 * Packs a spreadsheet of a tenant in a worker.
 *
 * @throws Fault `busy` when too many wait already.
 */
export const packSheet = (header: readonly string[], pages: Pages, tenant: number) =>
  queued(() => packInWorker(header, pages), { key: tenant })
