import { parentPort, workerData } from 'node:worker_threads'
import { readSheet } from 'read-excel-file/node'

parentPort!.postMessage(await readSheet(Buffer.from(workerData as Uint8Array)))
