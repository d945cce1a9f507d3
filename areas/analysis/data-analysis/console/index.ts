import type { Screens } from '../../../../console/shell/screens.ts'

export const screens: Screens = {
  '/dataAnalysis/realTimeData': () => import('./TrendScreen.tsx'),
  '/dataAnalysis/dataQuery': () => import('./DataQueryScreen.tsx'),
  '/dataAnalysis/computeDataQuery': () => import('./ComputeDataQueryScreen.tsx'),
  '/dataAnalysis/groupRealTimeData': () => import('./GroupRealTimeScreen.tsx'),
  '/dataAnalysis/deviceRecord': () => import('./DeviceRecordScreen.tsx'),
  '/dataAnalysis/comparativeStatistics': () => import('./ComparativeScreen.tsx'),
  '/dataAnalysis/deviceState': () => import('./DeviceStateScreen.tsx'),
  '/dataAnalysis/doorStatistics': () => import('./devices/DoorScreen.tsx'),
  '/dataAnalysis/temperatureHumidity': () => import('./devices/ClimateScreen.tsx'),
  '/dataAnalysis/deviceBattery': () => import('./devices/BatteryScreen.tsx'),
}
