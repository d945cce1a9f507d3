import { Worker } from 'node:worker_threads'
import type { Cell, SheetRow } from '../../contract/cell.ts'
import type { FaultKey } from '../../contract/faults.ts'
import { Fault } from '../http/faults.ts'
import { boundedQueue } from '../jobs/boundedQueue.ts'
import { sheetLimits } from './sheetLimits.ts'

type Answer = { page?: SheetRow[]; end?: true; fault?: FaultKey; values?: Record<string, string | number> }

/** Each reader takes up to a core and its own heap. One tenant never has them all. */
const queued = boundedQueue({ concurrency: 2, perKey: 1, backlog: 16 })

const readInWorker = (file: Uint8Array, onPage: (rows: SheetRow[]) => void) =>
  new Promise<void>((resolve, reject) => {
    const worker = new Worker(new URL('./sheet-worker.ts', import.meta.url), {
      workerData: { file },
      resourceLimits: { maxOldGenerationSizeMb: sheetLimits.heapMb, maxYoungGenerationSizeMb: 16 },
    })
    const end = (fault?: unknown) => {
      clearTimeout(timer)
      void worker.terminate()
      if (fault) reject(fault)
      else resolve()
    }
    const unreadable = () => end(new Fault('sheetUnreadable'))
    const timer = setTimeout(unreadable, sheetLimits.seconds * 1000)
    worker.once('error', unreadable)
    worker.once('exit', unreadable)
    worker.on('message', ({ page, fault, values }: Answer) => {
      if (fault) return end(new Fault(fault, values))
      if (!page) return end()
      try {
        onPage(page)
        // One page at a time: what else is to be done gets its turn in between.
        worker.postMessage('next')
      } catch (error) {
        end(error)
      }
    })
    worker.postMessage('next')
  })

/**
 * Reads the first sheet of an xlsx, or a csv, page by page in a worker. `onPage` gets the rows that hold something; what it throws ends
 * the reading. Sheets of one `tenant` wait for each other.
 *
 * @throws Fault `sheetUnreadable`, `sheetTooLong`, `sheetTooWide` or `tooLarge`; `busy` when too many sheets wait already.
 */
export const readSheetPages = (file: Uint8Array, onPage: (rows: SheetRow[]) => void, tenant: number) =>
  queued(() => readInWorker(file, onPage), { key: tenant })

/** All rows of a small sheet by their place; every row is as wide as the widest. */
export const readSheet = async (file: Uint8Array, tenant = 0): Promise<Cell[][]> => {
  const rows: Cell[][] = []
  const onPage = (page: SheetRow[]) => {
    for (const { row, cells } of page) rows[row - 1] = cells
  }
  await readSheetPages(file, onPage, tenant)
  const width = Math.max(0, ...Array.from(rows, (cells) => cells?.length ?? 0))
  return Array.from(rows, (cells = []) => [...cells, ...Array<null>(width - cells.length).fill(null)])
}
