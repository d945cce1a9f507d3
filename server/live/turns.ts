import { Fault } from '../http/faults.ts'
import { type Rate, rate } from '../jobs/throttle.ts'
import type { Limits } from './limits.ts'

type Person = { bytes: Rate; ids: Rate; waiting: number; calls: Promise<void>; questions: Promise<unknown>; asking: number }

/** One rate and one queue for each person, over all connections: more sockets do not give a larger share. */
export const createTurns = (limits: Limits, clock: () => number) => {
  const people = new Map<number, Person>()
  let refused = 0
  const personOf = (UserId: number) => {
    const known = people.get(UserId)
    if (known) return known
    const person: Person = {
      bytes: rate(limits.bytesPerSecond, limits.byteBurst, clock),
      ids: rate(limits.idsPerSecond, limits.idBurst, clock),
      waiting: 0,
      calls: Promise.resolve(),
      questions: Promise.resolve(),
      asking: 0,
    }
    people.set(UserId, person)
    return person
  }

  return {
    get refused() {
      return refused
    },

    /** Whether a frame is within the person's share, so that it may be parsed. */
    mayParse(UserId: number, bytes: number, messages: number) {
      const { bytes: share } = personOf(UserId)
      share.take(bytes + messages * limits.messageCost)
      return share.left() >= 0
    },

    /**
     * Does the work when the earlier calls of the person are done and the rate allows it. Fault `tooMany` when too much waits already.
     * Work that is no longer wanted by then is skipped.
     */
    call(UserId: number, ids: number, isWanted: () => boolean, work: () => Promise<void>) {
      const person = personOf(UserId)
      const cost = limits.callCost + ids
      if (person.waiting + cost > limits.idsWaiting) {
        refused++
        throw new Fault('tooMany')
      }
      person.waiting += cost
      const turn = async () => {
        const ms = isWanted() ? person.ids.wait() : 0
        if (ms) await new Promise<void>((resolve) => setTimeout(resolve, ms).unref())
        if (isWanted()) {
          person.ids.take(cost)
          await work()
        }
      }
      person.calls = person.calls.then(turn).finally(() => {
        person.waiting -= cost
      })
      return person.calls
    },

    /** One question of a person to the database at a time. */
    ask<T>(UserId: number, question: () => Promise<T>): Promise<T> {
      const person = personOf(UserId)
      if (person.asking >= limits.questionsWaiting) return Promise.reject(new Fault('tooMany'))
      person.asking++
      const answer = person.questions.then(question).finally(() => person.asking--)
      person.questions = answer.catch(() => undefined)
      return answer
    },

    /** Forgets people whose share is whole again. */
    sweep() {
      for (const [UserId, { bytes, ids, waiting, asking }] of people)
        if (!waiting && !asking && bytes.left() >= limits.byteBurst && ids.left() >= limits.idBurst) people.delete(UserId)
    },
  }
}
export type Turns = ReturnType<typeof createTurns>
