import type { Shown } from '../../../../console/kernel/api.ts'
import type { DetailLooks } from '../../../../console/kernel/plainScreens.ts'
import { useWords } from '../../../../console/words/words.ts'
import { type projectTask, projectTaskCalls, taskKind } from '../contract.ts'
import { ReportButton } from './ReportButton.tsx'
import { TaskProgress } from './TaskProgress.tsx'

/** The report of a check. */
const Actions = ({ row }: { row: Shown<typeof projectTask> }) => {
  const t = useWords()
  return row.Kind === taskKind.check ? <ReportButton text={t('task.report')} path={projectTaskCalls.report.path} task={row} /> : null
}

const cells: DetailLooks<typeof projectTask>['cells'] = { Done: (row) => <TaskProgress row={row} /> }
export const listLooks = { cells }
export const pageLooks: DetailLooks<typeof projectTask> = { cells, Actions }
