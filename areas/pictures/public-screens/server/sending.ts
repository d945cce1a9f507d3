import { setTimeout } from 'node:timers/promises'
import { boundedQueue } from '../../../../server/jobs/boundedQueue.ts'
import { ownTurn } from '../../../../server/jobs/ownTurn.ts'

/** Who does not read an answer makes room for the next one after so long. */
const sendMs = 5000

/** Answers of megabytes, which anybody may ask for: a company has two on their way. `left` resolves when an answer is sent. */
export const openSending = () => {
  const queue = boundedQueue({ concurrency: 8, perKey: 2, backlog: 400, maxWaitMs: 20_000, refusal: 'tooMany' })
  return <T>(tenant: number, left: Promise<unknown>, read: () => Promise<T>) =>
    new Promise<T>((answer, fail) => {
      const send = async () => {
        const data = await read()
        // Those who waited for the same are answered one after the other.
        await ownTurn()
        answer(data)
        await Promise.race([left, setTimeout(sendMs, undefined, { ref: false })])
      }
      queue(send, { key: tenant }).catch(fail)
    })
}
