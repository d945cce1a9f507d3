import { detail, list, orDetail } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import type { Condition } from '../../../../console/theme/State.tsx'
import { projectTask, projectTaskRow } from '../contract.ts'

const taskStates: Record<'Status', Record<number, Condition>> = { Status: { 2: 'warning', 4: 'alarm', 5: 'offline' } }
const rowStates: Record<'Status', Record<number, Condition>> = { Status: { 4: 'alarm', 5: 'offline' } }
const page = ({ Id }: { Id: number }) => `/projectManagement/pointTaskList?Id=${Id}`

const pushMany = async () => ({ default: (await import('./TaskDialog.tsx')).PushMany })
const applyMany = async () => ({ default: (await import('./TaskDialog.tsx')).ApplyMany })

const rows = list(projectTaskRow, ['Target', 'Status', 'Reason', 'StartTime', 'EndTime'], {
  states: rowStates,
  filters: ['Status'],
  wraps: ['Reason'],
  readOnly: true,
})
const tasks = list(projectTask, ['TaskName', 'Status', 'Done', 'Failed', 'Kind', 'PlannedTime', 'StartTime', 'EndTime', 'UserId'], {
  states: taskStates,
  filters: ['Status', 'Kind'],
  link: page,
  see: ['m10102', 'm10110'],
  create: pushMany,
  buttons: {
    'task.apply': { icon: 'use', needs: 'm10110.apply', dialog: applyMany },
  },
  looks: () => import('./taskLooks.tsx'),
})
const taskPage = detail(projectTask, {
  states: taskStates,
  facts: ['Total', 'Done', 'Failed', 'StopReason'],
  tabs: { 'task.rows': rows },
  looks: async () => ({ cells: (await import('./taskLooks.tsx')).cells }),
})

export const screens: Screens = { '/projectManagement/pointTaskList': orDetail(tasks, taskPage) }
