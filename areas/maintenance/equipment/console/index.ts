import { tree } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { mtnEquipment } from '../contract.ts'

export const screens: Screens = {
  '/maintenanceCenter/machine': () => import('./Machine.tsx'),
  '/maintenanceCenter/equipment': tree(mtnEquipment, () => import('./Beside.tsx')),
}
