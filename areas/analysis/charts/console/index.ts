import { list } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { savedChart } from '../contract.ts'

export const screens: Screens = {
  '/dataAnalysis/chartsSetting': list(savedChart, ['ChartName', 'GroupId', 'Kind', 'Unit', 'Span'], {
    filters: ['GroupId', 'Kind'],
    see: ['m10319', 'm10321', 'm10308'],
  }),
}
