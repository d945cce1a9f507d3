import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Cell } from '../../contract/cell.ts'
import { queueByPerson, type Waiting } from '../jobs/boundedQueue.ts'
import { ownTurn } from '../jobs/ownTurn.ts'

/**
 * Packing takes a whole core, at low priority. Long sheets have workers of their own, so that nobody waits for those of others with a short
 * one. One tenant never has all workers.
 */
const workers = {
  short: queueByPerson({ concurrency: 2, perKey: 1, backlog: 100 }),
  long: queueByPerson({ concurrency: 2, perKey: 1, backlog: 100 }),
}

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

/** Cells that the main loop packs within a few ms, while a worker takes a hundred to start; cells that a worker packs within a moment. */
const cellsOf = { here: 500, short: 20_000 }
/** The main loop packs one sheet at a time, in at most a fifth of its time. */
const here = queueByPerson({ concurrency: 1, backlog: 100 })
let nextHere = 0
const packHere = async (header: readonly string[], rows: readonly (readonly Cell[])[]) => {
  await sleep(Math.max(0, nextHere - performance.now()))
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
 * Packs a spreadsheet for a person; one of more than a few rows in a worker.
 *
 * @throws Fault `busy` when too many wait already.
 */
export const packSheet = async (header: readonly string[], pages: Pages, person: Waiting): Promise<Buffer> => {
  const rest = pages[Symbol.iterator]()
  const begun: (readonly (readonly Cell[])[])[] = []
  let cells = header.length
  let next = rest.next()
  for (; !next.done && cells <= cellsOf.short; next = rest.next()) {
    begun.push(next.value)
    cells += next.value.length * header.length
    await ownTurn()
  }
  if (next.done && cells <= cellsOf.here) return here(() => packHere(header, begun.flat()), person)
  const all = function* () {
    yield* begun
    for (; !next.done; next = rest.next()) yield next.value
  }
  return workers[cells <= cellsOf.short ? 'short' : 'long'](() => packInWorker(header, all()), person)
}
