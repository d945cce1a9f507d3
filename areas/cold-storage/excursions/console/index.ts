import { list } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { coldExcursion } from '../contract.ts'

export const excursions = list(
  coldExcursion,
  ['BeginTime', 'ColdStorageId', 'SensorBindId', 'Ended', 'Disposition', 'Side', 'PeakValue', 'Minutes', 'DegreeMinutes', 'Mkt'],
  {
    filters: ['ColdStorageId', 'SensorType', 'Disposition', 'Ended'],
    looks: () => import('./excursionLooks.tsx'),
    actions: { 'cold.beside': { icon: 'history', dialog: () => import('./Beside.tsx') } },
  },
)

export const screens: Screens = {
  '/alarmManagement/coldStorageAlarm': () => import('./ColdAlarms.tsx'),
}
