import type { Screens } from '../../../../console/shell/screens.ts'

export const screens: Screens = {
  '/alarmManagement/alarmInfo': () => import('./AlarmScreen.tsx'),
  '/alarmManagement/alarmInfoMax': () => import('./AlarmScreen.tsx'),
  '/alarmManagement/gatewayalarmInfo': () => import('./GatewayAlarms.tsx'),
  '/alarmManagement/alramAnalyse': () => import('./AnalysisScreen.tsx'),
  '/alarmManagement/faultList': () => import('./CodeList.tsx'),
  '/alarmManagement/webhook': () => import('./WebhookList.tsx'),
  '/alarmManagement/planList': () => import('./PlanList.tsx'),
}
