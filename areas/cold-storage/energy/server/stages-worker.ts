// Computes the stages of a room in a worker thread. A month of forty sensors is two million minute values.
import { parentPort } from 'node:worker_threads'
import { freezePrototypes } from '../../../../contract/prototypes.ts'
import type { WorkerAnswer } from '../../../../server/jobs/askWorker.ts'
import { type StagesAsk, stagesOfRoom } from './minutes.ts'

freezePrototypes()

parentPort!.on('message', (job: StagesAsk) => {
  const answer = (said: WorkerAnswer<(number | null)[]>) => parentPort!.postMessage(said)
  try {
    answer({ done: stagesOfRoom(job) })
  } catch (error) {
    answer({ failed: String((error as Error).stack) })
  }
})
