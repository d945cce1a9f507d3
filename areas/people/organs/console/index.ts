import type { Screens } from '../../../../console/shell/screens.ts'

export const screens: Screens = {
  '/systemManagement/organization': () => import('./OrganScreen.tsx'),
  '/systemManagement/department': () => import('./DepartmentScreen.tsx'),
}
