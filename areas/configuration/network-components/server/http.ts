// Foreign senders over HTTP. Each gets answers in its own protocol, without our envelope.

import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Door, Doors } from './doors.ts'
import type { Hearing, Intake, Taken } from './intake.ts'
import { mostJsonBytes } from './languages/heard.ts'
import { type HeardLines, isPrecision, readLinesInSlices } from './languages/influx.ts'
import { readAttributes, readTelemetry } from './languages/thingsBoard.ts'
import { influx, json, thingsBoard } from './mqtt.ts'
import { Refused } from './refused.ts'
import type { Signatures } from './signatures.ts'
import type { LoginThrottle } from './throttle.ts'

/** Limits: bytes of a body, bytes of unpacked lines, and time that a sender waits for the store, ms. */
const [mostBytes, mostUnpacked, patienceMs] = [1024 * 1024, 8 * 1024 * 1024, 10_000]
/** Assumed unpacked bytes per packed byte, and pending messages per sender. */
const [packedCost, mostWaiting] = [20, 64]
const unpack = promisify(gunzip)

type Needs = { doors: Doors; intake: Intake; throttle: LoginThrottle; signatures: Signatures }
type Query = Record<string, string | undefined>
const queryOf = (request: FastifyRequest) => request.query as Query

/** The raw body, and how to unpack it. */
const bodyOf = (request: FastifyRequest, most: number) => {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (encoding === 'identity') return { cost: body.length, read: async () => body }
  if (encoding !== 'gzip') throw new Refused(415, 'only gzip is unpacked')
  const read = () =>
    unpack(body, { maxOutputLength: most }).catch((error: NodeJS.ErrnoException) => {
      throw new Refused(error.code === 'ERR_BUFFER_TOO_LARGE' ? 413 : 400, 'gzip')
    })
  return { cost: Math.min(packedCost * body.length, most), read }
}

/** Any of these schemes is accepted. The first version of the Influx API has name and password. */
const tokenOf = (request: FastifyRequest): string => {
  const [, scheme = '', given = ''] = /^(\S+) +(\S+)$/.exec(request.headers.authorization ?? '') ?? []
  if (/^(token|bearer)$/i.test(scheme)) return given
  if (/^basic$/i.test(scheme)) return Buffer.from(given, 'base64').toString().split(':').slice(1).join(':')
  return queryOf(request).p ?? ''
}

/** Waits for the store with a timeout; the sender retries. */
const inTime = <T>(work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Refused(503, 'the store does not answer', work)), patienceMs)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** Receives messages over HTTP. A sender that exceeds the processing rate gets 429. */
const openTake = (intake: Intake) => {
  const waiting = new Map<number, number>()
  return async (door: Door, cost: number, hear: Hearing): Promise<Taken> => {
    const others = waiting.get(door.Id) ?? 0
    if (others >= mostWaiting) throw new Refused(429, 'too many messages wait')
    waiting.set(door.Id, others + 1)
    let isLate = false
    const taken = intake
      .take(door, cost, async () => (isLate ? undefined : hear()))
      .finally(() => {
        const rest = waiting.get(door.Id)! - 1
        if (rest) waiting.set(door.Id, rest)
        else waiting.delete(door.Id)
      })
    return inTime(taken).finally(() => {
      isLate = true
    })
  }
}

/** Sends the error as `say` formats it. If the error is not the sender's fault, the sender may retry. */
const answered = async (reply: FastifyReply, work: () => Promise<unknown>, say: (text: string, status: number) => object) => {
  try {
    return await work()
  } catch (error) {
    const status = error instanceof Refused ? error.status : 503
    if (status === 503 || status === 429) reply.header('retry-after', '5')
    return reply.code(status).send(say(error instanceof Refused ? error.message : 'unavailable', status))
  }
}
const message = (text: string, status: number) => ({ status, message: text })
const done = (reply: FastifyReply, { fault, readings }: Taken) =>
  fault && !readings ? reply.code(400).send(message(fault, 400)) : reply.code(200).send()

