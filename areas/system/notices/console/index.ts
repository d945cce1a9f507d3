import type { Screens } from '../../../../console/shell/screens.ts'

export const screens: Screens = {
  '/systemManagement/layout/NoticeList': () => import('./NoticeList.tsx'),
  '/systemManagement/notice': () => import('./Announcements.tsx'),
}
