import { detail, list, orDetail } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import type { Condition } from '../../../../console/theme/State.tsx'
import { pointCheck, projectTask, projectTaskRow } from '../contract.ts'

const taskStates: Record<'Status', Record<number, Condition>> = { Status: { 2: 'warning', 4: 'alarm', 5: 'offline' } }
const rowStates: Record<'Status', Record<number, Condition>> = { Status: { 4: 'alarm', 5: 'offline' } }
const page = ({ Id }: { Id: number }) => `/projectManagement/pointTaskList?Id=${Id}`

const addTask = async () => ({ default: (await import('./TaskDialog.tsx')).AddTask })

const findings: Record<'Finding', Record<number, Condition>> = {
  Finding: { 1: 'warning', 2: 'alarm', 3: 'alarm', 4: 'warning', 5: 'alarm', 6: 'warning' },
}
const checks = list(
  pointCheck,
  ['Target', 'ParaName', 'Address', 'Finding', 'Value', 'ParaUnitName', 'RangeLow', 'RangeHigh', 'ReadTime'],
  {
    states: findings,
    filters: ['Finding'],
    readOnly: true,
  },
)
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
  see: ['m10102', 'm10104', 'm10110'],
  create: addTask,
  looks: async () => (await import('./taskLooks.tsx')).listLooks,
})
const taskPage = detail(projectTask, {
  states: taskStates,
  facts: ['Total', 'Done', 'Failed', 'StopReason'],
  tabs: { 'task.rows': rows, 'task.points': checks },
  looks: async () => (await import('./taskLooks.tsx')).pageLooks,
})

export const screens: Screens = { '/projectManagement/pointTaskList': orDetail(tasks, taskPage) }
