import { list } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { commonPara } from '../contract.ts'

const dialog = () => import('./AddToDevices.tsx')

export const screens: Screens = {
  '/projectManagement/generalParam': list(
    commonPara,
    ['ParaName', 'GroupName', 'StandardParaId', 'RegisterType', 'Address', 'ParaDataType', 'ParaUnitName', 'AlarmLow', 'AlarmHigh'],
    {
      filters: ['GroupName', 'RegisterType'],
      see: ['m10120', 'm10103'],
      buttons: { 'commonPara.addToDevices': { icon: 'use', needs: 'm10104.add', dialog } },
      actions: { 'commonPara.addToDevices': { icon: 'use', needs: 'm10104.add', dialog } },
    },
  ),
}
