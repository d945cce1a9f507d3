import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database/db.ts'
import type { Actor } from './actor.ts'

/** What data permissions leave of a tenant's rows (specification, section 6). */
export type Sight = {
  /** Projects he makes himself are his to see. */
  ownProjects: boolean
  /** Organisations whose rows he sees, by resource; absent: all. */
  organs: Readonly<Record<string, readonly number[]>>
  /** Fields he does not see, by resource. */
  hidden: Readonly<Record<string, ReadonlySet<string>>>
}

type Rule = {
  RoleId: number
  Module: string
  Whole: boolean
  Organs: number[]
  ProjectIds: number[] | null
  Hidden: string[]
}

const union = <T>(lists: readonly (readonly T[])[]): T[] => [...new Set(lists.flat())]

/** Of the role a person acts as, else of all of his. Rights add up: a person sees what any of his roles shows, and does not see a field that all of them hide. */
export const sightOf = async (db: Db, person: number, acting: number | null): Promise<{ projects: 'all' | number[]; sight: Sight }> => {
  const rules = await db.rows<Rule>(sql`select * from penstock_sight(${person}, ${acting})`)
  const roles = new Set(rules.map((r) => r.RoleId)).size
  const organs: Record<string, number[]> = {}
  const hidden: Record<string, Set<string>> = {}
  for (const [module, of] of Map.groupBy(rules, (r) => r.Module)) {
    if (module !== 'project' && !of.some((r) => r.Whole)) organs[module] = union(of.map((r) => r.Organs))
    const byRole = [...Map.groupBy(of, (r) => r.RoleId).values()].map((rs) => new Set(rs.flatMap((r) => r.Hidden)))
    const all = [...byRole[0]!].filter((field) => byRole.length === roles && byRole.every((fields) => fields.has(field)))
    if (all.length) hidden[module] = new Set(all)
  }
  const project = rules.filter((r) => r.Module === 'project')
  const whole = project.some((r) => r.Whole && r.ProjectIds === null)
  const seen = whole ? [] : await db.rows<{ Id: number }>(sql`select * from penstock_projects(${person}, ${acting}) as "Id"`)
  return {
    projects: whole ? 'all' : seen.map((p) => p.Id),
    sight: { ownProjects: project.some((r) => r.ProjectIds === null), organs, hidden },
  }
}

/** The condition that a data permission puts on the rows of a resource with the alias; those one has made oneself stay. */
export const sighted = (resource: string, { sight, UserId, preview }: Actor, alias: string): RawBuilder<unknown>[] => {
  const organs = sight?.organs[resource]
  if (!organs) return []
  const own = sql.raw(`${alias}."${resource === 'user' ? 'Id' : 'CreateUserId'}"`)
  return [sql`(${sql.raw(`${alias}."BelongOrganId"`)} = any(${organs}::bigint[]) or ${own} = ${preview ? 0 : UserId})`]
}
