// Account names and serial numbers are unique over all tenants, so `taken` says that somebody has one. Each person gets a few of these
// answers in an hour: nobody can count through the names of others.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Fault, FieldFaults } from './faults.ts'
import { word } from './words.ts'
import { asFault, languageOf } from './wrapper.ts'

const hourMs = 3_600_000
/** Fields of tenants whose values are unique in the installation. */
const shared = new Set(['UserNO', 'ManagerNO', 'SN'])
/** Answers of one person and call in an hour; counters that are remembered. */
const [most, remembered] = [30, 10_000]

const saysTaken = (error: unknown, request: FastifyRequest) => {
  if (error instanceof FieldFaults) return error.fields.some(({ field, rule }) => rule === 'taken' && shared.has(field))
  const taken = word(languageOf(request), 'fault.field.taken')
  return error instanceof Fault && error.details.Rows?.some(({ Field, Message }) => shared.has(Field) && Message === taken)
}

export const limitTaken = (app: FastifyInstance, clock: () => number) => {
  const counts = new Map<string, { count: number; until: number }>()
  const keyOf = ({ actor, method, routeOptions }: FastifyRequest) => `${actor?.UserId} ${method} ${routeOptions.url}`
  const countOf = (key: string) => {
    const previous = counts.get(key)
    return previous && previous.until > clock() ? previous : { count: 0, until: clock() + hourMs }
  }
  // Refused before the names are looked at: a call that goes through would say that a name is free.
  app.addHook('preHandler', async (request) => {
    if (request.actor && countOf(keyOf(request)).count >= most) throw new Fault('tooManyTaken')
  })
  app.addHook('onError', async (request, _reply, thrown) => {
    const error = asFault(thrown)
    if (!request.actor || !saysTaken(error, request)) return
    const key = keyOf(request)
    const { count, until } = countOf(key)
    counts.delete(key)
    if (counts.size >= remembered) counts.delete(counts.keys().next().value!)
    counts.set(key, { count: count + 1, until })
  })
}
