import { type Static, Type } from 'typebox'
import { ClientKey, call } from '../../../contract/call.ts'
import { Attachments, Id } from '../../../contract/resource.ts'
import { myOrders, StepBody } from '../orders/contract.ts'
import { Result, most as upkeepMost } from '../upkeep/contract.ts'

/** Steps that a phone queues: of repair orders, `start` and `finish` of planned ones, `visit` of a point of a round. */
export const queuedSteps = [
  ...(['accept', 'arrive', 'refuse', 'suspend', 'resume', 'finish', 'comment', 'takeOver', 'declineOver'] as const),
  ...(['start', 'visit'] as const),
] as const
export type QueuedStep = (typeof queuedSteps)[number]

/** A phone's clock that is further off than this is noted with the step, s. */
export const clockNoted = 300

const { Desc, CauseType, Solution, StopHours, LaborHours, Reason } = StepBody.properties
/** Epoch ms of the phone's clock. */
const DeviceTime = Type.Integer({ minimum: 0, maximum: 8.64e15 })

export const LateStep = Type.Object({
  OrderId: Id,
  Step: Type.Unsafe<QueuedStep>({ enum: [...queuedSteps] }),
  ClientKey,
  /** Form of the queue; the server takes the last two. */
  Version: Type.Optional(Type.Literal(1)),
  /** When the step was taken, and when it is sent. The difference to the server's clock corrects the first. */
  TakenAt: DeviceTime,
  SentAt: DeviceTime,
  ...{ Desc, CauseType, Solution, StopHours, LaborHours, Reason },
  Files: Type.Optional(Attachments(10)),
  Results: Type.Optional(Type.Array(Result, { maxItems: upkeepMost.items })),
  CardNo: Type.Optional(Type.String({ minLength: 1, maxLength: 30 })),
  Way: Type.Optional(Type.Unsafe<2 | 5>({ type: 'integer', enum: [2, 5] })),
  /** Where the phone was at a visit. */
  Longitude: Type.Optional(Type.Number({ minimum: -180, maximum: 180 })),
  Latitude: Type.Optional(Type.Number({ minimum: -90, maximum: 90 })),
})
export type LateStep = Static<typeof LateStep>

export const offlineCalls = {
  /**
   * A step that a phone queued. It is judged as of its arrival and counts as of its time. One that is not legal any more becomes a
   * comment if the history shows that the person held the order at that time; else it is refused as the step's own call refuses it.
   */
  lateStep: call({
    method: 'POST',
    path: '/Maintenance/MtnMyOrder/LateStep',
    permission: `${myOrders}.work`,
    body: LateStep,
    answer: Type.Object({ Applied: Type.Union([Type.Literal(0), Type.Literal(1)]), Status: Type.Integer() }),
  }),
}
