// Who may see and do what inside a tenant, in one place (docs/security.md): which rows and fields a person sees, and that nobody gives
// himself or others more than he has himself.
import { type RawBuilder, sql } from 'kysely'
import { wholeTenant } from '../../contract/whole-tenant.ts'
import type { Db } from '../database/db.ts'
import { tenantLocks } from '../database/locks.ts'
import { Fault } from '../http/faults.ts'
import type { Actor } from './actor.ts'

/** What data permissions leave of a tenant's rows (specification, section 6). */
export type DataScope = {
  /** He also sees projects that he makes himself. */
  ownProjects: boolean
  /** Organisations whose projects he sees, later ones too; absent: all. */
  projectOrgans?: readonly number[]
  /** Organisations whose rows he sees, by resource; absent: all. `organ` lists the organisations themselves. */
  organs: Readonly<Record<string, readonly number[]>>
  /** Fields he does not see, by resource. */
  hidden: Readonly<Record<string, ReadonlySet<string>>>
}
type Scope = Pick<Actor, 'projects' | 'dataScope'>

type Rule = {
  UserId: number
  BelongOrganId: number | null
  RoleId: number
  Module: string
  Whole: boolean
  Organs: number[]
  ProjectIds: number[] | null
  Hidden: string[]
}

const union = <T>(lists: readonly (readonly T[])[]): T[] => [...new Set(lists.flat())]
const mapped = <T>(entries: readonly (readonly [string, T | undefined])[]): Record<string, T> =>
  Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Record<string, T>

/** Rights add up: a person sees what any of his roles shows, and does not see a field that all of them hide. */
const scopeOf = (rules: readonly Rule[]): DataScope => {
  const roles = new Set(rules.map((r) => r.RoleId)).size
  const modules = [...Map.groupBy(rules, (r) => r.Module)]
  const organsOf = (of: readonly Rule[]) => (of.some((r) => r.Whole) ? undefined : union(of.map((r) => r.Organs)))
  const hiddenFields = (of: readonly Rule[]) => {
    const byRole = [...Map.groupBy(of, (r) => r.RoleId).values()].map((rs) => new Set(rs.flatMap((r) => r.Hidden)))
    const all = [...byRole[0]!].filter((field) => byRole.length === roles && byRole.every((fields) => fields.has(field)))
    return all.length ? new Set(all) : undefined
  }
  const hidden = mapped(modules.map(([module, of]) => [module, hiddenFields(of)]))
  // Messages that were sent show the address they went to.
  if (hidden.user?.has('Phone') || hidden.user?.has('Email')) hidden.almPushRecord = new Set(['Target'])
  const own = rules[0]?.BelongOrganId
  const organ = modules.every(([, of]) => organsOf(of)) ? union([...rules.map((r) => r.Organs), own ? [own] : []]) : undefined
  const open = rules.filter((r) => r.Module === 'project' && r.ProjectIds === null)
  const projectOrgans = organsOf(open)
  return {
    ownProjects: open.length > 0,
    ...(projectOrgans ? { projectOrgans } : {}),
    organs: mapped([...modules.filter(([m]) => m !== 'project').map(([m, of]) => [m, organsOf(of)] as const), ['organ', organ]]),
    hidden,
  }
}

