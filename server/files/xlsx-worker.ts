import { parentPort, workerData } from 'node:worker_threads'
import { readSheet } from 'read-excel-file/node'
import { freezePrototypes } from '../../contract/prototypes.ts'

freezePrototypes()

parentPort!.postMessage(await readSheet(Buffer.from(workerData as Uint8Array)))
