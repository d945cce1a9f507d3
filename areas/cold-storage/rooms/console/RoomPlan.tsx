import { type Shown, useCall } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { Waiting } from '../../../../console/shell/Waiting.tsx'
import { roomCalls } from '../calls.ts'
import type { coldStorage } from '../contract.ts'
import { PlanOverTime } from './PlanOverTime.tsx'

/** The last day of a room on its plan. */
const RoomPlan = ({ row }: { row: Shown<typeof coldStorage> }) => {
  const { data, error, refetch } = useCall(roomCalls.plan, { query: { Id: row.Id }, of: ['coldSensorBind', 'coldCalibration'] })
  if (error) return <Failure fault={error} retry={() => refetch()} />
  return data ? <PlanOverTime of={data} /> : <Waiting />
}
export default RoomPlan
