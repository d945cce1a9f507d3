import { parentPort, workerData } from 'node:worker_threads'
import { type Cell, writeSheet } from '../../files/xlsx.ts'

const { header, rows } = workerData as { header: string[]; rows: Cell[][] }
parentPort!.postMessage(await writeSheet(header, rows))
