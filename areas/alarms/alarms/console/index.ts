import { list } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { alarmCode, alarmPlan } from '../../alarm-plans/contract.ts'

/** The page of alarms of one type, for another area's screen. */
export const alarmsOfType = (title: string, type: number) => async () => {
  const { AlarmsPage } = await import('./AlarmScreen.tsx')
  return { default: () => AlarmsPage({ title, type }) }
}

export const screens: Screens = {
  '/alarmManagement/alarmInfo': () => import('./AlarmScreen.tsx'),
  '/alarmManagement/alarmInfoMax': () => import('./AlarmScreen.tsx'),
  '/alarmManagement/gatewayalarmInfo': () => import('./GatewayAlarms.tsx'),
  '/alarmManagement/alramAnalyse': () => import('./AnalysisScreen.tsx'),
  '/alarmManagement/faultList': list(alarmCode, ['Code', 'Name', 'ModelId', 'Level', 'Reason', 'AlmPlanId'], {
    filters: ['Level', 'ModelId'],
  }),
  '/alarmManagement/webhook': () => import('./WebhookList.tsx'),
  '/alarmManagement/planList': list(alarmPlan, ['PlanName', 'Content', 'Files']),
}