/** What people see with all their roles, or with the one they act as. A person without a role sees nothing and is left out. */
const loadDataScopes = async (db: Db, people: readonly number[], acting: number | null = null) => {
  const ids = [...new Set(people)]
  const rules = await db.rows<Rule>(sql`
    select p.id as "UserId", u."BelongOrganId", s.* from unnest(${ids}::bigint[]) p (id) left join "user" u on u."Id" = p.id
    cross join lateral penstock_sight(p.id, ${acting}::bigint) s`)
  const byPerson = Map.groupBy(rules, (r) => r.UserId)
  const scopes = new Map([...byPerson].map(([id, of]) => [id, scopeOf(of)]))
  const limited = [...scopes].filter(([, scope]) => scope.projectOrgans).map(([id]) => id)
  const projects = limited.length
    ? await db.rows<{ UserId: number; Id: number }>(
        sql`select p.id as "UserId", x as "Id" from unnest(${limited}::bigint[]) p (id) cross join lateral penstock_projects(p.id, ${acting}::bigint) x`,
      )
    : []
  const projectsByUser = Map.groupBy(projects, (p) => p.UserId)
  return new Map(
    [...scopes].map(([id, dataScope]): [number, Required<Scope>] => [
      id,
      { dataScope, projects: dataScope.projectOrgans ? (projectsByUser.get(id) ?? []).map((p) => p.Id) : 'all' },
    ]),
  )
}

/** Of a person without a role that is enabled. */
export const seesNothing: Required<Scope> = {
  projects: [],
  dataScope: { ownProjects: false, projectOrgans: [], organs: { user: [], department: [], post: [], organ: [] }, hidden: {} },
}
/** Of the role a person acts as, else of all of his. */
export const loadDataScope = async (db: Db, person: number, acting: number | null): Promise<Required<Scope>> =>
  (await loadDataScopes(db, [person], acting)).get(person) ?? seesNothing

/** A data permission or a list of projects leaves him less than all rows of the tenant. */
export const isNarrowed = (actor: Actor) => !actor.platform && (actor.dataScope !== undefined || actor.projects !== 'all')

/** Whether the actor's sight bars him from a permission that his roles give: who sees a part of the tenant decides nothing for the rest. */
export const isBarred = (actor: Actor, permission: string) => wholeTenant.has(permission) && isNarrowed(actor)

/** The buttons that work for an actor: his console offers no others. */
export const buttonsOf = (actor: Actor) => [...actor.may].filter((code) => code.includes('.') && !isBarred(actor, code))

/** The actor without sight of more fields of a resource. */
export const hiding = (actor: Actor, resource: string, fields: readonly string[]): Actor => {
  const scope = actor.dataScope ?? { ownProjects: false, organs: {}, hidden: {} }
  return {
    ...actor,
    dataScope: { ...scope, hidden: { ...scope.hidden, [resource]: new Set([...(scope.hidden[resource] ?? []), ...fields]) } },
  }
}

/** Narrows the actor for reading companies, because the platform's notes are hidden from them. */
export const readingCompanies = (actor: Actor): Actor => (actor.platform ? actor : hiding(actor, 'enterprise', ['Remark']))

const column = (alias: string, name: string) => sql.raw(`${alias}."${name}"`)
/** Resources whose rows are about the person in their field UserId. */
const personal = new Set(['apiCredential', 'almPushRecord', 'trialUser', 'mtnPunchRecord'])

/**
 * The conditions that a person's data scope puts on the rows of a resource with the alias. Those he made himself stay. A role or data
 * permission that names organisations or projects out of his sight does not exist for him, unless he has it himself.
 */
