import type { Screens } from '../../../../console/shell/screens.ts'

export const screens: Screens = {
  '/alarmManagement/alarmRules': () => import('./RuleList.tsx'),
  '/alarmManagement/roster': () => import('./RosterList.tsx'),
  '/alarmManagement/rules': () => import('./RuleList.tsx'),
  '/alarmManagement/alarmTemplate': () => import('./RuleTemplates.tsx'),
}
