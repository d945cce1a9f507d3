// Calls that were refused for want of a right stand in the log: who, which call, from where. Once an hour for each call of a person,
// and at most so many a minute of a tenant, so that nobody fills it on purpose.
import type { FastifyInstance } from 'fastify'
import type { Database } from '../../database/db.ts'
import { Fault } from '../../http/faults.ts'
import { note } from './service.ts'

const hourMs = 3_600_000
const minuteMs = 60_000
/** Calls that are remembered; entries of a tenant in a minute. */
const [remembered, most] = [10_000, 60]

export const noteRefusals = (app: FastifyInstance, database: Database, clock: () => number) => {
  const known = new Map<string, number>()
  const counts = new Map<number, { minute: number; entries: number }>()
  const isNew = (key: string, EnterpriseId: number) => {
    const [hour, minute] = [Math.floor(clock() / hourMs), Math.floor(clock() / minuteMs)]
    const held = counts.get(EnterpriseId)
    const entries = held?.minute === minute ? held.entries : 0
    if (known.get(key) === hour || entries >= most) return false
    if (known.size >= remembered) known.clear()
    if (counts.size >= remembered) counts.clear()
    known.set(key, hour)
    counts.set(EnterpriseId, { minute, entries: entries + 1 })
    return true
  }
  app.addHook('onError', async (request, _reply, error) => {
    const { actor } = request
    if (!actor || !(error instanceof Fault) || error.key !== 'forbidden') return
    const { EnterpriseId, UserId } = actor
    const Title = `${request.method} ${request.routeOptions.url ?? ''}`
    if (!isNew(`${UserId} ${Title}`, EnterpriseId)) return
    const deed = { EnterpriseId, UserId, Resource: 'call', RecordId: 0, Verb: 'refused', Ip: request.ip, RequestId: request.id }
    await note(database.system, deed, { Title, Permission: String(error.values?.permission ?? '') }).catch((err) =>
      request.log.warn({ err }, 'a refusal was not noted'),
    )
  })
}
