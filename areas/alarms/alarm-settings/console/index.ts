import type { Screens } from '../../../../console/shell/screens.ts'

export const screens: Screens = {
  '/alarmManagement/alarmSetting': () => import('./GatewaySettings.tsx'),
  '/alarmManagement/alarmUserSetting': () => import('./OwnSetting.tsx'),
  '/alarmManagement/reminderSetting': () => import('./Reminder.tsx'),
  '/alarmManagement/userSetting': () => import('./People.tsx'),
}
