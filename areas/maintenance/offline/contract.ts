import { type Static, Type } from 'typebox'
import { ClientKey, call } from '../../../contract/call.ts'
import { Attachments, Id } from '../../../contract/resource.ts'
import { myOrders, StepBody } from '../orders/contract.ts'
import { TakenPart } from '../orders/work.ts'

/** Steps that a phone can queue: those of repair orders and `part`, `start` and `finish` of planned orders, `visit` of a patrol point. */
export const queuedSteps = [
  ...(['accept', 'arrive', 'refuse', 'suspend', 'resume', 'finish', 'comment', 'takeOver', 'declineOver'] as const),
  ...(['part', 'start', 'visit'] as const),
] as const
export type QueuedStep = (typeof queuedSteps)[number]

/** Supported versions of the queue's format: the console's and the previous one. A phone may send before it loads the new console. */
export const queueVersions = [1, 2] as const

/** Clock offset from which a step records it, s. */
export const clockNoted = 300

const { Desc, CauseType, Solution, StopHours, LaborHours, Reason, Results } = StepBody.properties
/** Epoch ms of the phone's clock. */
const DeviceTime = Type.Integer({ minimum: 0, maximum: 8.64e15 })

export const LateStep = Type.Object({
  OrderId: Id,
  Step: Type.Unsafe<QueuedStep>({ enum: [...queuedSteps] }),
  ClientKey,
  Version: Type.Optional(Type.Unsafe<(typeof queueVersions)[number]>({ type: 'integer', enum: [...queueVersions] })),
  /** When the step was taken and when it is sent, by the phone's clock. The server corrects the first by the offset of the second. */
  TakenAt: DeviceTime,
  SentAt: DeviceTime,
  ...{ Desc, CauseType, Solution, StopHours, LaborHours, Reason, Results },
  Files: Type.Optional(Attachments(10)),
  CardNo: Type.Optional(Type.String({ minLength: 1, maxLength: 30 })),
  Way: Type.Optional(Type.Unsafe<2 | 5>({ type: 'integer', enum: [2, 5] })),
  ...Type.Partial(TakenPart).properties,
  /** Position of the phone at a visit. */
  Longitude: Type.Optional(Type.Number({ minimum: -180, maximum: 180 })),
  Latitude: Type.Optional(Type.Number({ minimum: -90, maximum: 90 })),
})
export type LateStep = Static<typeof LateStep>

export const offlineCalls = {
  /**
   * A step that a phone queued. The server checks it on arrival and applies it with its own time. A step that is no longer legal becomes a
   * comment if the history shows that the person was the assignee at that time; otherwise it is refused. A part that exceeds the stock becomes
   * a comment and a stock difference, and store keepers are notified.
   */
  lateStep: call({
    method: 'POST',
    path: '/Maintenance/MtnMyOrder/LateStep',
    permission: `${myOrders}.work`,
    body: LateStep,
    answer: Type.Object({ Applied: Type.Union([Type.Literal(0), Type.Literal(1)]), Status: Type.Integer() }),
  }),
}
