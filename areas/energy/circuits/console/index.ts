import { tree } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { energyInfo } from '../contract.ts'

export const screens: Screens = {
  '/energyManagement/energyCircuit': tree(energyInfo),
}
