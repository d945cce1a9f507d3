// A client that goes away does not end the work it has asked for: what a call holds is free when both are over.
import type { FastifyReply, FastifyRequest } from 'fastify'

type Life = { isWorking: boolean; isClosed: boolean; waiting: (() => void)[] }
const lives = new WeakMap<FastifyRequest, Life>()

const settle = (life: Life) => {
  if (life.isClosed && !life.isWorking) for (const done of life.waiting.splice(0)) done()
}
const lifeOf = (request: FastifyRequest, reply: FastifyReply) => {
  const known = lives.get(request)
  if (known) return known
  const life: Life = { isWorking: false, isClosed: false, waiting: [] }
  lives.set(request, life)
  reply.raw.once('close', () => {
    life.isClosed = true
    settle(life)
  })
  return life
}

/** Calls `done` when the reply is closed and its handler has ended. */
export const whenOver = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void lifeOf(request, reply).waiting.push(done)

/** Runs the handler of a call, unless the caller has gone. */
export const working = async <T>(request: FastifyRequest, reply: FastifyReply, work: () => Promise<T>): Promise<T | FastifyReply> => {
  const life = lifeOf(request, reply)
  if (life.isClosed) return reply
  life.isWorking = true
  try {
    return await work()
  } finally {
    life.isWorking = false
    settle(life)
  }
}
