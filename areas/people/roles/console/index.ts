import { list } from '../../../../console/kernel/plainScreens.ts'
import { previewRole } from '../../../../console/session/preview.ts'
import { invoke } from '../../../../console/session/request.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { role, roleCalls } from '../contract.ts'

export const screens: Screens = {
  '/systemManagement/role': list(role, ['RoleName', 'RouteRole', 'DataScope', 'Status', 'Sort', 'Remark'], {
    ofCompany: true,
    actions: {
      'role.rights': { icon: 'rights', dialog: () => import('./RoleDialog.tsx') },
      'role.preview': { icon: 'preview', run: ({ Id, RoleName }) => previewRole({ Id, RoleName }) },
      'role.copy': {
        icon: 'copy',
        needs: 'm10403.add',
        run: ({ Id, RoleName, EnterpriseId }, t) =>
          invoke(roleCalls.copy, {
            body: { RoleName: t('role.copyOf', { title: RoleName }).slice(0, 50), CopyOf: Id, EnterpriseId },
          }),
      },
    },
  }),
}
