// Relation of a person to an order, and possible assignees.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { isTrial, mayReceive } from '../../../../server/identity/receivers.ts'
import { unknownIds } from '../../../../server/identity/scopedRows.ts'
import { ofTeam } from '../../../../server/identity/sight.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { alarmRoster } from '../../../alarms/alarm-rosters/contract.ts'
import { department } from '../../../people/departments/contract.ts'
import { user } from '../../../people/users/contract.ts'
import { orderClocks } from '../clocks.ts'
import type { Standing } from '../steps.ts'
import type { Given, Order } from './steps.ts'

/** Steps that count as work: their actors must not check the order, unless the company allows it. */
const working = ['accept', 'arrive', 'suspend', 'resume', 'finish', 'takeOver']

/** Relations of the person to some orders, by Id. */
export const standingsOf = async (db: Db, actor: Actor, ids: readonly number[]): Promise<(id: number) => Standing> => {
  const rows = await db.rows<{ Id: number; inTeam: boolean; hasWorked: boolean }>(sql`
    select t."Id", coalesce(${ofTeam(actor, 't')}, false) as "inTeam", exists (
      select 1 from mtn_order_history h where h."OrderId" = t."Id" and h."UserId" = ${actor.UserId} and h."Step" = any(${working}::text[]))
      and not exists (select 1 from tenant_config c where c."EnterpriseId" = t."EnterpriseId" and c."Name" = ${orderClocks.name} and c."Config" @> '{"OwnCheck": 1}') as "hasWorked"
    from mtn_maintenance_order t where t."Id" = any(${ids}::bigint[])`)
  const byId = new Map(rows.map((row) => [row.Id, row]))
  return (id) => {
    const row = byId.get(id)
    return { UserId: actor.UserId, may: (code) => actor.may.has(code), inTeam: row?.inTeam ?? false, hasWorked: row?.hasWorked ?? false }
  }
}
export const standingOf = async (db: Db, actor: Actor, { Id }: Pick<Order, 'Id'>): Promise<Standing> =>
  (await standingsOf(db, actor, [Id]))(Id)

export type Receiver = { field: 'AssignUserId' | 'TeamId' | 'DepartmentId'; Id: number; Name: string }
type Place = { EnterpriseId: number; ProjectId: number | null }

/** Whether a person of the tenant could see an order of the project. */
const couldSee = (
  of: Place,
) => sql`u."EnterpriseId" = ${of.EnterpriseId} and ${mayReceive('u', sql`${of.ProjectId}`, new Date())} and not ${isTrial(sql.ref('u.Id'))}
  and exists (select 1 from user_role ur join role x on x."Id" = ur."RoleId" where ur."UserId" = u."Id" and x."Status" = 1 and ('m10601.work' = any(x."MenuCodes") or x."IsPlatform" = 1))`

const receivers = [
  ['UserId', 'user', 'user', 'UserName', 'AssignUserId'],
  ['TeamId', 'alarmRoster', 'alarm_roster', 'RosterName', 'TeamId'],
  ['DepartmentId', 'department', 'department', 'DepartmentName', 'DepartmentId'],
] as const

/** Resolves the given person, team or department (the first of several) with its name. Throws FieldFaults if it cannot see the order. */
export const receiverOf = async (db: Db, actor: Actor, order: Place, given: Given): Promise<Receiver> => {
  const named = receivers.flatMap(([name, resource, table, title, field]) =>
    given[name] ? [{ name, resource, table, title, field, id: given[name] }] : [],
  )
  for (const { name, resource, id } of named)
    if ((await unknownIds(db, actor, resource, { ids: [id], tenant: order.EnterpriseId })).size)
      throw new FieldFaults([{ field: name, rule: 'unknownReference' }])
  const [first] = named
  if (!first) throw new FieldFaults([{ field: 'UserId', rule: 'required' }])
  const { table, title, id, field } = first
  const able = field === 'AssignUserId' ? couldSee(order) : sql`true`
  const [row] = await db.rows<{ Name: string }>(
    sql`select ${sql.ref(title)} as "Name" from ${sql.table(table)} u where u."Id" = ${id} and ${able}`,
  )
  if (!row) throw new FieldFaults([{ field: 'UserId', rule: 'fault.field.orderUnseen' }])
  return { field, Id: id, Name: row.Name }
}

/** Possible assignees of a project's orders, as far as the actor sees them. */
export const peopleFor = async (db: Db, actor: Actor, of: Place) => {
  const [People, Teams, Departments] = await db.all([
    sql<{ Id: number; UserName: string }>`
      select u."Id", u."UserName" from "user" u where ${couldSee(of)} and ${visible(user, actor, 'u')} order by u."UserName", u."Id" limit 1000`,
    sql<{ Id: number; Name: string }>`
      select t."Id", t."RosterName" as "Name" from alarm_roster t where t."EnterpriseId" = ${of.EnterpriseId} and ${visible(alarmRoster, actor)} order by 2, 1 limit 500`,
    sql<{ Id: number; Name: string }>`
      select t."Id", t."DepartmentName" as "Name" from department t where t."EnterpriseId" = ${of.EnterpriseId} and ${visible(department, actor)} order by 2, 1 limit 500`,
  ])
  return { People, Teams, Departments }
}
