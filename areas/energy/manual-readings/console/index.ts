import { list } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { energyInfoData } from '../contract.ts'

export const screens: Screens = {
  '/energyManagement/energyAccount': list(energyInfoData, ['EnergyInfoId', 'DataTime', 'CycleType', 'Value', 'IsReading', 'Source'], {
    filters: ['EnergyInfoId', 'DataTime', 'CycleType'],
    see: ['m10702'],
  }),
}
