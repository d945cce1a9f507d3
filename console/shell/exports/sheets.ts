import type { Body } from '../../../contract/call.ts'
import { sheetWait } from '../../../contract/exportLimits.ts'
import { type ExportTask, exportCalls, taskStatus } from '../../../contract/exports.ts'
import { hub } from '../../live/hub.ts'
import { download, invoke } from '../../session/request.ts'
import { tray } from './tray.ts'

/** Waits for a change of the person's exports, or a second if the hub is down. */
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

const isLong = ({ TotalRows, DoneRows }: ExportTask) => (TotalRows ?? DoneRows) > sheetWait.rows

/** Creates a sheet and downloads it. */
export const exportSheet = (body: Omit<Body<typeof exportCalls.start>, 'Waits'>) =>
  saveTask(() => invoke(exportCalls.start, { body: { ...body, Waits: 1 } }))

/** Starts a task, waits for its file and downloads it. */
export const saveTask = async (start: () => Promise<ExportTask>) => {
  const until = Date.now() + sheetWait.ms
  let task: ExportTask | undefined = await start()
  while (task && (task.Status === taskStatus.waiting || task.Status === taskStatus.running)) {
    if (Date.now() > until || isLong(task)) return tray.open()
    await changed()
    task = await current(task)
  }
  if (task?.Status === taskStatus.done && !isLong(task)) return saveSheet(task)
  // The tray takes over long exports and reports failures.
  tray.open()
}
