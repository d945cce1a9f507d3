import { list } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { levels } from '../../../../console/theme/State.tsx'
import { almTemplate } from '../../alarm-settings/contract.ts'

export const screens: Screens = {
  '/alarmManagement/alarmRules': () => import('./RuleList.tsx'),
  '/alarmManagement/roster': () => import('./RosterList.tsx'),
  '/alarmManagement/rules': () => import('./RuleList.tsx'),
  '/alarmManagement/alarmTemplate': list(almTemplate, ['TemplateName', 'AlarmLevel', 'RuleConfigure', 'Remark'], {
    states: { AlarmLevel: levels },
    looks: () => import('./templateLooks.tsx'),
    actions: { 'ruleTemplate.use': { icon: 'use', needs: 'm10202.add', dialog: () => import('./UseTemplate.tsx') } },
    anyTenant: true,
  }),
}
