// The points of a report, as its reader sees them when it is made.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults, notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { named, table, visible } from '../../../../server/resource/sql.ts'
import { mostPoints, reportGroup } from '../../report-groups/contract.ts'
import { seenOf } from '../../report-groups/server/service.ts'
import { describedFormulas, paraInfo, wordsIn } from '../../telemetry/server/service.ts'
import { type About, type aboutNames, fieldsOfAbout, missingOf } from '../about.ts'
import { reportTemplate } from '../contract.ts'
import type { Reader } from './build.ts'

/** The field that shows a fault of the choice. */
const fieldOf = ({ About }: About) => fieldsOfAbout[About].at(-1)!
const noPoints = (of: About) => new FieldFaults([{ field: fieldOf(of), rule: of.About === 'group' ? 'noPoints' : 'noPointsAbout' }])

const assertWhole = (of: About) => {
  const missing = missingOf(of)
  if (missing.length) throw new FieldFaults(missing.map((field) => ({ field, rule: 'required' })))
}

/** The points of a group that the actor sees, in their order. */
const pointsOfGroup = async (db: Db, actor: Actor, of: About): Promise<number[]> => {
  const [row] = await db.rows<{ Points: { ParaId: number }[] }>(
    sql`select t."Points" from report_group t where t."Id" = ${of.GroupId} and ${visible(reportGroup, actor)}`,
  )
  if (!row) throw notFound()
  const ids = row.Points.map((p) => p.ParaId)
  const seen = await seenOf(db, actor, ids)
  return ids.filter((id) => seen.has(id))
}

/** Points that reports offer, and formula points of a project. Reads one more than a report may have, to detect too many. */
const pointsOfPlant = async (db: Db, actor: Actor, { About, ...of }: About): Promise<number[]> => {
  const search = of.PointSearch?.trim() ?? ''
  const points = await paraInfo(db, actor, 'en', {
    ...(About === 'device' ? { deviceIds: [of.DeviceId!] } : { projectId: of.ProjectId! }),
    ...(About === 'model' ? { modelId: of.ModelId! } : {}),
    ...(of.StandardParaId ? { standardId: of.StandardParaId } : {}),
    ...(search ? { search } : {}),
    ...{ reports: 1, most: mostPoints + 1 },
  })
  // Formulas are of no device, and have no standard parameter.
  const ofProject = About === 'project' && !of.StandardParaId
  const narrowed = { projectId: of.ProjectId!, words: wordsIn(search), most: mostPoints + 1 }
  const formulas = ofProject ? await describedFormulas(db, actor, 'en', narrowed) : []
  return [...points, ...formulas].map(({ ParaId }) => ParaId)
}

/** @throws FieldFaults where there are more points than a report may have */
const fewPointsOf = async (db: Db, actor: Actor, of: About): Promise<number[]> => {
  const ids = of.About === 'group' ? await pointsOfGroup(db, actor, of) : await pointsOfPlant(db, actor, of)
  const max = { max: mostPoints }
  if (ids.length > mostPoints) throw new FieldFaults([{ field: fieldOf(of), rule: 'mostReportPoints', values: max }], 'reportTooManyPoints')
  return ids
}

/** Refuses a choice that lacks a field or has too many points. The store checks its references. */
export const assertAbout = async (db: Db, actor: Actor, of: About) => {
  assertWhole(of)
  if (of.About === 'group') return
  await fewPointsOf(db, actor, of).catch((error) => {
    if (!(error instanceof Fault && error.key === 'notFound')) throw error
  })
}

/** @throws Fault for a record out of the actor's sight */
export const assertSeen = async (db: Db, actor: Actor, of: Omit<About, 'About'>, names: readonly (typeof aboutNames)[number][]) => {
  const found = await db.all(
    names.flatMap((name) => {
      const field = reportTemplate.fields[name]
      if (field.kind !== 'ref' || !of[name]) return []
      const r = named(field.to)
      return [sql<object>`select 1 from ${table(r)} t where t."Id" = ${of[name]} and ${visible(r, actor)}`]
    }),
  )
  if (found.some((rows) => !rows.length)) throw notFound()
}

/** The points of a report, in order. @throws Fault for records out of the actor's sight, too many points, or none */
export const pointsAbout = async ({ database }: Pick<Reader, 'database'>, actor: Actor, of: About): Promise<number[]> => {
  const db = database.as(actor)
  assertWhole(of)
  await assertSeen(db, actor, of, fieldsOfAbout[of.About])
  const ids = await fewPointsOf(db, actor, of)
  if (!ids.length) throw noPoints(of)
  return ids
}

/** Which of these points and formula points belong to the choice now, for any reader. Ignores filters. */
export const amongAbout = async (db: Db, of: About, ids: readonly number[]): Promise<number[]> => {
  const { About, GroupId, ProjectId, DeviceId, ModelId } = of
  const inGroup = sql`select 1 from report_group g cross join jsonb_to_recordset(g."Points") as x ("ParaId" bigint) where g."Id" = ${GroupId} and x."ParaId" = p."Id"`
  const inPlant = sql`select 1 from device d join gateway g on g."Id" = d."GatewayId" where d."Id" = p."DeviceId"
    and ${About === 'device' ? sql`d."Id" = ${DeviceId}` : sql`g."ProjectId" = ${ProjectId}`}
    and ${About === 'model' ? sql`d."ModelId" = ${ModelId}` : sql`true`}`
  const ofPoint = About === 'group' ? inGroup : inPlant
  const ofProject = sql`select 1 where ${About === 'project' ? sql`p."ProjectId" = ${ProjectId}` : sql`false`}`
  const ofFormula = About === 'group' ? inGroup : ofProject
  const rows = await db.all([
    sql<{ Id: number }>`select p."Id" from point p where p."Id" = any(${ids}::bigint[]) and exists (${ofPoint})`,
    sql<{ Id: number }>`select p."Id" from formula_point p where p."Id" = any(${ids}::bigint[]) and exists (${ofFormula})`,
  ])
  return rows.flat().map(({ Id }) => Id)
}
