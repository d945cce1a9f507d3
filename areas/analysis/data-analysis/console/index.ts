import type { Screens } from '../../../../console/shell/screens.ts'

export const screens: Screens = {
  '/dataAnalysis/dataQuery': () => import('./DataQueryScreen.tsx'),
  '/dataAnalysis/groupRealTimeData': () => import('./GroupRealTimeScreen.tsx'),
  '/dataAnalysis/deviceRecord': () => import('./DeviceRecordScreen.tsx'),
  '/dataAnalysis/comparativeStatistics': () => import('./ComparativeScreen.tsx'),
  '/dataAnalysis/deviceState': () => import('./DeviceStateScreen.tsx'),
}
