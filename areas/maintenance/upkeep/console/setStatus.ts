import { invoke } from '../../../../console/session/request.ts'
import { upkeepCalls } from '../contract.ts'

export const setStatus = (Id: number, PlanStatus: 0 | 1 | 2) => invoke(upkeepCalls.planStatus, { body: { Id, PlanStatus } })
