import { detail, list } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { enterprise, version } from '../contract.ts'

const page = ({ Id }: { Id: number }) => `/systemManagement/tenant/manage?Id=${Id}`

/** Tenants of the platform. */
export const tenants = list(
  enterprise,
  ['Name', 'EnterpriseNo', 'VersionId', 'Contact', 'TimeZoneKey', 'Status', 'GrantTo', 'MaxGateways', 'MaxUsers'],
  {
    filters: ['Status'],
    link: page,
    anyTenant: true,
    create: () => import('./NewEnterprise.tsx'),
    actions: {
      'section.grant': { icon: 'rights', to: page },
      'menu.m10402': { icon: 'people', to: ({ Id }) => `/systemManagement/user?EnterpriseId=${Id}` },
    },
  },
)

/** Versions that can be sold to tenants. */
export const versions = list(version, ['Name', 'MaxGateways', 'MaxUsers', 'MaxPoints', 'Price', 'Remark'], {
  anyTenant: true,
  form: () => import('./VersionForm.tsx'),
})

export const screens: Screens = {
  '/systemManagement/enterpriseManage': () => import('./EnterpriseList.tsx'),
  '/systemManagement/tenant/manage': detail(enterprise, {
    facts: [
      ...(['EnterpriseNo', 'SysName', 'Contact', 'Phone', 'Address', 'TimeZoneKey', 'Status', 'RetentionDays', 'RetentionMonths'] as const),
      'DirectoryName',
    ],
    tabs: { 'section.grant': () => import('./GrantPart.tsx'), 'tenant.managers': () => import('./ManagerPart.tsx') },
  }),
  '/systemManagement/info/enterprise': () => import('./OwnEnterprise.tsx'),
  '/systemManagement/info/platform': () => import('./Platform.tsx'),
}
