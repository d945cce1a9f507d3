// Sends order steps from a phone, or queues them while the server is unreachable. Orders are shown with queued steps applied.
import type { Entry } from '../../../../console/offline/forms.ts'
import { sendOrQueue, stepsSince, withUploads } from '../../../../console/offline/queue.ts'
import { offlineCalls, type QueuedStep, queuedSteps } from '../../offline/contract.ts'
import { allowedSteps, type OrderNow, orderSteps, type StepName } from '../steps.ts'

const isQueued = (step: string): step is QueuedStep => (queuedSteps as readonly string[]).includes(step)

type Step = { order: { Id: number; Title: string }; step: StepName; key: string; body: object }
/** Sends a step or queues it. Returns undefined if it was queued. */
export const takeOrQueue = async <T>({ order, step, key, body }: Step, send: (body: object) => Promise<T>): Promise<T | undefined> => {
  if (!isQueued(step)) return send({ ...(await withUploads(body)), ClientKey: key })
  const late = { OrderId: order.Id, Step: step }
  return sendOrQueue({ key, path: offlineCalls.lateStep.path, title: order.Title, step: `order.step.${step}`, body, late }, send)
}

type Order = OrderNow & { Id: number; Steps: readonly StepName[] }
/** Applies this phone's later steps to an order as of a time. */
export const withWaiting = <O extends Order>(
  order: O,
  entries: readonly Entry[],
  { asOf, ...who }: { UserId: number; may: (code: string) => boolean; asOf: number },
): O => {
  const later = stepsSince(entries, order.Id, asOf)
  if (!later.length) return order
  const next = { ...order }
  for (const { body, takenAt } of later) {
    const step = body.Step as StepName
    if (!(step in orderSteps)) continue
    next.Status = (orderSteps[step] as { to?: number }).to ?? next.Status
    if (step === 'arrive') next.ArriveTime = String(takenAt)
    if (step === 'accept' || step === 'takeOver') next.AssignUserId = who.UserId
    if (step === 'takeOver' || step === 'declineOver') next.HandOverUserId = null
  }
  return { ...next, Steps: allowedSteps(next, { ...who, inTeam: true, hasWorked: true }).filter(isQueued) }
}
