// Writes a file of readings. It asks the main thread for readings, a piece at a time, and does the rest here.
import { parentPort, workerData } from 'node:worker_threads'
import type { FaultKey } from '../../../../contract/faults.ts'
import { freezePrototypes } from '../../../../contract/prototypes.ts'
import { openTable } from '../../../../server/files/table/openTable.ts'
import { Fault } from '../../../../server/http/faults.ts'
import { lowerPriority } from '../../../../server/jobs/lowPriority.ts'
import { offsets } from '../../../../server/telemetry/zone.ts'
import type { HistoryJob, Question, Reply, Said } from './job.ts'
import type { Source } from './pieces.ts'

freezePrototypes()
lowerPriority()

const job = workerData as HistoryJob
const port = parentPort!
const say = (said: Said) => port.postMessage(said)

const waiting = new Map<number, PromiseWithResolvers<unknown>>()
let asked = 0
port.on('message', ({ id, answer, fault }: Reply) => {
  const waiter = waiting.get(id)!
  waiting.delete(id)
  if (fault) waiter.reject(new Fault(fault.key as FaultKey, fault.values))
  else waiter.resolve(answer)
})
const ask = (what: Question['ask'], of: unknown[]) => {
  const answer = Promise.withResolvers<unknown>()
  waiting.set(++asked, answer)
  say({ ask: what, id: asked, of })
  return answer.promise
}
const source: Source = {
  buckets: (...of) => ask('buckets', of) as ReturnType<Source['buckets']>,
  packed: (...of) => ask('packed', of) as ReturnType<Source['packed']>,
}

/** Loads what this file needs alone: the code of figures, and what it rests on, takes three times the memory of that of readings. */
const batches = async () =>
  job.unit === 'raw' ? (await import('./readings.ts')).readings(job, source) : (await import('./buckets.ts')).buckets(job, source, job.unit)

/** Ten million rows of twenty columns. A file of more could fill the disk that readings need. */
const mostCells = 200_000_000

const write = async () => {
  const { columns } = job.layout
  const table = openTable(job.format, {
    ...{ path: job.path, columns, about: job.about, csv: job.csv, ms: job.unit === 'raw' },
    offsetTitle: job.offsetTitle,
    spans: offsets(job.zone, Math.max(job.start, Date.UTC(2000, 0, 1)), Math.min(job.end, job.now + 172_800_000)),
  })
  let [rows, cells] = [0, 0]
  for await (const batch of await batches()) {
    rows += batch.block.rows
    cells += batch.block.rows * columns.length
    if (rows > job.most || cells > mostCells)
      throw new Fault('sheetTooLong', { max: Math.min(job.most, Math.floor(mostCells / columns.length)) })
    table.write(batch.block)
    say({ rows, total: batch.total, share: batch.share })
  }
  table.close()
  return rows
}

write().then(
  (end) => say({ end }),
  (error: Error & { code?: string }) => {
    if (error instanceof Fault) say({ fault: { key: error.key, values: error.values } })
    else say({ failed: String(error.stack ?? error), ...(error.code ? { code: error.code } : {}) })
  },
)
