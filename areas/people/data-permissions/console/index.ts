import { list } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { dataPermission } from '../contract.ts'

export const screens: Screens = {
  '/systemManagement/data': list(dataPermission, ['Name', 'ModuleCode', 'DataScope', 'Remark'], {
    form: () => import('./PermissionForm.tsx'),
  }),
}