export const dataScopeFilter = (resource: string, actor: Actor, alias: string): RawBuilder<unknown>[] => {
  const { dataScope, projects, preview } = actor
  const me = preview ? 0 : actor.UserId
  // Log entries hold old rows, so people with a data permission read only their own.
  if (resource === 'log') return isNarrowed(actor) ? [sql`${column(alias, 'UserId')} = ${me}`] : []
  if (!dataScope) return []
  const { organ } = dataScope.organs
  const heldByActor = (condition: RawBuilder<unknown>) =>
    sql`exists (select 1 from user_role mine where mine."UserId" = ${me} and ${condition})`
  const named = (ids: RawBuilder<unknown>) => (organ ? sql`${ids} <@ ${organ}::bigint[]` : sql`true`)
  const permission = (at: string) => named(sql`array(select jsonb_array_elements_text(${column(at, 'OrganIds')})::bigint)`)
  if (resource === 'role') {
    const at = column(alias, 'ProjectIds')
    const ofProjects = projects === 'all' ? sql`true` : sql`(${at} is null or ${at} = '{}' or ${at} && ${projects}::bigint[])`
    return [
      sql`(${heldByActor(sql`mine."RoleId" = ${column(alias, 'Id')}`)} or ${named(column(alias, 'OrganIds'))} and ${ofProjects}
        and not exists (select 1 from role_data_permission x join data_permission d on d."Id" = x."DataPermissionId"
          where x."RoleId" = ${column(alias, 'Id')} and not ${permission('d')}))`,
    ]
  }
  if (resource === 'dataPermission') {
    const mine = heldByActor(
      sql`exists (select 1 from role_data_permission x where x."RoleId" = mine."RoleId" and x."DataPermissionId" = ${column(alias, 'Id')})`,
    )
    return [sql`(${permission(alias)} or ${mine})`]
  }
  if (personal.has(resource)) {
    const scopeFilter = dataScopeFilter('user', actor, 'person')
    const named = sql`person."Id" = ${column(alias, 'UserId')}`
    return scopeFilter.length ? [sql`exists (select 1 from "user" person where ${sql.join([named, ...scopeFilter], sql` and `)})`] : []
  }
  const organs = dataScope.organs[resource]
  if (!organs) return []
  const own = column(alias, resource === 'user' ? 'Id' : 'CreateUserId')
  return [sql`(${column(alias, resource === 'organ' ? 'Id' : 'BelongOrganId')} = any(${organs}::bigint[]) or ${own} = ${me})`]
}

const within = <T>(some: readonly T[] | undefined, all: readonly T[] | undefined) => !all || some?.every((x) => all.includes(x))

/** Whether one sees rows or fields that the other does not. */
export const isBroader = ({ projects, dataScope }: Scope, than: Scope): boolean => {
  const all = than.projects
  if (all !== 'all' && (projects === 'all' || !projects.every((id) => all.includes(id)))) return true
  if (!than.dataScope) return false
  const { projectOrgans, organs, hidden } = than.dataScope
  return (
    !within(dataScope?.projectOrgans, projectOrgans) ||
    Object.entries(organs).some(([of, ids]) => !within(dataScope?.organs[of], ids)) ||
    Object.entries(hidden).some(([of, fields]) => ![...fields].every((field) => dataScope?.hidden[of]?.has(field)))
  )
}

/** Resources whose rows decide what people see. */
const decidesSight = new Set(['user', 'role', 'dataPermission', 'organ'])

const lockSight = async (db: Db, actor: Actor) => {
  if (isNarrowed(actor)) await db.rows(sql`select pg_advisory_xact_lock(${tenantLocks.sight}, ${actor.EnterpriseId}::int)`)
}
/**
 * A transaction that may change what people see. In a tenant, those of narrowed people run one after the other: of two that are judged
 * without each other, each may be allowed, and both together give what the actor lacks. The lock comes before any row's (locks.ts).
 */
export const changingSight = <T>(db: Db, actor: Actor, work: (db: Db) => Promise<T>, row?: string): Promise<T> =>
  db.tx(
    async (db) => {
      await lockSight(db, actor)
      return work(db)
    },
    isNarrowed(actor) ? `sight ${actor.EnterpriseId}` : row,
  )
/** The same for a change of rows of any resource. */
export const changingRows = <T>(db: Db, actor: Actor, resource: string, work: (db: Db) => Promise<T>, row?: string): Promise<T> =>
  decidesSight.has(resource) ? changingSight(db, actor, work, row) : db.tx(work, row)

/** Throws moreRights if one of the people sees more than the actor: resetting a password allows acting as that person. */
export const assertSeesAsMuch = async (db: Db, actor: Actor, people: readonly number[]) => {
  if (!isNarrowed(actor)) return
  for (const scope of (await loadDataScopes(db, people)).values()) if (isBroader(scope, actor)) throw new Fault('moreRights')
}

