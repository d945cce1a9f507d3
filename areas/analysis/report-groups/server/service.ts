import { sql } from 'kysely'
import type { Language } from '../../../../contract/languages.ts'
import type { Db } from '../../../../server/database/db.ts'
import { type FieldFault, FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Work } from '../../../../server/resource/crud.ts'
import { table, visible } from '../../../../server/resource/sql.ts'
import { store, tenantOf } from '../../../../server/resource/store.ts'
import { point } from '../../../configuration/points/contract.ts'
import { formulaPoint } from '../../formulas/contract.ts'
import { describedPoints } from '../../telemetry/server/service.ts'
import { type GroupPoint, type ReportGroup, reportGroup, type TrendGroup } from '../contract.ts'

type Values = Record<string, unknown>
/** Groups that choosers and charts are offered. */
const mostOffered = 500

const idsIn = (groups: readonly Pick<ReportGroup, 'Points'>[]) => [...new Set(groups.flatMap((g) => g.Points.map((p) => p.ParaId)))]

/** Those of the points, stored or computed, that the actor sees; of one company where it is named. */
export const seenOf = async (db: Db, actor: Actor, ids: readonly number[], enterprise?: number) => {
  const rowsOf = (r: typeof point | typeof formulaPoint) => sql<{ Id: number }>`
    select t."Id" from ${table(r)} t where t."Id" = any(${ids}::bigint[]) and ${visible(r, actor)}
      and ${enterprise ? sql`t."EnterpriseId" = ${enterprise}` : sql`true`}`
  return new Set((await db.all([rowsOf(point), rowsOf(formulaPoint)])).flat().map(({ Id }) => Id))
}

const faultsOf = (points: readonly GroupPoint[], seen: ReadonlySet<number>): FieldFault[] => {
  const ids = new Set<number>()
  return points.flatMap(({ ParaId }, i): FieldFault[] => {
    const twice = ids.has(ParaId)
    ids.add(ParaId)
    if (twice) return [{ field: `Points.${i}.ParaId`, rule: 'taken' }]
    return seen.has(ParaId) ? [] : [{ field: `Points.${i}.ParaId`, rule: 'unknownReference' }]
  })
}

/**
 * A group belongs to who made it; others change what is shared, but do not take it away from everybody. Points out of the sight of who
 * changes it stay in it, at its end: he did not see them when he left them out.
 */
const check = async (db: Db, actor: Actor, given: Values, held?: ReportGroup): Promise<Values> => {
  if (held && held.UserId !== null && held.UserId !== actor.UserId && given.IsShared === 0)
    throw new FieldFaults([{ field: 'IsShared', rule: 'ofMaker' }])
  const enterprise = held?.EnterpriseId ?? (await tenantOf(db, actor, reportGroup, given))
  // The platform's people are of no company but theirs.
  const own = held ? given : { ...given, UserId: (enterprise === actor.EnterpriseId && actor.UserId) || null }
  if (!given.Points) return own
  const points = given.Points as GroupPoint[]
  const seen = await seenOf(db, actor, [...idsIn([{ Points: points }]), ...idsIn(held ? [held] : [])], enterprise)
  const faults = faultsOf(points, seen)
  if (faults.length) throw new FieldFaults(faults)
  const unseen = await stillThere(
    db,
    (held?.Points ?? []).filter((p) => !seen.has(p.ParaId)),
  )
  return { ...own, Points: [...points, ...unseen] }
}

/** Without those that were deleted. */
const stillThere = async (db: Db, points: readonly GroupPoint[]) => {
  if (!points.length) return []
  const ids = points.map((p) => p.ParaId)
  const rows = await db.rows<{ Id: number }>(
    sql`select "Id" from point where "Id" = any(${ids}::bigint[]) union all select "Id" from formula_point where "Id" = any(${ids}::bigint[])`,
  )
  const there = new Set(rows.map(({ Id }) => Id))
  return points.filter((p) => there.has(p.ParaId))
}

const groups = store(reportGroup, check)

/** Groups as the actor may see them: without the points that he may not see, of which he learns how many there are. */
const shown = async <T extends Pick<ReportGroup, 'Points'>>(db: Db, actor: Actor, rows: readonly T[]) => {
  const seen = rows.length ? await seenOf(db, actor, idsIn(rows)) : new Set<number>()
  const there = new Set(
    (
      await stillThere(
        db,
        idsIn(rows).map((ParaId) => ({ ParaId })),
      )
    ).map((p) => p.ParaId),
  )
  return rows.map((row) => ({
    ...row,
    Points: row.Points.filter((p) => seen.has(p.ParaId)),
    HiddenPoints: row.Points.filter((p) => there.has(p.ParaId) && !seen.has(p.ParaId)).length,
  }))
}

export const groupWork: Work = {
  find: async (db, actor, id) => (await shown(db, actor, [await groups.find(db, actor, id)]))[0],
  list: async (db, actor, q) => {
    const page = await groups.list(db, actor, q)
    return { ...page, Items: await shown(db, actor, page.Items) }
  },
  create: async (db, actor, draft) => (await shown(db, actor, [await groups.create(db, actor, draft as never)]))[0],
  update: async (db, actor, id, change) => (await shown(db, actor, [await groups.update(db, actor, id, change as never)]))[0],
  remove: groups.remove,
}

type Offered = Pick<ReportGroup, 'Id' | 'GroupName' | 'GroupType' | 'ProjectId' | 'Points'>
/** The groups that the actor may choose, by name. */
export const offeredGroups = (db: Db, actor: Actor, type: number | undefined) =>
  db.rows<Offered>(sql`
    select t."Id", t."GroupName", t."GroupType", t."ProjectId", t."Points" from report_group t
    where ${visible(reportGroup, actor)} and ${type ? sql`t."GroupType" = ${type}` : sql`true`}
    order by t."GroupName", t."Id" limit ${mostOffered}`)

export const trendGroups = async (db: Db, actor: Actor, language: Language, type: number | undefined): Promise<TrendGroup[]> => {
  const rows = await shown(db, actor, await offeredGroups(db, actor, type))
  const infos = new Map((await describedPoints(db, actor, language, idsIn(rows))).map((info) => [info.ParaId, info]))
  return rows.map((group) => ({
    ...group,
    Points: group.Points.flatMap((p) => {
      const info = infos.get(p.ParaId)
      return info ? [{ ...p, ...info }] : []
    }),
  }))
}
