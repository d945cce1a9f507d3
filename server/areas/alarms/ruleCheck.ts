import { sql } from 'kysely'
import { Compile } from 'typebox/compile'
import { configureFaults, RuleConfigure } from '../../../contract/areas/alarm-configure.ts'
import { device } from '../../../contract/areas/devices.ts'
import { point } from '../../../contract/areas/points.ts'
import type { Db } from '../../database/db.ts'
import type { FieldFault } from '../../http/faults.ts'
import type { Actor } from '../../identity/actor.ts'
import { visible } from '../../resource/sql.ts'

type Schema = ReturnType<typeof Compile>
const configureSchema: Schema = Compile(RuleConfigure) as never

type Known = { Id: number; ParaName: string; ParaDataType: number; DeviceId: number; DeviceName: string; ProjectId: number }
const knownPoints = (db: Db, actor: Actor, where: ReturnType<typeof sql>) =>
  db.rows<Known>(sql`
    select t."Id", t."ParaName", t."ParaDataType", t."DeviceId", d."DeviceName", g."ProjectId" from point t
    join device d on d."Id" = t."DeviceId" join gateway g on g."Id" = d."GatewayId" where ${visible(point, actor)} and ${where}`)

/** What the schema says of a draft, by path. */
export const shapeFaults = (given: unknown, schema = configureSchema): FieldFault[] =>
  schema.Check(given)
    ? []
    : [...schema.Errors(given)].slice(0, 20).map((e) => ({
        field: e.instancePath.slice(1).replaceAll('/', '.'),
        rule: ['required', 'minItems'].includes(e.keyword) ? 'required' : 'type',
      }))

export type Checked = { faults: FieldFault[]; configure: RuleConfigure; project: number | undefined; names: string[] }

/**
 * Everything a configuration must be besides its shape: what it names is there, is the actor's, and of one project. Answers it with the
 * names and types of its points as they are now.
 */
export const checkConfigure = async (db: Db, actor: Actor, given: RuleConfigure, level: number, projectId?: number): Promise<Checked> => {
  const configure = structuredClone(given)
  const conditions = configure.RuleList.flatMap((g, i) => g.Conditions.map((c, k) => ({ c, path: `RuleList.${i}.Conditions.${k}` })))
  const ids = conditions.flatMap(({ c }) => c.AlarmParams.flatMap((p) => (p.ParaId ? [p.ParaId] : [])))
  const deviceIds = [...new Set(conditions.flatMap(({ c }) => c.DeviceSelection?.DeviceIds ?? []))]
  const projects = conditions.flatMap(({ c }) => (c.DeviceSelection?.ProjectId ? [c.DeviceSelection.ProjectId] : []))
  const points = new Map((ids.length ? await knownPoints(db, actor, sql`t."Id" = any(${ids}::bigint[])`) : []).map((p) => [p.Id, p]))
  const devices = new Map(
    (deviceIds.length
      ? await db.rows<{ Id: number; ProjectId: number }>(
          sql`select t."Id", g."ProjectId" from device t join gateway g on g."Id" = t."GatewayId" where t."Id" = any(${deviceIds}::bigint[]) and ${visible(device, actor)}`,
        )
      : []
    ).map((d) => [d.Id, d.ProjectId]),
  )
  const project = projectId ?? [...points.values()][0]?.ProjectId ?? [...devices.values()][0] ?? projects[0]
  const names = [...new Set(conditions.flatMap(({ c }) => (c.DeviceSelection ? c.AlarmParams.flatMap((p) => p.ParaName ?? []) : [])))]
  const named =
    names.length && project
      ? await knownPoints(
          db,
          actor,
          sql`t."ParaName" = any(${names}::text[]) and ${deviceIds.length ? sql`t."DeviceId" = any(${deviceIds}::bigint[])` : sql`g."ProjectId" = ${project}`} limit 10000`,
        )
      : []
  const faults: FieldFault[] = []
  for (const { c, path } of conditions) {
    const s = c.DeviceSelection
    for (const [i, p] of c.AlarmParams.entries()) {
      const found = s ? named.find((n) => n.ParaName === p.ParaName) : points.get(p.ParaId ?? 0)
      const wrong = s ? p.ParaName && !found : p.ParaId && (!found || found.ProjectId !== project)
      if (wrong) faults.push({ field: `${path}.AlarmParams.${i}.${s ? 'ParaName' : 'ParaId'}`, rule: 'unknownReference' })
      if (!found) continue
      c.AlarmParams[i] = s
        ? { ParaName: found.ParaName, ParaDataType: found.ParaDataType }
        : { ParaId: found.Id, DeviceId: found.DeviceId, ParaName: found.ParaName, ParaDataType: found.ParaDataType }
    }
    if (s?.DeviceIds?.some((id) => devices.get(id) !== project))
      faults.push({ field: `${path}.DeviceSelection.DeviceIds`, rule: 'unknownReference' })
    if (s?.ProjectId && s.ProjectId !== project) faults.push({ field: `${path}.DeviceSelection.ProjectId`, rule: 'unknownReference' })
  }
  const isBool = (p: { ParaDataType?: number | null }) => p.ParaDataType === 0
  const more = configureFaults(configure, { level, isBool }).map(
    ({ Path, key, values }): FieldFault => ({ field: Path, rule: key, values }),
  )
  const held = [...points.values()].map((p) => `${p.DeviceName} ${p.ParaName}`)
  return { faults: [...faults, ...more], configure, project, names: [...held, ...names] }
}
