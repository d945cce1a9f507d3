import { parentPort } from 'node:worker_threads'
import { freezePrototypes } from '../../../../contract/prototypes.ts'
import type { WorkerAnswer } from '../../../../server/jobs/askWorker.ts'
import type { HealthLimits, Role, WaveformAnswer } from '../contract.ts'
import { analysedWaveform, type WaveformAsk } from './learn/analysis.ts'
import { type Forecast, learnForecast, type Series } from './learn/forecast.ts'
import { type LearntHealth, learnHealth } from './learn/health.ts'
import { Unreadable } from './learn/waveform.ts'

freezePrototypes()

export type TrainJob =
  | { kind: 'forecast'; series: Series }
  | { kind: 'health'; columns: Float64Array[]; roles: readonly Role[]; limits: HealthLimits }
  | ({ kind: 'waveform'; file: Uint8Array } & WaveformAsk)
/** Null where there is too little to learn from. */
export type Trained = { forecast: Forecast | null; health: LearntHealth | null; waveform: WaveformAnswer }

const work = (job: TrainJob): Trained[TrainJob['kind']] => {
  if (job.kind === 'forecast') return learnForecast(job.series) ?? null
  if (job.kind === 'health') return learnHealth(job.columns, job.roles, job.limits) ?? null
  return analysedWaveform(job.file, job)
}

parentPort!.on('message', (job: TrainJob) => {
  const answer = (said: WorkerAnswer<Trained[TrainJob['kind']]>) => parentPort!.postMessage(said)
  try {
    answer({ done: work(job) })
  } catch (error) {
    answer(error instanceof Unreadable ? { refused: error.message } : { failed: String((error as Error).stack) })
  }
})
