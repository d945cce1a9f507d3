import type { Screens } from '../../app/screens.ts'

export const screens: Screens = {
  '/systemManagement/enterpriseManage': () => import('./EnterpriseList.tsx'),
  '/systemManagement/info/enterprise': () => import('./OwnEnterprise.tsx'),
}
