// Logs refusals and role previews: who, what, from where. Once an hour per call and person, and at most a fixed number per minute and
// person. Further refusals are counted and logged with the minute, so that a flood hides nothing.
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Database } from '../../../../server/database/db.ts'
import { Fault } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { type Deed, note, noteDeed } from '../../../../server/identity/note.ts'
import type { Sessions } from '../../../../server/identity/sessions.ts'

const hourMs = 3_600_000
const minuteMs = 60_000
/** Maximum remembered calls and people; entries per person and minute. */
const [remembered, most] = [10_000, 60]
/** Refusals that are logged: missing permissions, and records that do not exist for the person, such as those of another tenant. */
const refusals = ['forbidden', 'moreRights', 'previewOnly', 'notFound']

/** Returns whether a key is new within the hour. */
const oncePerHour = (clock: () => number) => {
  const known = new Map<string, number>()
  const isKnown = (key: string) => known.get(key) === Math.floor(clock() / hourMs)
  const remember = (key: string) => {
    if (known.size >= remembered) known.clear()
    known.set(key, Math.floor(clock() / hourMs))
  }
  return { isKnown, remember }
}

type Count = { minute: number; entries: number; more: number; deed: Deed }

export const noteRefusals = (app: FastifyInstance, database: Database, clock: () => number) => {
  const hour = oncePerHour(clock)
  const counts = new Map<number, Count>()
  const write = (deed: Deed, said: Record<string, unknown>) =>
    note(database.system, deed, said).catch((err) => app.log.warn({ err }, 'a refusal was not noted'))
  /** Logs the counts of past minutes, and forgets them. */
  const settle = async (over: (count: Count) => boolean) => {
    const ended = [...counts].filter(([, count]) => over(count))
    for (const [person] of ended) counts.delete(person)
    for (const [, { more, deed }] of ended) if (more) await write(deed, { More: more })
  }
  const isOver = ({ minute }: Count) => minute !== Math.floor(clock() / minuteMs)
  const timer = setInterval(() => void settle(isOver), minuteMs).unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    await settle(() => true)
  })
  app.addHook('onError', async (request, _reply, error) => {
    const { actor } = request
    if (!actor || !(error instanceof Fault) || !refusals.includes(error.key)) return
    const { EnterpriseId, UserId } = actor
    const Title = `${request.method} ${request.routeOptions.url ?? ''}`
    const key = `${UserId} ${error.key} ${Title}`
    if (hour.isKnown(key)) return
    const held = counts.get(UserId)
    if ((held && isOver(held)) || counts.size >= remembered) await settle(held && isOver(held) ? (count) => count === held : () => true)
    const deed = { EnterpriseId, UserId, Resource: 'call', RecordId: 0, Verb: 'refused', Ip: request.ip, RequestId: request.id }
    const count = counts.get(UserId) ?? { minute: Math.floor(clock() / minuteMs), entries: 0, more: 0, deed }
    counts.set(UserId, count)
    if (count.entries >= most) {
      count.more++
      return
    }
    count.entries++
    hour.remember(key)
    await write(deed, { Title, Reason: error.key, ...(error.values.permission ? { Permission: String(error.values.permission) } : {}) })
  })
}

/** Logs previews as a role, once an hour per role. */
export const notePreviews = (app: FastifyInstance, sessions: Pick<Sessions, 'onPreview'>, database: Database, clock: () => number) => {
  const hour = oncePerHour(clock)
  const stop = sessions.onPreview((actor: Actor, role: number) => {
    const key = `${actor.UserId} ${role}`
    if (hour.isKnown(key)) return
    hour.remember(key)
    const db = database.system
    const write = async () => {
      const [row] = await db.rows<{ RoleName: string }>(sql`select "RoleName" from role where "Id" = ${role}`)
      await noteDeed(db, actor, { Resource: 'role', RecordId: role, Verb: 'preview' }, { RoleName: row?.RoleName ?? '' })
    }
    write().catch((err) => app.log.warn({ err }, 'a look as a role was not noted'))
  })
  app.addHook('onClose', async () => stop())
}
