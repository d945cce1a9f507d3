// The actor for viewers without an account: the person who created the link or paired the display, without any permission.
import { sql } from 'kysely'
import type { Database, Db } from '../../../../server/database/db.ts'
import { notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Sessions } from '../../../../server/identity/sessions.ts'
import { shownVersionOf } from '../../flowcharts/server/service.ts'
import { type Fixed, type Kind, seenBy } from '../../shares/contract.ts'
import { television } from '../../televisions/contract.ts'

/** Shared content, the person who shared it, and the permission to show it that this person must still hold. */
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
/** A link, or an entry of a playlist. `find` returns undefined if it has ended. */
export type Source = { key: string; find: () => Promise<Target | undefined>; isDisplay?: boolean }
export type Looked = { target: Target; actor: Actor; db: Db; version: number; key: string }

/** Cache lifetime: revoked, withdrawn or locked content disappears within both. */
const sourceMs = 2000
const lookMs = 1000
/** Cache lifetime for displays, which poll each second. Any change of a display invalidates it. */
const displayMs = 20_000
const mostKept = 5000
/** The person's permissions that allow counts of states, and pictures and maps in dashboards. They permit no call: `shared` does not. */
const counting = ['m10102', 'm10103', seenBy[1], seenBy[3]]

/** Answers that concurrent callers share briefly. */
export const openKept = <T>(now: () => number, ms: number) => {
  const kept = new Map<string, { until: number; answer: Promise<T> }>()
  return (key: string, ask: () => Promise<T>, keptMs = ms): Promise<T> => {
    const known = kept.get(key)
    if (known && now() < known.until) return known.answer
    kept.delete(key)
    // Oldest first. A drawing takes megabytes.
    for (const [old, { until }] of kept) {
      if (now() < until) break
      kept.delete(old)
    }
    if (kept.size >= mostKept) kept.clear()
    const answer = ask()
    kept.set(key, { until: now() + keptMs, answer })
    return answer
  }
}

export const openLookers = (database: Database, sessions: Pick<Sessions, 'actorOf'>, now: () => number) => {
  const sources = openKept<Target | undefined>(now, sourceMs)
  const looks = openKept<Looked>(now, lookMs)
  let changes = 0
  database.onChange(({ resource }) => {
    if (resource === television.name) changes++
  })

  const actorWith = async (
    { EnterpriseId, UserId }: Pick<Target, 'EnterpriseId' | 'UserId'>,
    rights: readonly string[],
  ): Promise<Actor> => {
    const who = UserId ? await sessions.actorOf(UserId, `screen of ${UserId}`) : undefined
    if (!who || 'ended' in who) throw notFound()
    const isStrange = !who.platform && who.EnterpriseId !== EnterpriseId
    if (isStrange || !rights.every((right) => who.may.has(right))) throw notFound()
    const may = new Set(counting.filter((code) => who.may.has(code)))
    return { ...who, EnterpriseId, platform: false, may, shared: true }
  }
  const look = async (target: Target, key: string): Promise<Looked> => {
    const actor = await actorWith(target, [target.right, seenBy[target.Kind]])
    const db = database.as(actor)
    const version = target.Kind === 1 ? await shownVersionOf(db, actor, target.FlowchartId ?? 0) : 0
    return { target, actor, db, version, key }
  }

  return {
    /** The sharing person as an actor without permissions. @throws Fault `notFound` if the person lacks one of these rights */
    actorWith,
    /** Displays that show the same content for the same person share an answer. @throws Fault `notFound` if it has ended, for any reason */
    async look(source: Source): Promise<Looked> {
      const target = source.isDisplay
        ? await sources(`${changes} ${source.key}`, source.find, displayMs)
        : await sources(source.key, source.find)
      if (!target) throw notFound()
      const key = JSON.stringify(target)
      return looks(key, () => look(target, key))
    },
    /** Names of company and person for the header of a screen. */
    async namesOf(EnterpriseId: number, UserId: number | null) {
      const [row] = await database.system.rows<{ CompanyName: string; UserName: string | null }>(sql`
        select "Name" as "CompanyName", (select "UserName" from "user" where "Id" = ${UserId}) as "UserName" from enterprise where "Id" = ${EnterpriseId}`)
      return { CompanyName: row?.CompanyName ?? '', UserName: row?.UserName ?? '' }
    },
  }
}
