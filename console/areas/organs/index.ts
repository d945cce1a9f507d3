import type { Screens } from '../../app/screens.ts'

export const screens: Screens = {
  '/systemManagement/organization': () => import('./OrganScreen.tsx'),
  '/systemManagement/department': () => import('./DepartmentScreen.tsx'),
}
