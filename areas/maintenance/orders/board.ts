// The board of repair orders: open ones by state.
import { Type } from 'typebox'
import { call } from '../../../contract/call.ts'
import { Id, schemas } from '../../../contract/resource.ts'
import { mtnMaintenanceOrder, Step } from './contract.ts'
import { orderStatus } from './steps.ts'

/** States with a column, in the order of the columns. */
export const boardStatuses = [
  orderStatus.waiting,
  orderStatus.assigned,
  orderStatus.working,
  orderStatus.suspended,
  orderStatus.checking,
] as const
/** Maximum cards of a column, by due date. */
export const mostCards = 100

const { OrderNo, Title, Status, Urgency, ProjectId, GatewayId, DeviceId, EquipmentId, ...more } = mtnMaintenanceOrder.fields
const { PlanFinishTime, ReportUserId, AssignUserId, TeamId, DepartmentId, HandOverUserId, ArriveTime, IsClosed } = more
/** Card fields only: full checklists and reports of hundreds of orders would take megabytes. */
export const boardOrder = {
  ...mtnMaintenanceOrder,
  fields: {
    ...{ OrderNo, Title, Status, Urgency, ProjectId, GatewayId, DeviceId, EquipmentId },
    ...{ PlanFinishTime, ReportUserId, AssignUserId, TeamId, DepartmentId, HandOverUserId, ArriveTime, IsClosed },
  },
}
const { row } = schemas(boardOrder)

export const boardCalls = {
  board: call({
    method: 'GET',
    path: `${mtnMaintenanceOrder.path}/Board`,
    permission: mtnMaintenanceOrder.permission,
    query: Type.Object({ EnterpriseId: Type.Optional(Id), ProjectId: Type.Optional(Id) }),
    answer: Type.Object({
      Columns: Type.Array(
        Type.Object({
          Status: Type.Integer(),
          TotalCount: Type.Integer(),
          /** Cards with the steps that the caller may take. */
          Items: Type.Array(Type.Object({ ...(row as ReturnType<typeof Type.Object>).properties, Steps: Type.Array(Step) })),
        }),
      ),
    }),
  }),
}