type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown
type JsonNeeds = Pick<Needs, 'intake' | 'signatures'> & {
  doorOf(request: FastifyRequest, token: string, language: number): Promise<Door>
  take: ReturnType<typeof openTake>
}
/** Routes for messages that the sender's parser reads, authenticated by token or signature. */
const jsonRoutes = (post: (url: string, handler: Handler) => void, { doorOf, take, intake, signatures }: JsonNeeds) => {
  const takeJson = (request: FastifyRequest, door: Door, { topic = '', device = '' }: Query) => {
    const body = bodyOf(request, mostJsonBytes)
    const hear = async () => intake.hearByParser(door, await body.read(), topic.slice(0, 200), device.slice(0, 200))
    return take(door, body.cost, hear)
  }
  const byToken: Handler = async (request, reply) =>
    done(reply, await takeJson(request, await doorOf(request, tokenOf(request), json), queryOf(request)))
  const bySignature: Handler = async (request, reply) => {
    const { headers, ip, params } = request
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const { sn } = params as { sn: string }
    // The query is not part of the signature.
    return done(reply, await signatures.once({ sn, body, headers, ip }, (door) => takeJson(request, door, {})))
  }
  post('/api/uplink', (request, reply) => answered(reply, async () => byToken(request, reply), message))
  post('/api/uplink/:sn', (request, reply) => answered(reply, async () => bySignature(request, reply), message))
}

export const foreignRoutes = (root: FastifyInstance, { doors, intake, throttle, signatures }: Needs) => {
  const take = openTake(intake)
  const doorOf = async (request: FastifyRequest, token: string, language: number) => {
    const verdict = await throttle(token, request.ip)
    const door = verdict === 'right' ? doors.ofToken(token) : undefined
    if (verdict === 'tooMany') throw new Refused(429, 'too many wrong tokens')
    if (!door || door.Language !== language) throw new Refused(401, 'unauthorized access')
    return door
  }
  const routes = (app: FastifyInstance) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: mostBytes }, (_request, body, parsed) => parsed(null, body))
    const config = { permission: 'public' as const }
    // These routes follow foreign protocols, so they are not part of our API description.
    const schema = { hide: true }
    const post = (url: string, handler: Handler) => app.route({ method: 'POST', url, config, schema, bodyLimit: mostBytes, handler })

    for (const [what, read] of [
      ['telemetry', readTelemetry],
      ['attributes', readAttributes],
    ] as const)
      post(`/api/v1/:token/${what}`, (request, reply) =>
        answered(
          reply,
          async () => {
            const door = await doorOf(request, (request.params as { token: string }).token, thingsBoard)
            const body = bodyOf(request, mostJsonBytes)
            const hear = async () => {
              const payload = await body.read()
              return { payload, topic: what, heard: read(payload) }
            }
            return done(reply, await take(door, body.cost, hear))
          },
          message,
        ),
      )
    app.route({
      ...{ method: 'GET', url: '/api/v1/:token/attributes', config, schema },
      // Server attributes are not supported: the reply is empty.
      handler: (request, reply) =>
        answered(
          reply,
          async () => (await doorOf(request, (request.params as { token: string }).token, thingsBoard)) && reply.send({}),
          message,
        ),
    })
    jsonRoutes(post, { doorOf, take, intake, signatures })
    const write = (request: FastifyRequest, reply: FastifyReply) =>
      answered(
        reply,
        async () => {
          const { precision = 'ns' } = queryOf(request)
          if (!isPrecision(precision)) throw new Refused(400, 'precision')
          const door = await doorOf(request, tokenOf(request), influx)
          const body = bodyOf(request, mostUnpacked)
          let heard: HeardLines = { values: [], faults: [], wrong: 0 }
          await take(door, body.cost, async () => {
            const payload = await body.read()
            heard = await readLinesInSlices(payload.toString(), precision)
            return { payload, heard }
          })
          if (!heard.faults.length) return reply.code(204).send()
          const named = heard.faults.map(({ line, text }) => `line ${line}: ${text}`).join('; ')
          throw new Refused(400, `partial write: ${named}; ${heard.wrong} refused, the others are stored`)
        },
        (text, status) => ({ code: status === 400 ? 'invalid' : status === 401 ? 'unauthorized' : 'unavailable', message: text }),
      )
    post('/api/v2/write', write)
    post('/write', write)
  }
  void root.register(async (app) => routes(app))
}
