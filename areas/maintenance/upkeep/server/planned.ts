// Adapts upkeep orders and patrol rounds to calls that accept any order type. All order types share one Id sequence.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { table } from '../../../../server/resource/sql.ts'
import { type Live, provenResults, readingsOf } from '../../job-sheets/server/service.ts'
import { myOrders } from '../../orders/contract.ts'
import { type Given, lastOf, type Planned, timelineOf } from '../../orders/server/service.ts'
import type { StepName } from '../../orders/steps.ts'
import type { Kind } from './kind.ts'
import { answerOver, comment, finish, from, handOver, isWorker, type Order, orderNow } from './work.ts'

const kindOf = async (kinds: readonly Kind[], db: Db, id: number) => {
  for (const kind of kinds) if ((await db.rows(sql`select 1 from ${table(kind.order)} where "Id" = ${id}`)).length) return kind
}
/** Steps that the actor may take through these calls, the most likely one first. */
const stepsOf = async (kind: Kind, db: Db, actor: Actor, order: Order): Promise<StepName[]> => {
  if (!actor.may.has(`${myOrders}.work`)) return []
  const [works, receives] = [await isWorker(kind, db, actor, order), order.HandOverUserId === actor.UserId]
  const is: Partial<Record<StepName, boolean>> = {
    takeOver: receives && from.takeOver.includes(order.Status),
    finish: works && from.finish.includes(order.Status),
    declineOver: receives && from.declineOver.includes(order.Status),
    handOver: works && !order.HandOverUserId && from.handOver.includes(order.Status),
    comment: true,
  }
  return (Object.keys(is) as StepName[]).filter((step) => is[step])
}

/** Completion fields that exist on repair orders only. */
const ofRepairs = ['CauseType', 'Solution', 'StopHours', 'LaborHours'] as const

type Needs = { clock: () => number; telemetry?: Live }
export const plannedOrders = (kinds: readonly Kind[], { clock, telemetry }: Needs): Planned => {
  const take = async (kind: Kind, db: Db, actor: Actor, step: StepName, OrderId: number, given: Given) => {
    const { UserId, Desc, ClientKey, Files, Results = [] } = given
    const sent = { OrderId, ...(ClientKey && { ClientKey }) }
    const described = { ...sent, ...(Desc && { Desc }) }
    switch (step) {
      case 'handOver':
        if (!UserId) throw new FieldFaults([{ field: 'UserId', rule: 'required' }])
        return handOver(kind, db, actor, { ...described, UserId })
      case 'takeOver':
      case 'declineOver':
        return answerOver(kind, db, actor, sent, step === 'takeOver')
      case 'finish': {
        const foreign = ofRepairs.filter((field) => (given[field] ?? null) !== null)
        if (foreign.length) throw new FieldFaults(foreign.map((field) => ({ field, rule: 'ofRepairs' })))
        const proven = await provenResults(db, telemetry, kind.order, OrderId, Results)
        return finish(kind, db, actor, { ...described, Results: proven, ...(Files && { Files }) }, clock())
      }
      case 'comment':
        return comment(kind, db, actor, OrderId, given)
    }
  }
  return {
    async step(db, actor, step, id, given) {
      const kind = await kindOf(kinds, db, id)
      const order = kind && (await take(kind, db, actor, step, id, given))
      if (!order) return
      return { Id: id, OrderNo: order.OrderNo, Status: order.Status, Steps: await stepsOf(kind, db, actor, order) }
    },
    async history(db, actor, id) {
      const kind = await kindOf(kinds, db, id)
      const order = kind && (await orderNow(kind, db, actor, id))
      if (!order) return
      const [Last] = await db.all([lastOf(actor, order)])
      return { Steps: await stepsOf(kind, db, actor, order), History: await timelineOf(db, actor, id), Last, Alarms: [] }
    },
    async readings(db, actor, id) {
      const kind = await kindOf(kinds, db, id)
      const order = kind && (await orderNow(kind, db, actor, id))
      return order && readingsOf(db, telemetry, order)
    },
  }
}
