import type { Screens } from '../../app/screens.ts'

export const screens: Screens = { '/systemManagement/messageTemplate': () => import('./MessageTemplates.tsx') }
