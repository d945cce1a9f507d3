import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { type Cell, guarded } from '../../contract/cell.ts'
import { csvLine, csvMark } from '../../contract/csv.ts'

/** Streams a sheet row by row; it is never whole in memory. `write` resolves when there is room for more (backpressure). */
export type SheetWriter = { write(rows: readonly (readonly Cell[])[]): Promise<void>; close(): Promise<void>; abort(): Promise<void> }

const csvWriter = async (path: string, header: readonly string[]): Promise<SheetWriter> => {
  const file = await open(path, 'w')
  await file.write(csvMark + csvLine(header))
  return {
    async write(rows) {
      await file.write(rows.map(csvLine).join(''))
    },
    close: () => file.close(),
    abort: () => file.close(),
  }
}

/** Packed beside the main thread, one part at a time. */
const xlsxWriter = async (path: string, header: readonly string[]): Promise<SheetWriter> => {
  const worker = new Worker(new URL('./sheetWriter-worker.ts', import.meta.url), { workerData: { path } })
  const ended = new Promise<never>((_, reject) => {
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('The sheet was not written.')))
  })
  ended.catch(() => undefined)
  const post = async (message: unknown) => {
    worker.postMessage(message)
    await Promise.race([once(worker, 'message'), ended])
  }
  await post({ header })
  return {
    async write(rows) {
      await post({ rows: rows.map((row) => row.map(guarded)) })
    },
    async close() {
      await post({ end: true })
      await worker.terminate()
    },
    async abort() {
      await worker.terminate()
    },
  }
}

export const openSheet = (format: 'xlsx' | 'csv', path: string, header: readonly string[]): Promise<SheetWriter> =>
  (format === 'csv' ? csvWriter : xlsxWriter)(path, header)
