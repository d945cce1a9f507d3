import type { Screens } from '../../../../console/shell/screens.ts'

export const screens: Screens = {
  '/dataAnalysis/realTimeData': () => import('./TrendScreen.tsx'),
  '/dataAnalysis/dataQuery': () => import('./DataQueryScreen.tsx'),
  '/dataAnalysis/computeDataQuery': () => import('./ComputeDataQueryScreen.tsx'),
  '/dataAnalysis/groupRealTimeData': () => import('./GroupRealTimeScreen.tsx'),
  '/dataAnalysis/deviceRecord': () => import('./DeviceRecordScreen.tsx'),
  '/dataAnalysis/comparativeStatistics': () => import('./ComparativeScreen.tsx'),
  '/dataAnalysis/deviceState': () => import('./DeviceStateScreen.tsx'),
  '/dataAnalysis/singleDevice': () => import('./devices/SingleDeviceScreen.tsx'),
  '/dataAnalysis/linkAnalysis': () => import('./links/LinkScreen.tsx'),
  '/dataAnalysis/statisticalCharts': () => import('./charts/StatisticalScreen.tsx'),
  '/dataAnalysis/charts': () => import('./charts/ChartsScreen.tsx'),
  '/dataAnalysis/alarmStatistics': () => import('./AlarmStatisticsScreen.tsx'),
  '/dataAnalysis/overview': () => import('./status/OverviewScreen.tsx'),
  '/dataAnalysis/dataStatus': () => import('./status/DataStatusScreen.tsx'),
  '/dataAnalysis/doorStatistics': () => import('./devices/DoorScreen.tsx'),
  '/dataAnalysis/temperatureHumidity': () => import('./devices/ClimateScreen.tsx'),
  '/dataAnalysis/deviceBattery': () => import('./devices/BatteryScreen.tsx'),
}
