// Account names and serial numbers are unique over all tenants, so `taken` reveals that one exists. Each person gets a few of these
// answers an hour, so names of others cannot be enumerated.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Language } from '../../contract/languages.ts'
import { Fault, FieldFaults } from './faults.ts'
import { word } from './words.ts'
import { asFault, languageOf } from './wrapper.ts'

const hourMs = 3_600_000
/** Fields of tenants whose values are unique in the installation. */
const shared = new Set(['UserNO', 'ManagerNO', 'SN', 'SNs'])
/** Also within a list, such as `Items.3.SN`. */
const isShared = (field: string) => field.split('.').some((part) => shared.has(part))
/** Taken names in one answer that count as one. */
const atOnce = 5
/** Answers of one person and call in an hour; counters that are remembered. */
const [most, remembered] = [30, 10_000]

/** Number of taken names that an answer reveals. */
const saysTaken = (error: unknown, language: Language) => {
  if (error instanceof FieldFaults)
    return Math.ceil(error.fields.filter(({ field, rule }) => rule === 'taken' && isShared(field)).length / atOnce)
  const taken = word(language, 'fault.field.taken')
  const rows = (error instanceof Fault && error.details.Rows) || []
  return Math.ceil(rows.filter(({ Field, Message }) => isShared(Field) && Message === taken).length / atOnce)
}

/** Counts taken names that answers reveal, by person and call. */
export const countTaken = (clock: () => number) => {
  const counts = new Map<string, { count: number; until: number }>()
  const countOf = (key: string) => {
    const previous = counts.get(key)
    return previous && previous.until > clock() ? previous : { count: 0, until: clock() + hourMs }
  }
  return {
    /** Runs before the lookup: passing would reveal that a name is free. @throws Fault `tooManyTaken` */
    assertFew(key: string) {
      if (countOf(key).count >= most) throw new Fault('tooManyTaken')
    },
    add(key: string, error: unknown, language: Language) {
      const said = saysTaken(asFault(error as never), language)
      if (!said) return
      const { count, until } = countOf(key)
      counts.delete(key)
      if (counts.size >= remembered) counts.delete(counts.keys().next().value!)
      counts.set(key, { count: count + said, until })
    },
  }
}

export const limitTaken = (app: FastifyInstance, clock: () => number) => {
  const taken = countTaken(clock)
  const keyOf = ({ actor, method, routeOptions }: FastifyRequest) => `${actor?.UserId} ${method} ${routeOptions.url}`
  app.addHook('preHandler', async (request) => {
    if (request.actor) taken.assertFew(keyOf(request))
  })
  app.addHook('onError', async (request, _reply, thrown) => {
    if (request.actor) taken.add(keyOf(request), thrown, languageOf(request))
  })
}
