import { sql } from 'kysely'
import type { Body } from '../../../../contract/call.ts'
import type { Row } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults, notFound } from '../../../../server/http/faults.ts'
import { assertHolds } from '../../../../server/http/serve.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Attempts } from '../../../../server/identity/attempts.ts'
import { named, table, visible } from '../../../../server/resource/sql.ts'
import { type Check, record, store } from '../../../../server/resource/store.ts'
import { type Kind, seenBy, targetOf } from '../../shares/contract.ts'
import { hashOf, newToken } from '../../shares/server/service.ts'
import { type PlaylistEntry, television, type televisionCalls } from '../contract.ts'
import { openCodes } from './codes.ts'

export type Television = Row<typeof television>

const resourceOf = { FlowchartId: 'flowchart', VisualBoardId: 'visualBoard', ProjectId: 'project' } as const

/** A person who sees only a part of the company may not change its company-wide displays. */
export const assertMayWrite = (actor: Actor, project: number | null | undefined) => {
  if (!project && actor.projects !== 'all') throw new Fault('moreRights')
}

/** Requires that the person who assigns a playlist may see its content. */
const checkPlaylist: Check<typeof television> = async (db, actor, given, held) => {
  assertMayWrite(actor, held ? held.ProjectId : (given.ProjectId as number | undefined))
  const entries = (given.Playlist ?? []) as PlaylistEntry[]
  const company = held?.EnterpriseId ?? (actor.platform ? (given.EnterpriseId ?? actor.EnterpriseId) : actor.EnterpriseId)
  assertHolds(actor, [...new Set(entries.map(({ Kind }) => seenBy[Kind]))])
  const faults = await Promise.all(
    entries.map(async ({ Kind, Id }, i) => {
      const target = targetOf[Kind as Kind]
      const field = `Playlist.${i}.Id`
      if (!target) return Id ? [{ field, rule: 'unknownReference' }] : []
      if (!Id) return [{ field, rule: 'required' }]
      const r = named(resourceOf[target])
      const [seen] = await db.rows(
        sql`select 1 from ${table(r)} t where "Id" = ${Id} and "EnterpriseId" = ${company} and ${visible(r, actor)} for key share of t`,
      )
      return seen ? [] : [{ field, rule: 'unknownReference' }]
    }),
  )
  if (faults.flat().length) throw new FieldFaults(faults.flat())
  return given
}
export const televisions = store(television, checkPlaylist)

/** A display shows what the person who assigned its playlist may see. A new playlist may have another person. */
export const updateTelevision = (db: Db, actor: Actor, id: number, change: Record<string, unknown>) =>
  db.tx(async (db) => {
    const changed = await televisions.update(db, actor, id, change)
    if (!change.Playlist || changed.UserId === actor.UserId) return changed
    assertHolds(actor, [`${television.permission}.add`])
    await db.rows(sql`update television set "UserId" = ${actor.UserId} where "Id" = ${id}`)
    return televisions.find(db, actor, id)
  })

/** Days without a call after which a display is removed. */
export const unusedDays = 30

/** Pairs displays. A display shows content with the rights of a person. */
export const openPairing = (attempts: Attempts, steady: () => number) => {
  const codes = openCodes(steady)
  /** Wrong codes count against the person who entered them. */
  const look = async (actor: Actor, code: string) => {
    let found: ReturnType<typeof codes.look> | undefined
    await attempts.judge('', { televisionsOf: actor.UserId }, async () => {
      try {
        found = codes.look(code)
        return true
      } catch {
        return false
      }
    })
    if (!found) throw new FieldFaults([{ field: 'Code', rule: 'television.noCode' }])
    return found
  }
  /** Stores the token that a display claims, with its address and browser. */
  const give = (db: Db, actor: Actor, id: number, { Address, Browser }: Awaited<ReturnType<typeof look>>, token: string) =>
    db.rows(sql`
      update television set "UserId" = ${actor.UserId}, "TokenHash" = ${hashOf(token)}, "Address" = ${Address.slice(0, 60)}, "Browser" = ${Browser}
      where "Id" = ${id}`)
  return {
    codes,
    look,
    /** Checks the playlist again: the display now shows what this person may see. */
    async replace(db: Db, actor: Actor, { Code, Id }: Body<typeof televisionCalls.replace>): Promise<Television> {
      assertHolds(actor, [`${television.permission}.add`])
      await televisions.find(db, actor, Id)
      const display = await look(actor, Code)
      const token = newToken()
      const after = await db.tx(async (db) => {
        const before = await televisions.find(db, actor, Id)
        await checkPlaylist(db, actor, { Playlist: before.Playlist }, before)
        await give(db, actor, Id, display, token)
        const after = await televisions.find(db, actor, Id)
        await record(db, actor, television, 'update', Id, before.EnterpriseId, before, after)
        return after
      })
      codes.give(Code, token)
      return after
    },
    async pair(db: Db, actor: Actor, { Code, ...given }: Body<typeof televisionCalls.pair>): Promise<Television> {
      const display = await look(actor, Code)
      const token = newToken()
      const made = await db.tx(async (db) => {
        const { Id } = await televisions.create(db, actor, given)
        await give(db, actor, Id, display, token)
        return televisions.find(db, actor, Id)
      })
      codes.give(Code, token)
      return made
    },
  }
}

export type Shown = Pick<Television, 'Id' | 'EnterpriseId' | 'UserId' | 'TelevisionName' | 'ProjectId' | 'ShowAlarms'> & {
  Playlist: PlaylistEntry[]
}
const paired = async (db: Db, where: ReturnType<typeof sql>, now: number): Promise<Shown> => {
  const since = new Date(now - unusedDays * 86_400_000)
  const [row] = await db.rows<Shown>(sql`
    select "Id", "EnterpriseId", "UserId", "TelevisionName", "ProjectId", "ShowAlarms", "Playlist" from television
    where ${where} and coalesce("LastSeenTime", "CreateTime") > ${since}`)
  if (!row) throw notFound()
  return row
}
/** The display with a token or Id. @throws Fault `notFound` if it is revoked or unused for 30 days */
export const televisionOf = (db: Db, token: string, now: number) => paired(db, sql`"TokenHash" = ${hashOf(token)}`, now)
export const pairedTelevision = (db: Db, id: number, now: number) => paired(db, sql`"Id" = ${id}`, now)

/** Records that the display is in use. */
export const markSeen = (db: Db, id: number, now: number) =>
  db.rows(sql`update television set "LastSeenTime" = ${new Date(now)} where "Id" = ${id}`)
