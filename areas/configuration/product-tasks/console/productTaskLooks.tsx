import type { ListProps } from '../../../../console/kernel/ResourceList.tsx'
import { TaskProgress } from '../../tasks/console/TaskProgress.tsx'
import type { productTask } from '../contract.ts'

export const cells: ListProps<typeof productTask>['cells'] = { Done: (row) => <TaskProgress row={row} /> }
