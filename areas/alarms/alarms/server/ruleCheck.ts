import { sql } from 'kysely'
import { Compile } from 'typebox/compile'
import type { Db } from '../../../../server/database/db.ts'
import type { FieldFault } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { type Sql, visible } from '../../../../server/resource/sql.ts'
import { device } from '../../../configuration/devices/contract.ts'
import { proModel } from '../../../configuration/models/contract.ts'
import { point } from '../../../configuration/points/contract.ts'
import { configureFaults, mostSlots, type RuleCondition, RuleConfigure, Selection, slotsOf } from '../../alarm-rules/alarm-configure.ts'

type Schema = ReturnType<typeof Compile>
const configureSchema: Schema = Compile(RuleConfigure) as never

type Known = { Id: number; ParaName: string; ParaDataType: number; DeviceId: number; DeviceName: string; ProjectId: number }
type DeviceSelection = NonNullable<RuleCondition['DeviceSelection']>
const knownPoints = (actor: Actor, where: Sql) => sql<Known>`
  select t."Id", t."ParaName", t."ParaDataType", t."DeviceId", d."DeviceName", g."ProjectId" from point t
  join device d on d."Id" = t."DeviceId" join gateway g on g."Id" = d."GatewayId" where ${visible(point, actor)} and ${where}`

/** One point per name on the selected devices. */
const namedPoints = (actor: Actor, names: readonly string[], s: DeviceSelection, project: number) => {
  const within = s.Type === Selection.chosen ? sql`t."DeviceId" = any(${s.DeviceIds ?? []}::bigint[])` : sql`g."ProjectId" = ${project}`
  const ofModel = s.Type === Selection.model ? sql` and d."ModelId" = ${s.ModelId ?? 0}` : sql``
  const first = knownPoints(actor, sql`t."ParaName" = n.name and ${within}${ofModel} limit 1`)
  return sql<Known>`select x.* from unnest(${names}::text[]) n (name) cross join lateral (${first}) x`
}

/** Models of the project's tenant, locked, so that none can be removed while a rule starts to use it. */
const knownModels = async (db: Db, actor: Actor, ids: readonly number[], project: number | undefined): Promise<Set<number>> => {
  if (!ids.length) return new Set()
  const ofTenant = project ? sql`t."EnterpriseId" = (select "EnterpriseId" from project where "Id" = ${project})` : sql`true`
  const rows = await db.rows<{ Id: number }>(
    sql`select "Id" from pro_model t where "Id" = any(${ids}::bigint[]) and ${visible(proModel, actor)} and ${ofTenant} for key share`,
  )
  return new Set(rows.map((row) => row.Id))
}

/** Schema faults of a draft, by path. */
export const shapeFaults = (given: unknown, schema = configureSchema): FieldFault[] =>
  schema.Check(given)
    ? []
    : [...schema.Errors(given)].slice(0, 20).map((e) => ({
        field: e.instancePath.slice(1).replaceAll('/', '.'),
        rule: ['required', 'minItems'].includes(e.keyword) ? 'required' : 'type',
      }))

export type Checked = { faults: FieldFault[]; configure: RuleConfigure; project: number | undefined; names: string[] }

/**
 * Checks a configuration beyond its schema: referenced records exist, are visible to the actor, and share one project. Returns it with the
 * current names and types of its points.
 */
