import { list } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { mtnPunchRecord, proRfidHistory, proRfidInfo } from '../contract.ts'
import { mtnShiftDuty } from '../duties.ts'

const reads = list(
  proRfidHistory,
  ['ReadTime', 'CardNo', 'RfidId', 'Result', 'ReaderType', 'GatewayId', 'Reader', 'UserId', 'UploadTime'],
  {
    filters: ['ReadTime', 'Result', 'GatewayId'],
    states: { Result: { 1: 'warning', 2: 'warning', 3: 'warning', 4: 'warning', 5: 'warning', 6: 'notice' } },
    readOnly: true,
  },
)

export const screens: Screens = {
  '/maintenanceCenter/cardManagement': list(
    proRfidInfo,
    ['CardName', 'CardNo', 'CardType', 'Status', 'PositionName', 'EquipmentId', 'UserId', 'ProjectId'],
    {
      filters: ['CardType', 'Status', 'ProjectId', 'EquipmentId'],
      states: { Status: { 0: 'offline', 2: 'warning', 3: 'warning' } },
      actions: {
        'card.history': { icon: 'history', needs: 'm10612', panel: reads, prefix: 'h' },
        'card.label': { icon: 'label', dialog: () => import('./CardLabel.tsx') },
      },
      buttons: { 'card.labels': { icon: 'label', needs: 'm10612', dialog: () => import('./CardLabels.tsx') } },
      see: ['m10611'],
    },
  ),
  '/maintenanceCenter/punchRecord': list(
    mtnPunchRecord,
    ['UserId', 'Day', 'ShiftName', 'PunchType', 'PunchTime', 'PlanTime', 'Status', 'Way', 'RfidId', 'DistanceM', 'ApproverId', 'Remark'],
    {
      filters: ['UserId', 'PunchTime', 'PunchType', 'Status'],
      states: { Status: { 1: 'warning', 2: 'warning', 3: 'warning', 4: 'alarm', 5: 'notice' } },
      readOnly: true,
      see: ['m10612', 'm10621'],
    },
  ),
  '/maintenanceCenter/shiftDuties': list(
    mtnShiftDuty,
    ['ShiftName', 'ProjectId', 'UserId', 'TeamId', 'DepartmentId', 'GraceMin', 'RadiusM'],
    { filters: ['ProjectId', 'UserId'], looks: () => import('./dutyLooks.tsx'), see: ['m10611'] },
  ),
}
