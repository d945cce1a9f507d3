// Parts taken on a phone are sent, or queued while the server is unreachable.
import { sendOrQueue } from '../../../../console/offline/queue.ts'
import { invoke } from '../../../../console/session/request.ts'
import { offlineCalls, type QueuedStep } from '../../offline/contract.ts'
import { workCalls } from '../../orders/work.ts'

type Part = { ComponentId: number; ComponentName: string; PlaceId: number; Qty: number }
/** Takes a part for an order, or queues it. */
export const takePartOrQueue = (order: { Id: number; Title: string }, { ComponentName, ...body }: Part, key: string) => {
  const title = `${ComponentName}, ${order.Title}`
  const late = { OrderId: order.Id, Step: 'part' satisfies QueuedStep }
  return sendOrQueue({ key, path: offlineCalls.lateStep.path, title, step: 'order.step.part', body, late }, (sent) =>
    invoke(workCalls.take, { body: { OrderId: order.Id, ...body, ...sent } }),
  )
}
