// Who looks where people without an account look: the person who made the link, without any permission.
import { sql } from 'kysely'
import type { Database, Db } from '../../../../server/database/db.ts'
import { notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Sessions } from '../../../../server/identity/sessions.ts'
import { shownVersionOf } from '../../flowcharts/server/service.ts'
import { type Fixed, type Kind, seenBy } from '../../shares/contract.ts'

/** One thing that is shown, on whose behalf, and the permission to show it that he must still hold. */
export type Target = {
  EnterpriseId: number
  UserId: number | null
  Kind: Kind
  FlowchartId: number | null
  VisualBoardId: number | null
  ProjectId: number | null
  Parameters: Fixed | null
  right: string
}
export type Source = { key: string; find: () => Promise<Target | undefined> }
export type Looked = { target: Target; actor: Actor; db: Db; version: number }

/** How long an answer is believed: what is revoked, withdrawn or locked is gone within it. */
const believedMs = 1500
const mostKept = 2000
/** Of his permissions those that let states be counted. They pass no call: `shared` does not. */
const counting = ['m10102', 'm10103']

export const openLookers = (database: Database, sessions: Pick<Sessions, 'actorOf'>, now: () => number) => {
  const kept = new Map<string, { until: number; looked: Promise<Looked> }>()

  const actorFor = async ({ EnterpriseId, UserId, Kind, right }: Target, name: string): Promise<Actor> => {
    const who = UserId ? await sessions.actorOf(UserId, name) : undefined
    if (!who || 'ended' in who) throw notFound()
    const isStrange = !who.platform && who.EnterpriseId !== EnterpriseId
    if (isStrange || !who.may.has(right) || !who.may.has(seenBy[Kind])) throw notFound()
    const may = new Set(counting.filter((code) => who.may.has(code)))
    return { ...who, EnterpriseId, platform: false, may, shared: true }
  }
  const load = async ({ key, find }: Source): Promise<Looked> => {
    const target = await find()
    if (!target) throw notFound()
    const actor = await actorFor(target, key)
    const db = database.as(actor)
    const version = target.Kind === 1 ? await shownVersionOf(db, actor, target.FlowchartId ?? 0) : 0
    return { target, actor, db, version }
  }

  return {
    /** @throws Fault `notFound` once it has ended, whatever the reason */
    look(source: Source): Promise<Looked> {
      const known = kept.get(source.key)
      if (known && now() < known.until) return known.looked
      if (kept.size >= mostKept) kept.clear()
      const looked = load(source)
      kept.set(source.key, { until: now() + believedMs, looked })
      return looked
    },
    /** Name of the company, for the head of a shared screen. */
    async companyName(EnterpriseId: number): Promise<string> {
      const [row] = await database.system.rows<{ Name: string }>(sql`select "Name" from enterprise where "Id" = ${EnterpriseId}`)
      return row?.Name ?? ''
    },
  }
}
export type Lookers = ReturnType<typeof openLookers>
