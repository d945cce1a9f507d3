import { FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { boundedQueue } from '../../../../server/jobs/boundedQueue.ts'

/** Limits: points that one call plans or reads, and points of a published model. */
export const [mostPlanned, mostModelPoints] = [100_000, 2000]

/** A plan of 100,000 points takes 200 MB and seconds of processor time, so only one runs at a time. Tenants take turns. */
const queued = boundedQueue({ concurrency: 1, backlog: 16, refusal: 'busy' })
export const planInTurn = <T>(actor: Actor, plan: () => Promise<T>) => queued(plan, { key: actor.EnterpriseId })

/** @throws FieldFaults `tooManyPoints`. */
export const assertPlannable = (count: number, field = 'DeviceIds') => {
  if (count > mostPlanned) throw new FieldFaults([{ field, rule: 'tooManyPoints', values: { max: mostPlanned } }])
}
