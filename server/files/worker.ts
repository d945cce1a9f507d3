import { Worker } from 'node:worker_threads'
import { Fault } from '../http/faults.ts'

const limits = { seconds: 30, heapMb: 512 }

/** Rows of anybody's file, read in a worker with a heap and a time of its own. */
export const readInWorker = <T>(worker: URL, file: Buffer): Promise<T[][]> =>
  new Promise((resolve, reject) => {
    const reading = new Worker(worker, { workerData: file, resourceLimits: { maxOldGenerationSizeMb: limits.heapMb } })
    const refuse = () => {
      reject(new Fault('sheetUnreadable'))
      void reading.terminate()
    }
    const timer = setTimeout(refuse, limits.seconds * 1000)
    reading.once('error', refuse)
    reading.once('exit', refuse)
    reading.once('message', (rows: T[][]) => {
      clearTimeout(timer)
      resolve(rows)
    })
  })
