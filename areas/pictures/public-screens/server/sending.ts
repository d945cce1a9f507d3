import { setTimeout } from 'node:timers/promises'
import { boundedQueue } from '../../../../server/jobs/boundedQueue.ts'
import { ownTurn } from '../../../../server/jobs/ownTurn.ts'

/** Who does not read an answer makes room for the next one after so long. */
const sendMs = 5000

/**
 * Answers of megabytes, which anybody may ask for: a company has two on their way, of which a link or display has one, so that viewers
 * who do not read hold up no display. `left` resolves when an answer is sent.
 */
export const openSending = () => {
  const limits = { backlog: 400, maxWaitMs: 20_000, refusal: 'tooMany' } as const
  const ofSource = boundedQueue({ ...limits, concurrency: 400, perKey: 1 })
  const ofTenant = boundedQueue({ ...limits, concurrency: 8, perKey: 2 })
  return <T>({ tenant, key }: { tenant: number; key: string }, left: Promise<unknown>, read: () => Promise<T>) =>
    new Promise<T>((answer, fail) => {
      const send = async () => {
        const data = await read()
        // Those who waited for the same are answered one after the other.
        await ownTurn()
        answer(data)
        await Promise.race([left, setTimeout(sendMs, undefined, { ref: false })])
      }
      ofSource(() => ofTenant(send, { key: tenant }), { key }).catch(fail)
    })
}
