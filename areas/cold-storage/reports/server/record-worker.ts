// Processes records in a worker thread. A month of forty sensors is two million values.
import { createHash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import { canonical } from '../../../../contract/gateway-config.ts'
import { freezePrototypes } from '../../../../contract/prototypes.ts'
import type { WorkerAnswer } from '../../../../server/jobs/askWorker.ts'
import type { PlanCourse } from '../../rooms/calls.ts'
import { courseOf } from '../course.ts'
import { type ColdRecord, readRecord, recordFigures } from '../record.ts'
import type { Gathered } from './gather.ts'

freezePrototypes()

export type RecordJob = { kind: 'make'; gathered: Gathered } | { kind: 'read' | 'course'; bytes: Uint8Array }
export type Recorded = {
  make: { bytes: Uint8Array; sha256: string; Result: number }
  read: ReturnType<typeof readRecord>
  course: PlanCourse
}

const make = ({ Sensors, ...gathered }: Gathered): Recorded['make'] => {
  const record: ColdRecord = {
    ...gathered,
    Sensors: Sensors.map(({ Values, ...sensor }) => ({
      ...sensor,
      ...(Values ? { Values: Array.from(Values, (value) => (Number.isNaN(value) ? null : value)) } : {}),
    })),
  }
  const bytes = Buffer.from(canonical(record))
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex'), Result: recordFigures(record).Result }
}

const work = (job: RecordJob): Recorded[RecordJob['kind']] => {
  if (job.kind === 'make') return make(job.gathered)
  const record = JSON.parse(Buffer.from(job.bytes).toString('utf8')) as ColdRecord
  return job.kind === 'read' ? readRecord(record) : courseOf(record)
}

parentPort!.on('message', (job: RecordJob) => {
  const answer = (said: WorkerAnswer<Recorded[RecordJob['kind']]>) => parentPort!.postMessage(said)
  try {
    answer({ done: work(job) })
  } catch (error) {
    answer({ failed: String((error as Error).stack) })
  }
})
