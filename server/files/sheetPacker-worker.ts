import { parentPort, workerData } from 'node:worker_threads'
import { freezePrototypes } from '../../contract/prototypes.ts'
import type { Cell } from './cell.ts'
import { writeSheet } from './xlsx.ts'

freezePrototypes()

const { header, rows } = workerData as { header: string[]; rows: Cell[][] }
parentPort!.postMessage(await writeSheet(header, rows))
