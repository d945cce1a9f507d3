import type { Screens } from '../../app/screens.ts'

export const screens: Screens = {
  '/systemManagement/layout/NoticeList': () => import('./NoticeList.tsx'),
  '/systemManagement/notice': () => import('./Announcements.tsx'),
}
