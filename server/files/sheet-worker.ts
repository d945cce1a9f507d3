// Reads a sheet of a stranger. Bounds rows, columns and characters here, so that no more than a page ever reaches the main loop.
import { parentPort, workerData } from 'node:worker_threads'
import { type SheetRow, unguarded } from '../../contract/cell.ts'
import { freezePrototypes } from '../../contract/prototypes.ts'
import { Fault } from '../http/faults.ts'
import { lowerPriority } from '../jobs/lowPriority.ts'
import { csvRows } from './csvReader.ts'
import { sheetLimits } from './sheetLimits.ts'
import { xlsxRows } from './xlsxReader.ts'

freezePrototypes()
lowerPriority()

const { file } = workerData as { file: Uint8Array }
const port = parentPort!
const asked = () => new Promise<void>((next) => port.once('message', () => next()))
const isZip = file.length > 4 && Buffer.from(file.buffer, file.byteOffset, 4).readUInt32LE() === 0x04034b50

let page: SheetRow[] = []
let [pageCells, pageCharacters, characters] = [0, 0, 0]
const send = async () => {
  await asked()
  port.postMessage({ page })
  ;[page, pageCells, pageCharacters] = [[], 0, 0]
}
const add = ({ row, cells }: SheetRow) => {
  while (cells.at(-1) === null) cells.pop()
  if (!cells.length) return
  if (row > sheetLimits.rows + 1) throw new Fault('sheetTooLong', { max: sheetLimits.rows })
  if (cells.length > sheetLimits.columns) throw new Fault('sheetTooWide', { max: sheetLimits.columns })
  let length = 0
  for (const [i, cell] of cells.entries()) {
    if (typeof cell !== 'string') continue
    if (cell.length > sheetLimits.cellCharacters) throw new Fault('tooLarge')
    length += cell.length
    cells[i] = unguarded(cell)
  }
  characters += length
  if (characters > sheetLimits.characters) throw new Fault('tooLarge')
  page.push({ row, cells })
  pageCells += cells.length
  pageCharacters += length
}

try {
  for await (const rows of (isZip ? xlsxRows : csvRows)(file))
    for (const row of rows) {
      add(row)
      if (pageCells >= sheetLimits.pageCells || pageCharacters >= sheetLimits.pageCharacters) await send()
    }
  if (page.length) await send()
  await asked()
  port.postMessage({ end: true })
} catch (error) {
  const fault = error instanceof Fault ? error : new Fault('sheetUnreadable')
  port.postMessage({ fault: fault.key, values: fault.values })
}
