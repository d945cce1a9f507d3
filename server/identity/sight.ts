// Which rows of their tenant people see: those of their projects and organisations, and what names nothing else.
import { sql } from 'kysely'
import { joined, type Resource } from '../../contract/resource.ts'
import { and, column, named, or, type Sql, table } from '../database/fragments.ts'
import type { Actor } from './actor.ts'
import { dataScopeFilter } from './dataScope.ts'

const granted = (r: Resource, actor: Actor, alias: string, projects: readonly number[]): Sql[] => {
  if (r.owner === 'tenant') return []
  if (r.owner === 'grant') {
    const given = sql`${column('Id', alias)} = any(${projects}::bigint[])`
    return [actor.dataScope?.ownProjects && !actor.preview ? or([given, sql`${column('CreateUserId', alias)} = ${actor.UserId}`]) : given]
  }
  const owner = r.fields[r.owner]
  if (owner?.kind !== 'ref') throw new Error(`${r.name} is owned by ${r.owner}, which is no ref.`)
  const to = named(owner.to)
  if (to.owner === 'grant') return [sql`${column(r.owner, alias)} = any(${projects}::bigint[])`]
  const inner = `${alias}_owner`
  return [
    sql`exists (select 1 from ${table(to)} ${sql.raw(inner)} where ${column('Id', inner)} = ${column(r.owner, alias)} and ${and(granted(to, actor, inner, projects))})`,
  ]
}

/** Fields that name a row of another resource without a foreign key, since they outlive it. */
const loose: Readonly<Record<string, readonly [field: string, to: string][]>> = { almPushRecord: [['AlmInfoId', 'alarmInfo']] }
/** Rows that name a gateway by its serial number. Boxes that are no gateway belong to the tenant. */
const bySerial = new Set(['gatewayPosition', 'gatewaySn', 'snAgent', 'snAgentLog'])
const ofSerial = (actor: Actor, alias: string, projects: readonly number[]): Sql => {
  const [gateway, inner] = [named('gateway'), `${alias}_box`]
  const is = sql`${column('SN', inner)} = ${column('SN', alias)} and ${column('EnterpriseId', inner)} = ${column('EnterpriseId', alias)}`
  return sql`not exists (select 1 from ${table(gateway)} ${sql.raw(inner)} where ${is} and not (${and(granted(gateway, actor, inner, projects))}))`
}
/** Readings by phones name no gateway: they are seen by their person and with the projects of their round. */
const ofPhone = (actor: Actor, alias: string, projects: readonly number[]): Sql => {
  const round = `${alias}_round`
  return or([
    sql`${column('ReaderType', alias)} <> 2`,
    ...(actor.preview ? [] : [sql`${column('UserId', alias)} = ${actor.UserId}`]),
    sql`exists (select 1 from ${table(named('mtnCheckOrder'))} ${sql.raw(round)} where ${and([
      sql`${column('EnterpriseId', round)} = ${column('EnterpriseId', alias)}`,
      sql`${column('OrderNo', round)} = ${column('Reader', alias)}`,
      sql`${column('ProjectId', round)} = any(${projects}::bigint[])`,
    ])})`,
  ])
}
const ownedByProject = (r: Resource): boolean => {
  const owner = r.fields[r.owner]
  return r.owner === 'grant' || (owner?.kind === 'ref' && ownedByProject(named(owner.to)))
}

/** Rows that refer to a project, such as messages about alarms, are visible only to people who see that project. */
const namesGranted = (r: Resource, actor: Actor, alias: string, projects: readonly number[]): Sql[] => {
  const refs = [...joined(r).map(([, field, to]) => [field, to] as const), ...(loose[r.name] ?? [])]
  const inner = `${alias}_of`
  if (bySerial.has(r.name)) return [ofSerial(actor, alias, projects)]
  const granting = refs.flatMap(([field, to]) => {
    const target = named(to)
    if (!ownedByProject(target)) return []
    const at = column(field, alias)
    const is = sql`${column('Id', inner)} = ${at}`
    return [
      sql`(${at} is null or exists (select 1 from ${table(target)} ${sql.raw(inner)} where ${and([is, ...granted(target, actor, inner, projects)])}))`,
    ]
  })
  if (r.name === 'proRfidHistory') return [...granting, ofPhone(actor, alias, projects)]
  // Messages that he got himself stay his.
  if (r.name === 'almPushRecord' && !actor.preview) return [or([sql`${column('UserId', alias)} = ${actor.UserId}`, and(granting)])]
  return granting
}

/** Resources with UserId and IsShared: an unshared record is visible to its creator only; once the creator is gone, to everybody. */
const personal = new Set(['reportGroup'])
const ofMaker = (r: Resource, actor: Actor, alias: string): Sql[] => {
  if (!personal.has(r.name)) return []
  const maker = column('UserId', alias)
  return [or([sql`${column('IsShared', alias)} = 1`, sql`${maker} is null`, sql`${maker} = ${actor.UserId}`])]
}

