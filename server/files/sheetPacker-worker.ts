import { parentPort, workerData } from 'node:worker_threads'
import type { Cell } from '../../contract/cell.ts'
import { freezePrototypes } from '../../contract/prototypes.ts'
import { lowerPriority } from '../jobs/lowPriority.ts'
import { writeSheet } from './xlsx.ts'

freezePrototypes()
lowerPriority()

const { header } = workerData as { header: string[] }
const rows: Cell[][] = []
parentPort!.on('message', async (page: Cell[][] | 'end') => {
  if (page !== 'end') return void rows.push(...page)
  parentPort!.postMessage(await writeSheet(header, rows))
  parentPort!.close()
})
