import { detail, list, orDetail } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { coldCircuits } from '../../energy/console/index.ts'
import { coldSensorBind, coldStorage } from '../contract.ts'

const sensors = list(
  coldSensorBind,
  ['SensorName', 'SensorType', 'Position', 'ProductSN', 'ParaId', 'CalibOffset', 'CalibDue', 'BindTime', 'UnbindTime'],
  {
    looks: () => import('./sensorLooks.tsx'),
    actions: {
      'cold.calibrations': { icon: 'history', dialog: () => import('./Calibrations.tsx') },
      'cold.unbind': {
        needs: 'm10731.bind',
        danger: true,
        when: ({ UnbindTime }) => UnbindTime === null,
        dialog: () => import('./Unbind.tsx'),
      },
    },
  },
)

export const screens: Screens = {
  '/powerManagement/coldRooms': orDetail(
    () => import('./Rooms.tsx'),
    detail(coldStorage, {
      states: { InitStatus: { 0: 'notice', 1: 'notice', 3: 'warning' } },
      looks: () => import('./roomLooks.tsx'),
      sections: {
        'section.coldBand': ['TempLow', 'TempHigh', 'TempSet', 'HumLow', 'HumHigh', 'TempRuleId', 'HumRuleId'],
        'section.coldBuild': [
          ...(['StorageType', 'StorageNo', 'ProjectId', 'SN', 'GatewayId', 'ParentId', 'Area', 'Volume', 'Layers', 'DoorCount'] as const),
          ...(['Refrigerant', 'RatedPowerKW', 'GoodsType', 'PriceStandardId', 'Address', 'InitTime', 'Remark'] as const),
        ],
      },
      tabs: {
        'cold.sensors': sensors,
        'cold.plan': () => import('./RoomPlan.tsx'),
        'cold.energy': () => import('../../energy/console/RoomEnergy.tsx'),
        'cold.circuits': coldCircuits,
      },
    }),
  ),
  '/powerManagement/combination': () => import('./Combination.tsx'),
}
