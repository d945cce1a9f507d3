import { detail, list, orDetail } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import type { Condition } from '../../../../console/theme/State.tsx'
import { productTask, productTaskRow } from '../contract.ts'

const taskStates: Record<'Status', Record<number, Condition>> = { Status: { 2: 'warning', 4: 'alarm' } }
const rowStates: Record<'Status', Record<number, Condition>> = { Status: { 4: 'alarm', 5: 'offline' } }
const page = ({ Id }: { Id: number }) => `/productSeries/productTaskList?Id=${Id}`
const looks = () => import('./productTaskLooks.tsx')

const rows = list(productTaskRow, ['SN', 'ProjectName', 'Status', 'Reason', 'StartTime', 'EndTime'], {
  states: rowStates,
  filters: ['Status'],
  wraps: ['Reason'],
  readOnly: true,
  actions: {
    'project.gateways': {
      icon: 'below',
      when: (row) => row.ProjectId !== null,
      to: (row) => `/projectManagement/gatewayManagement?ProjectId=${row.ProjectId}`,
    },
    'product.remove': {
      needs: 'm12007.remove',
      danger: true,
      when: (row) => row.ProjectId !== null,
      dialog: () => import('./RemoveProduct.tsx'),
    },
  },
})
const tasks = list(productTask, ['TaskName', 'Status', 'Done', 'Failed', 'SeriesId', 'StartTime', 'EndTime', 'UserId'], {
  states: taskStates,
  filters: ['Status'],
  link: page,
  buttons: { 'product.add': { icon: 'list', needs: 'm12007.add', dialog: () => import('./AddProducts.tsx') } },
  looks: async () => (await looks()).listLooks,
})
const taskPage = detail(productTask, {
  states: taskStates,
  facts: ['Total', 'Done', 'Failed', 'SeriesId', 'NameRule'],
  tabs: { 'product.rows': rows },
  looks: async () => (await looks()).pageLooks,
})

export const screens: Screens = { '/productSeries/productTaskList': orDetail(tasks, taskPage) }
