import { list } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { post } from '../contract.ts'

export const screens: Screens = {
  '/systemManagement/position': list(post, ['PostName', 'PostNo', 'BelongOrganId', 'Status', 'Sort', 'Remark'], { undo: true }),
}
