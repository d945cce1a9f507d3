import type { Nats } from './natsConnection.ts'
import type { Owners } from './owners.ts'

/** Timeouts in ms: for an owner to appear, and for its answer. */
const [ownerMs, answerMs] = [4000, 3000]

/** Sends a request to the current owner. Rejects without an owner, without an answer, and if the owner answers with an error. */
export const askOwner = async <A extends object>(nats: Nats, owners: Owners, token: string, question: object) => {
  const { owner } = await owners.wait(ownerMs)
  const reply = await nats.request(nats.subject('owner', owner, token), JSON.stringify(question), answerMs)
  const answer = JSON.parse(reply) as A | { error: string }
  if ('error' in answer) throw new Error(answer.error)
  return answer as Exclude<A, { error: string }>
}
