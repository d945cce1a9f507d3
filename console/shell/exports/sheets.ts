import type { Body } from '../../../contract/call.ts'
import { type ExportTask, exportCalls, taskStatus } from '../../../contract/exports.ts'
import { hub } from '../../live/hub.ts'
import { download, invoke } from '../../session/request.ts'
import { tray } from './tray.ts'

/** Rows and time up to which a sheet is waited for. Longer ones go to the tray. */
const limits = { rows: 10_000, waitMs: 20_000 }

/** Waits for word of the person's exports, or a second if the hub is down. */
const changed = () =>
  new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer)
      stop()
      resolve()
    }
    const timer = setTimeout(done, 1000)
    const stop = hub.on('Changed', ({ Resource }) => void (Resource === 'importExportTask' && done()))
  })

const current = async ({ Id }: ExportTask): Promise<ExportTask | undefined> =>
  ((await invoke(exportCalls.tasks, { query: { PageSize: 20 } })).Items as ExportTask[]).find((task) => task.Id === Id)

export const saveSheet = ({ Id, FileName }: Pick<ExportTask, 'Id' | 'FileName'>) => download(`${exportCalls.file.path}?Id=${Id}`, FileName)

/** Makes a sheet and downloads it. */
export const exportSheet = async (body: Body<typeof exportCalls.start>) => {
  const until = Date.now() + limits.waitMs
  let task: ExportTask | undefined = await invoke(exportCalls.start, { body })
  while (task && (task.Status === taskStatus.waiting || task.Status === taskStatus.running)) {
    if ((task.TotalRows ?? 0) > limits.rows || Date.now() > until) return tray.open()
    await changed()
    task = await current(task)
  }
  if (task?.Status === taskStatus.done) return saveSheet(task)
  // The tray says why it failed.
  tray.open()
}