export const checkConfigure = async (db: Db, actor: Actor, given: RuleConfigure, level: number, projectId?: number): Promise<Checked> => {
  // Checked before any lookup.
  if (slotsOf(given) > mostSlots) {
    const fault = { field: 'RuleList', rule: 'alarmRule.fault.slots', values: { max: mostSlots } }
    return { faults: [fault], configure: given, project: projectId, names: [] }
  }
  const configure = structuredClone(given)
  const conditions = configure.RuleList.flatMap((g, i) => g.Conditions.map((c, k) => ({ c, path: `RuleList.${i}.Conditions.${k}` })))
  const ids = conditions.flatMap(({ c }) => c.AlarmParams.flatMap((p) => (p.ParaId ? [p.ParaId] : [])))
  const deviceIds = [...new Set(conditions.flatMap(({ c }) => c.DeviceSelection?.DeviceIds ?? []))]
  const projects = conditions.flatMap(({ c }) => (c.DeviceSelection?.ProjectId ? [c.DeviceSelection.ProjectId] : []))
  const points = new Map((ids.length ? await db.rows(knownPoints(actor, sql`t."Id" = any(${ids}::bigint[])`)) : []).map((p) => [p.Id, p]))
  const devices = new Map(
    (deviceIds.length
      ? await db.rows<{ Id: number; ProjectId: number }>(
          sql`select t."Id", g."ProjectId" from device t join gateway g on g."Id" = t."GatewayId" where t."Id" = any(${deviceIds}::bigint[]) and ${visible(device, actor)}`,
        )
      : []
    ).map((d) => [d.Id, d.ProjectId]),
  )
  const project = projectId ?? [...points.values()][0]?.ProjectId ?? [...devices.values()][0] ?? projects[0]
  const namesIn = (c: RuleCondition) => (c.DeviceSelection ? c.AlarmParams.flatMap((p) => p.ParaName || []) : [])
  const selecting = conditions.flatMap(({ c }) => (c.DeviceSelection && namesIn(c).length && project ? [c] : []))
  const found = await db.all(selecting.map((c) => namedPoints(actor, namesIn(c), c.DeviceSelection!, project!)))
  const named = new Map(selecting.map((c, i) => [c, found[i]!]))
  const modelIds = conditions.flatMap(({ c }) => c.DeviceSelection?.ModelId ?? [])
  const models = await knownModels(db, actor, modelIds, project)
  const faults: FieldFault[] = []
  for (const { c, path } of conditions) {
    const s = c.DeviceSelection
    for (const [i, p] of c.AlarmParams.entries()) {
      const found = s ? named.get(c)?.find((n) => n.ParaName === p.ParaName) : points.get(p.ParaId ?? 0)
      const wrong = s ? p.ParaName && !found : p.ParaId && (!found || found.ProjectId !== project)
      if (wrong) faults.push({ field: `${path}.AlarmParams.${i}.${s ? 'ParaName' : 'ParaId'}`, rule: 'unknownReference' })
      if (!found) continue
      c.AlarmParams[i] = s
        ? { ParaName: found.ParaName, ParaDataType: found.ParaDataType }
        : { ParaId: found.Id, DeviceId: found.DeviceId, ParaName: found.ParaName, ParaDataType: found.ParaDataType }
    }
    if (s?.DeviceIds?.some((id) => devices.get(id) !== project))
      faults.push({ field: `${path}.DeviceSelection.DeviceIds`, rule: 'unknownReference' })
    if (s?.ModelId && !models.has(s.ModelId)) faults.push({ field: `${path}.DeviceSelection.ModelId`, rule: 'unknownReference' })
    // A model applies within the rule's project, which may be omitted.
    if (s?.Type === Selection.model && project) s.ProjectId ??= project
    if (s?.ProjectId && s.ProjectId !== project) faults.push({ field: `${path}.DeviceSelection.ProjectId`, rule: 'unknownReference' })
  }
  const isBool = (p: { ParaDataType?: number | null }) => p.ParaDataType === 0
  const more = configureFaults(configure, { level, isBool }).map(
    ({ Path, key, values }): FieldFault => ({ field: Path, rule: key, values }),
  )
  const pointNames = [...points.values()].map((p) => `${p.DeviceName} ${p.ParaName}`)
  const names = new Set(conditions.flatMap(({ c }) => namesIn(c)))
  return { faults: [...faults, ...more], configure, project, names: [...pointNames, ...names] }
}
