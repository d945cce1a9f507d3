import { settingsForm } from '../../../../console/kernel/plainScreens.ts'
import { lazyScreen } from '../../../../console/shell/lazyScreen.tsx'
import type { Screens } from '../../../../console/shell/screens.ts'
import { alarmReminder } from '../contract.ts'

export const screens: Screens = {
  '/alarmManagement/alarmSetting': () => import('./GatewaySettings.tsx'),
  '/alarmManagement/alarmUserSetting': () => import('./OwnSetting.tsx'),
  '/alarmManagement/reminderSetting': settingsForm(alarmReminder, {
    inputs: { Levels: lazyScreen(() => import('./LevelsInput.tsx'), null) },
    refine: ({ Enabled }) => ({ hidden: Enabled === 1 ? [] : ['Levels', 'Interval', 'Times'] }),
  }),
  '/alarmManagement/userSetting': () => import('./People.tsx'),
}
