import type { Screens } from '../../../../console/shell/screens.ts'

export const screens: Screens = {
  '/energyManagement/energyCircuit': () => import('./Circuits.tsx'),
}
