import type { Screens } from '../../../../console/shell/screens.ts'

export const screens: Screens = {
  '/energyManagement/powerForecast': () => import('./PowerForecast.tsx'),
  '/energyManagement/motorFailure': () => import('./MotorFailure.tsx'),
  '/energyManagement/bearingFailure': () => import('./BearingFailure.tsx'),
}
