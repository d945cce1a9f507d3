import { setImmediate } from 'node:timers/promises'
import { FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { boundedQueue } from '../../../../server/jobs/boundedQueue.ts'

/** Points that one call plans or reads, and points of a published model. */
export const [mostPlanned, mostModelPoints] = [100_000, 2000]
const rowsPerTurn = 1000

/** A plan of 100,000 points takes 200 MB and seconds of the processor, so one runs at a time. Tenants take turns. */
const queued = boundedQueue({ concurrency: 1, backlog: 16, refusal: 'busy' })
export const planInTurn = <T>(actor: Actor, plan: () => Promise<T>) => queued(plan, { key: actor.EnterpriseId })

/** @throws FieldFaults `tooManyPoints` at DeviceIds. */
export const assertPlannable = (count: number) => {
  if (count > mostPlanned) throw new FieldFaults([{ field: 'DeviceIds', rule: 'tooManyPoints', values: { max: mostPlanned } }])
}

/** Runs `each` for all items and lets other calls run after every thousand rows. */
export const inTurns = async <T, R>(items: readonly T[], rowsOf: (item: T) => number, each: (item: T) => R) => {
  const done: R[] = []
  let rows = 0
  for (const item of items) {
    done.push(each(item))
    rows += rowsOf(item)
    if (rows < rowsPerTurn) continue
    rows = 0
    await setImmediate()
  }
  return done
}
