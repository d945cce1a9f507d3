import type { Screens } from '../../app/screens.ts'

export const screens: Screens = { '/alarmManagement/alarmInfo': () => import('./AlarmScreen.tsx') }
