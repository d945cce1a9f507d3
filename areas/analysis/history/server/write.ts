import { type Transferable, Worker } from 'node:worker_threads'
import type { FaultKey } from '../../../../contract/faults.ts'
import { Fault } from '../../../../server/http/faults.ts'
import type { HistoryJob, Question, Reply, Said } from './job.ts'
import type { Source } from './pieces.ts'

type Running = { signal: AbortSignal; report: (done: number, total: number | null, share: number) => Promise<void> | void }

/** Limits for V8's old and young generation. By default the young one may grow to the size of the whole file. */
const [heapMb, youngMb] = [256, 16]
const answerOf = async (source: Source, { ask, of }: Question): Promise<{ answer: unknown; moved: Transferable[] }> => {
  if (ask === 'buckets') return { answer: await source.buckets(...(of as Parameters<Source['buckets']>)), moved: [] }
  const answer = await source.packed(...(of as Parameters<Source['packed']>))
  return { answer, moved: answer.flatMap(({ time, value, quality }) => [time.buffer, value.buffer, quality.buffer]) }
}

/** No room on the disk, for a file or for a person. */
const isFull = (code: string | undefined) => code === 'ENOSPC' || code === 'EDQUOT'

/** Writes the file in a worker thread and returns the number of rows. Aborting terminates the worker. */
export const writeHistory = (source: Source, job: HistoryJob, { signal, report }: Running) =>
  new Promise<number>((resolve, reject) => {
    const worker = new Worker(new URL('./history-worker.ts', import.meta.url), {
      workerData: job,
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: youngMb },
    })
    const stop = () => void worker.terminate()
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
    const over = (end: () => void) => {
      signal.removeEventListener('abort', stop)
      stop()
      end()
    }
    // One progress update at a time, and none after the task has finished.
    let reporting: Promise<void> | undefined
    const note = async ({ rows, total, share }: Extract<Said, { rows: number }>) => {
      await report(rows, total, share)
    }
    const reply = (question: Question) =>
      answerOf(source, question).then(
        ({ answer, moved }) => worker.postMessage({ id: question.id, answer } satisfies Reply, moved),
        (error) => {
          const { key, values } = error instanceof Fault ? error : new Fault('exportFailed')
          worker.postMessage({ id: question.id, fault: { key, values } } satisfies Reply)
        },
      )
    worker.on('message', (said: Said) => {
      if ('ask' in said) void reply(said)
      else if ('rows' in said)
        reporting ??= note(said)
          .catch(() => undefined)
          .finally(() => {
            reporting = undefined
          })
      else if ('end' in said) over(() => resolve(Promise.resolve(reporting).then(() => said.end)))
      else if ('fault' in said) over(() => reject(new Fault(said.fault.key as FaultKey, said.fault.values)))
      else over(() => reject(isFull(said.code) ? new Fault('exportNoRoom') : new Error(said.failed)))
    })
    worker.once('error', (error) => over(() => reject(error)))
    worker.once('exit', () => over(() => reject(new Error('The file was not written.'))))
  })