/** Records that are seen by who sees the one that they are made of. */
const madeOf: Readonly<Record<string, readonly (readonly [field: string, to: string])[]>> = {
  savedChart: [['GroupId', 'reportGroup']],
  reportTemplate: [['GroupId', 'reportGroup']],
  reportSchedule: [
    ['ReportTemplateId', 'reportTemplate'],
    ['GroupId', 'reportGroup'],
  ],
}
const inSightOf = (to: Resource, field: string, actor: Actor, alias: string): Sql | undefined => {
  const inner = `${alias}_whole`
  const scope = inSight(to, actor, inner)
  const is = sql`${column('Id', inner)} = ${column(field, alias)}`
  return scope.length ? sql`exists (select 1 from ${table(to)} ${sql.raw(inner)} where ${and([is, ...scope])})` : undefined
}
const ofWhole = (r: Resource, actor: Actor, alias: string): Sql[] =>
  (madeOf[r.name] ?? []).flatMap(([field, to]) => {
    const seen = inSightOf(named(to), field, actor, alias)
    if (!seen) return []
    // A report that is about a project or a device has no group.
    return r.fields[field]!.required ? [seen] : [or([sql`${column(field, alias)} is null`, seen])]
  })

/**
 * Reports that are kept: their maker sees them, people, roles and organisations that they were released to, and whoever sees all
 * their points. One that is not made yet is seen with its schedule.
 */
const ofRun = (r: Resource, actor: Actor, alias: string): Sql[] => {
  if (r.name !== 'reportRun') return []
  // What its blocks show of other areas is seen by who holds their codes, whoever made it and whomever it was released to.
  const held = sql`${column('Needs', alias)} <@ ${[...actor.may]}::text[]`
  const scopes = ['point', 'formulaPoint'].map((name) => ({ of: named(name), scope: inSight(named(name), actor, 'p') }))
  if (scopes.every(({ scope }) => !scope.length)) return [held]
  const unseen = scopes.map(({ of, scope }) => {
    return sql`not exists (select 1 from ${table(of)} p where ${and([sql`p."Id" = n.id::bigint`, ...scope])})`
  })
  const points = column('ParaIds', alias)
  const schedule = inSightOf(named('reportSchedule'), 'ScheduleId', actor, alias) ?? sql`true`
  const seesAll = sql`case when ${points} = '[]' then ${schedule} else not exists (
    select 1 from jsonb_array_elements_text(${points}) n (id) where ${and(unseen)}) end`
  const ofRole = actor.role ? sql`ur."RoleId" = ${actor.role}` : sql`true`
  const byRole = sql`exists (select 1 from user_role ur where ur."UserId" = ${actor.UserId} and ${ofRole} and ${column('ReleasedRoles', alias)} @> to_jsonb(ur."RoleId"))`
  const byOrgan = sql`exists (select 1 from "user" u where u."Id" = ${actor.UserId} and ${column('ReleasedOrgans', alias)} @> to_jsonb(u."BelongOrganId"))`
  const byName = sql`${column('ReleasedUsers', alias)} @> to_jsonb(${actor.UserId}::bigint)`
  return [held, or([seesAll, ...(actor.preview ? [] : [sql`${column('UserId', alias)} = ${actor.UserId}`, byName, byRole, byOrgan])])]
}

/** Order resources and the permission to see all orders of one's projects. Without it, people see their own, their teams' and pending hand-overs. */
const ofWorkers: Readonly<Record<string, string>> = { mtnMaintenanceOrder: 'm10602', mtnUpKeepOrder: 'm10604', mtnCheckOrder: 'm10606' }
export const seesOwnOrders = (resource: string, actor: Actor): boolean => resource in ofWorkers && !actor.may.has(ofWorkers[resource]!)

/** Whether an order was given to a team or department of the actor's. */
export const ofTeam = (actor: Actor, alias: string): Sql => sql`(
  ${column('TeamId', alias)} in (select r."Id" from alarm_roster r
    where r."EnterpriseId" = ${actor.EnterpriseId} and r."Shifts" @> jsonb_build_array(jsonb_build_object('Users', jsonb_build_array(${actor.UserId}::bigint))))
  or ${column('DepartmentId', alias)} = (select u."DepartmentId" from "user" u where u."Id" = ${actor.UserId}))`
/** Work list of an actor: own orders, unassigned ones of own teams, and pending hand-overs. */
export const toDo = (actor: Actor, alias: string): Sql => sql`(
  ${column('AssignUserId', alias)} = ${actor.UserId} or ${column('HandOverUserId', alias)} = ${actor.UserId}
  or ${column('AssignUserId', alias)} is null and ${ofTeam(actor, alias)})`
const ofWorker = (r: Resource, actor: Actor, alias: string): Sql[] =>
  seesOwnOrders(r.name, actor) ? [or([toDo(actor, alias), ofTeam(actor, alias)])] : []

/** What of its tenant's rows an actor does not see, for reasons of his: projects, organisations. Nothing for those who see all. */
export const inSight = (r: Resource, actor: Actor, alias: string): Sql[] => {
  const { projects } = actor
  const ofProjects =
    projects === 'all' ? [] : r.owner === 'tenant' ? namesGranted(r, actor, alias, projects) : granted(r, actor, alias, projects)
  return [
    ...ofProjects,
    ...ofMaker(r, actor, alias),
    ...ofWhole(r, actor, alias),
    ...ofRun(r, actor, alias),
    ...ofWorker(r, actor, alias),
    ...dataScopeFilter(r.name, actor, alias),
  ]
}
