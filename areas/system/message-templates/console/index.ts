import type { Screens } from '../../../../console/shell/screens.ts'

export const screens: Screens = { '/systemManagement/messageTemplate': () => import('./MessageTemplates.tsx') }
