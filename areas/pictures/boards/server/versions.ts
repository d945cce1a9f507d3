// Versions of boards: the content after each change.
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Page } from '../../../../contract/call.ts'
import type { Db } from '../../../../server/database/db.ts'
import { notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { inSight } from '../../../../server/identity/sight.ts'
import { paged, readListing } from '../../../../server/resource/list.ts'
import { and, named } from '../../../../server/resource/sql.ts'
import { type BoardContent, type BoardVersion, mostVersions } from '../contract.ts'
import type { Board } from './named.ts'

const difference = (before: BoardContent, after: BoardContent) => {
  const [old, next] = [before, after].map(({ Widgets }) => new Map(Widgets.map((widget) => [widget.Id, widget]))) as [
    Map<string, unknown>,
    Map<string, unknown>,
  ]
  const stayed = [...next.keys()].filter((id) => old.has(id))
  return {
    Added: next.size - stayed.length,
    Removed: old.size - stayed.length,
    Changed: stayed.filter((id) => !isDeepStrictEqual(old.get(id), next.get(id))).length,
  }
}

type Version = Partial<ReturnType<typeof difference>> & { Version: number; Content: BoardContent; UserId: number | null; isFirst?: boolean }
const add = (db: Db, { Id, EnterpriseId }: Board, { Version, Content, Added = 0, Removed = 0, Changed = 0, UserId, isFirst }: Version) =>
  db.rows(sql`
    insert into visual_board_version ("EnterpriseId", "VisualBoardId", "Version", "Content", "Added", "Removed", "Changed", "UserId", "CreateTime")
    select ${EnterpriseId}, ${Id}, ${Version}, ${JSON.stringify(Content)}::jsonb, ${Added}, ${Removed}, ${Changed}, ${UserId},
      ${isFirst ? sql`(select "CreateTime" from visual_board where "Id" = ${Id})` : sql`now()`}`)

/** Stores the new version, and before the first change also the original. Removes the oldest beyond the limit. */
export const keepVersion = async (db: Db, actor: Actor, before: Board, after: Board) => {
  if (isDeepStrictEqual(before.Content, after.Content)) return
  const [last] = await db.rows<{ n: number | null }>(
    sql`select max("Version")::int as n from visual_board_version where "VisualBoardId" = ${after.Id}`,
  )
  const n = last?.n ?? 1
  if (!last?.n) await add(db, before, { Version: 1, Content: before.Content, UserId: null, isFirst: true })
  const UserId = actor.UserId || null
  await add(db, after, { Version: n + 1, Content: after.Content, UserId, ...difference(before.Content, after.Content) })
  await db.rows(sql`delete from visual_board_version where "VisualBoardId" = ${after.Id} and "Version" <= ${n + 1 - mostVersions}`)
}

/** Versions of a visible board, newest first. */
export const listVersions = async (db: Db, actor: Actor, { Id }: Board, given: object): Promise<Page<BoardVersion>> => {
  const { index, size } = readListing(given as never)
  const [Items, count] = await db.all([
    sql<BoardVersion>`
      select v."Version", to_char(v."CreateTime" at time zone ${actor.zone ?? actor.tenantZone}::text, 'YYYY-MM-DD HH24:MI:SS') as "SaveTime",
        u."UserName", jsonb_array_length(v."Content" -> 'Widgets') as "Widgets", v."Added", v."Removed", v."Changed"
      from visual_board_version v left join "user" u on ${and([sql`u."Id" = v."UserId"`, ...inSight(named('user'), actor, 'u')])}
      where v."VisualBoardId" = ${Id} order by v."Version" desc limit ${size} offset ${(index - 1) * size}`,
    sql<never>`select count(*)::int as n from visual_board_version where "VisualBoardId" = ${Id}`,
  ])
  return paged({ index, size, exact: true }, Items!, Number((count as unknown as { n: number }[])[0]!.n))
}

/** @throws Fault `notFound` */
export const versionContent = async (db: Db, { Id }: Board, version: number): Promise<BoardContent> => {
  const [found] = await db.rows<{ Content: BoardContent }>(
    sql`select "Content" from visual_board_version where "VisualBoardId" = ${Id} and "Version" = ${version}`,
  )
  if (!found) throw notFound()
  return found.Content
}
