import type { Screens } from '../../app/screens.ts'

export const screens: Screens = {
  '/systemManagement/backup': () => import('./BackupScreen.tsx'),
}
