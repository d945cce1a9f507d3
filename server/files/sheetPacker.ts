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

/** Cells that the main loop packs within a few ms. A worker takes a hundred to start. */
const fewCells = 500
/** When the main loop may pack the next sheet. It packs one at a time, in at most a fifth of its time; a worker packs the others. */
let nextHere = 0
const packHere = async (header: readonly string[], rows: readonly (readonly Cell[])[]) => {
  nextHere = Number.POSITIVE_INFINITY
  await ownTurn()
  const since = performance.now()
  try {
    return await (await import('./xlsx.ts')).writeSheet(header, rows)
  } finally {
    const now = performance.now()
    nextHere = now + 4 * (now - since)
  }
}

/**
 * Packs a spreadsheet of a tenant; one of more than a few rows in a worker.
 *
 * @throws Fault `busy` when too many wait already.
 */
export const packSheet = async (header: readonly string[], pages: Pages, tenant: number): Promise<Buffer> => {
  const rest = pages[Symbol.iterator]()
  const begun: (readonly (readonly Cell[])[])[] = []
  let cells = header.length
  let next = rest.next()
  for (; !next.done && cells <= fewCells; next = rest.next()) {
    begun.push(next.value)
    cells += next.value.length * header.length
  }
  if (next.done && cells <= fewCells && performance.now() >= nextHere) return packHere(header, begun.flat())
  const all = function* () {
    yield* begun
    for (; !next.done; next = rest.next()) yield next.value
  }
  return queued(() => packInWorker(header, all()), { key: tenant })
}
