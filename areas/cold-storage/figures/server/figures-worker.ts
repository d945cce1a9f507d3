// Computes the figures of a room in a worker thread.
import { parentPort } from 'node:worker_threads'
import { freezePrototypes } from '../../../../contract/prototypes.ts'
import type { WorkerAnswer } from '../../../../server/jobs/askWorker.ts'
import { type FiguresAsk, figuresOfRoom, type RoomFound } from '../readings.ts'

freezePrototypes()

parentPort!.on('message', (job: FiguresAsk) => {
  const answer = (said: WorkerAnswer<RoomFound>) => parentPort!.postMessage(said)
  try {
    answer({ done: figuresOfRoom(job) })
  } catch (error) {
    answer({ failed: String((error as Error).stack) })
  }
})