type People = () => Promise<readonly number[]> | readonly number[]
/** Does the work, inside a transaction. Throws moreRights if one of the people then sees more than before and more than the actor. */
export const assertNotBroader = async <T>(db: Db, actor: Actor, people: People, work: () => Promise<T>): Promise<T> => {
  if (!isNarrowed(actor)) return work()
  await lockSight(db, actor)
  const before = await loadDataScopes(db, await people())
  const done = await work()
  for (const [id, after] of await loadDataScopes(db, await people())) {
    const had = before.get(id)
    if (isBroader(after, actor) && (!had || isBroader(after, had))) throw new Fault('moreRights')
  }
  return done
}

/**
 * The same for all who have one of the roles, or a role with one of the data permissions. A person with a data permission must see all of them: a
 * change of their role is a change of what they may do.
 */
export const assertRolesNotBroader = async <T>(
  db: Db,
  actor: Actor,
  of: { roles: readonly number[] } | { permissions: readonly number[] },
  work: () => Promise<T>,
): Promise<T> => {
  const roles =
    'roles' in of
      ? sql`${of.roles}::bigint[]`
      : sql`array(select "RoleId" from role_data_permission where "DataPermissionId" = any(${of.permissions}::bigint[]))`
  const scopeFilter = sql.join([sql`true`, ...dataScopeFilter('user', actor, 'u')], sql` and `)
  const people = async () => {
    const holders = await db.rows<{ Id: number; Seen: boolean }>(
      sql`select distinct u."Id", ${scopeFilter} as "Seen" from user_role ur join "user" u on u."Id" = ur."UserId" where ur."RoleId" = any(${roles})`,
    )
    if (holders.some((h) => !h.Seen)) throw new Fault('moreRights')
    return holders.map((h) => h.Id)
  }
  return assertNotBroader(db, actor, people, work)
}

/**
 * Who sees what is below his own organisation, and belongs to one of these, to one that is above one of the places, or to one above these.
 * He gains sight of what comes there.
 */
const peopleAbove = async (db: Db, organs: readonly number[], places: readonly number[]) => {
  const people = await db.rows<{ Id: number }>(sql`
    with recursive above as (
      select "Id", "ParentOrganId" from organ where "Id" = any(${[...organs, ...places]}::bigint[])
      union select o."Id", o."ParentOrganId" from organ o join above on o."Id" = above."ParentOrganId")
    select u."Id" from "user" u where u."BelongOrganId" in (select "Id" from above) and exists (
      select 1 from user_role ur join role r on r."Id" = ur."RoleId" where ur."UserId" = u."Id" and (r."DataScope" = 3 or exists (
        select 1 from role_data_permission x join data_permission d on d."Id" = x."DataPermissionId" where x."RoleId" = r."Id" and d."DataScope" = 3)))`)
  return people.map((u) => u.Id)
}

/** Asked by every change of rows on which it depends what people see, whichever way it comes. `places` are organisations that get others below them. */
export const assertChangeNotBroader = <T>(
  db: Db,
  actor: Actor,
  resource: string,
  ids: readonly number[],
  work: () => Promise<T>,
  places: readonly unknown[] = [],
): Promise<T> => {
  if (resource === 'role') return assertRolesNotBroader(db, actor, { roles: ids }, work)
  if (resource === 'dataPermission') return assertRolesNotBroader(db, actor, { permissions: ids }, work)
  if (resource === 'user') return assertNotBroader(db, actor, () => ids, work)
  // What moves below an organisation comes into the sight of its people. A place that is not named here counts as one they did not see.
  if (resource !== 'organ') return work()
  const named = places.flatMap((id) => (id ? [Number(id)] : []))
  return assertNotBroader(db, actor, async () => [actor.UserId, ...(await peopleAbove(db, ids, named))], work)
}
