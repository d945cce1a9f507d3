import { Worker } from 'node:worker_threads'
import { Fault } from '../http/faults.ts'
import { type Cell, guarded, unguarded } from './xlsx.ts'

/** The mark tells Excel that this is UTF-8. */
export const csvMark = '\uFEFF'

/** RFC 4180; a text that a spreadsheet would take for a formula is guarded as in xlsx. */
const csvCell = (cell: Cell): string => {
  const text = String(guarded(cell) ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
export const csvLine = (cells: readonly Cell[]) => `${cells.map(csvCell).join(',')}\r\n`

const limits = { seconds: 30, heapMb: 512 }

/** Rows of a text table; commas, semicolons or tabs, whichever its first line has most of. Read in a worker, as anybody's file is. */
export const readCsv = (file: Buffer): Promise<Cell[][]> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./csv-worker.ts', import.meta.url), {
      workerData: file,
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMb },
    })
    const refuse = () => {
      reject(new Fault('sheetUnreadable'))
      void worker.terminate()
    }
    const timer = setTimeout(refuse, limits.seconds * 1000)
    worker.once('error', refuse)
    worker.once('exit', refuse)
    worker.once('message', (rows: string[][]) => {
      clearTimeout(timer)
      resolve(rows.map((row) => row.map((text) => (text === '' ? null : unguarded(text)))))
    })
  })
