import { setTimeout } from 'node:timers/promises'
import { boundedQueue } from '../../../../server/jobs/boundedQueue.ts'
import { ownTurn } from '../../../../server/jobs/ownTurn.ts'

/** Time after which an unread answer frees its slot, ms. */
const sendMs = 5000

/**
 * Limits unauthenticated answers of several megabytes: two at a time per company and one per link or display, so that viewers
 * who do not read block no display. `left` resolves when an answer is sent.
 */
export const openSending = () => {
  const limits = { backlog: 400, maxWaitMs: 20_000, refusal: 'tooMany' } as const
  const ofSource = boundedQueue({ ...limits, concurrency: 400, perKey: 1 })
  const ofTenant = boundedQueue({ ...limits, concurrency: 8, perKey: 2 })
  return <T>({ tenant, key }: { tenant: number; key: string }, left: Promise<unknown>, read: () => Promise<T>) =>
    new Promise<T>((answer, fail) => {
      const send = async () => {
        const data = await read()
        // Callers that waited for the same answer are served one after the other.
        await ownTurn()
        answer(data)
        await Promise.race([left, setTimeout(sendMs, undefined, { ref: false })])
      }
      ofSource(() => ofTenant(send, { key: tenant }), { key }).catch(fail)
    })
}
