import type { ListProps } from '../../../../console/kernel/ResourceList.tsx'
import type { mtnMaintenanceOrder } from '../contract.ts'
import { Due } from './Due.tsx'
import { OrderItems } from './OrderItems.tsx'

const cells: ListProps<typeof mtnMaintenanceOrder>['cells'] = {
  DeviceId: ({ DeviceName, EquipmentName }) => <span>{String(DeviceName ?? EquipmentName ?? '—')}</span>,
  PlanFinishTime: (row) => <Due of={row} short />,
  AssignUserId: (row, t) => (
    <span className={row.AssignUserId || row.TeamId || row.DepartmentId ? '' : 'soft'}>
      {String(row.AssignUserName ?? row.TeamName ?? row.DepartmentName ?? t('order.nobody'))}
    </span>
  ),
}
export const formInputs = { Items: OrderItems }
export const listLooks = { cells, inputs: formInputs }
