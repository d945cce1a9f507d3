import type { Screens } from '../../../../console/shell/screens.ts'

export const screens: Screens = {
  '/energyManagement/forecastingTools': () => import('./ForecastingTools.tsx'),
}
