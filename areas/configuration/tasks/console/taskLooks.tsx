import type { ListProps } from '../../../../console/kernel/ResourceList.tsx'
import type { projectTask } from '../contract.ts'
import { TaskProgress } from './TaskProgress.tsx'

export const cells: ListProps<typeof projectTask>['cells'] = { Done: (row) => <TaskProgress row={row} /> }
