import type { Screens } from '../../../../console/shell/screens.ts'

export const screens: Screens = {
  '/systemManagement/enterpriseManage': () => import('./EnterpriseList.tsx'),
  '/systemManagement/tenant/manage': () => import('./TenantPage.tsx'),
  '/systemManagement/info/enterprise': () => import('./OwnEnterprise.tsx'),
  '/systemManagement/info/platform': () => import('./Platform.tsx'),
}
