import { list, orDetail } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { visualBoard } from '../contract.ts'

const path = '/visualizationCenter/visualizationCenter'

const boards = list(visualBoard, ['Title', 'ProjectId', 'IsDefault'], {
  filters: ['ProjectId'],
  link: ({ Id }) => `${path}?Id=${Id}`,
  form: () => import('./EditRow.tsx'),
})

export const screens: Screens = { [path]: orDetail(boards, () => import('./BoardPage.tsx')) }
