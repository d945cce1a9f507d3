import type { Shown } from '../../../../console/kernel/api.ts'
import type { DetailLooks } from '../../../../console/kernel/plainScreens.ts'
import { useWords } from '../../../../console/words/words.ts'
import { ReportButton } from '../../tasks/console/ReportButton.tsx'
import { TaskProgress } from '../../tasks/console/TaskProgress.tsx'
import { type productTask, productTaskCalls } from '../contract.ts'

/** The list of serial numbers with their projects. */
const Actions = ({ row }: { row: Shown<typeof productTask> }) => {
  const t = useWords()
  return <ReportButton text={t('product.sheet')} path={productTaskCalls.sheet.path} task={row} />
}

const cells: DetailLooks<typeof productTask>['cells'] = { Done: (row) => <TaskProgress row={row} /> }
export const listLooks = { cells }
export const pageLooks: DetailLooks<typeof productTask> = { cells, Actions }
