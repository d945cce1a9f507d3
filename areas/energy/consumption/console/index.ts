import type { Screens } from '../../../../console/shell/screens.ts'

export const screens: Screens = {
  '/energyManagement/energyOverView': () => import('./Overview.tsx'),
  '/energyManagement/energyReport': () => import('./Report.tsx'),
  '/energyLineManagement/energyOverView': () => import('./compare/Periods.tsx'),
  '/energyLineManagement/energyCompare': () => import('./compare/Circuits.tsx'),
  '/powerManagement/electricityConsumption': () => import('./levels/Consumption.tsx'),
  '/powerManagement/energySaving': () => import('./savings/Savings.tsx'),
  '/powerManagement/priceCorrelation': () => import('./levels/Prices.tsx'),
}
