// Renders a report off the main thread. The file is written atomically.
import { createHash } from 'node:crypto'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { freezePrototypes } from '../../../../../contract/prototypes.ts'
import { Fault } from '../../../../../server/http/faults.ts'
import { lowerPriority } from '../../../../../server/jobs/lowPriority.ts'
import { pdfOf } from './pdf.ts'
import type { Rendered, RenderJob } from './render.ts'
import { csvOf, xlsxOf } from './sheets.ts'

freezePrototypes()
lowerPriority()

const make = ({ document, format, language, font }: RenderJob) => {
  if (format === 'pdf') return pdfOf(document, language, font)
  return format === 'xlsx' ? xlsxOf(document, language) : csvOf(document, language)
}
const say = (said: Rendered) => parentPort!.postMessage(said)
const write = async (job: RenderJob) => {
  const { path } = job
  const file = await make(job)
  try {
    writeFileSync(`${path}.part`, file)
    renameSync(`${path}.part`, path)
  } catch (error) {
    rmSync(`${path}.part`, { force: true })
    throw error
  }
  return { bytes: file.length, sha256: createHash('sha256').update(file).digest('hex') }
}
const failed = (error: Error & { code?: string }) => {
  if (error instanceof Fault) say({ fault: { key: error.key, values: error.values } })
  else say({ failed: String(error.stack ?? error), ...(error.code ? { code: error.code } : {}) })
}
// Renders one report at a time; the caller requests the next one when this one is done.
parentPort!.on('message', (job: RenderJob) => void write(job).then(say, failed))
