// Converts messages and actions of rules between numbers, as stored, and names, as in a sheet. A record without a unique name has its number.
import { sql } from 'kysely'
import type { Row } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { department } from '../../../people/departments/contract.ts'
import { user } from '../../../people/users/contract.ts'
import type { alarmRule } from '../../alarm-rules/contract.ts'
import { audienceNames } from '../../alarms/server/service.ts'
import { type Action, type Doing, doingText, type Push, pushText, renamedPush, type Whom, type Write } from './effectsText.ts'
import type { Named } from './text.ts'

type Rule = Row<typeof alarmRule>
type Effects = { push: Push<number> | null; writes: Write<number>[]; actions: Action<number>[] }

export const storedEffects = (rule: Rule): Effects => ({
  push: rule.AlarmPush as Effects['push'],
  writes: (rule.DeviceControl as Effects['writes'] | null) ?? [],
  actions: (rule.ActionExecution as Effects['actions'] | null) ?? [],
})

type Kind = 'user' | 'roster' | 'department' | `template${number}`
/** The names of a tenant: rosters, templates, robots, and of the people visible to the actor `users` (numbers) or `accounts`. */
const known = async (db: Db, actor: Actor, EnterpriseId: number, users: readonly number[], accounts: readonly string[]) => {
  const { Rosters, Templates } = await audienceNames(db, { EnterpriseId })
  const people = await db.rows<{ Id: number; Name: string }>(
    sql`select "Id", "UserNO" as "Name" from "user" t
      where "EnterpriseId" = ${EnterpriseId} and ${visible(user, actor)} and ("Id" = any(${users}::bigint[]) or "UserNO" = any(${accounts}::text[]))`,
  )
  const departments = await db.rows<{ Id: number; Name: string }>(
    sql`select "Id", "DepartmentName" as "Name" from department t where "EnterpriseId" = ${EnterpriseId} and ${visible(department, actor)} order by 1 limit 1000`,
  )
  const all: { kind: Kind; Id: number; Name: string }[] = [
    ...people.map((p) => ({ kind: 'user' as const, ...p })),
    ...departments.map((d) => ({ kind: 'department' as const, ...d })),
    ...Rosters.map((r) => ({ kind: 'roster' as const, ...r })),
    ...Templates.map(({ Method, ...rest }) => ({ kind: `template${Method}` as const, ...rest })),
  ]
  const key = (kind: Kind, of: string | number) => `${kind} ${of}`
  const names = new Map(all.map((a) => [key(a.kind, a.Id), a.Name]))
  const ids = new Map(all.map((a) => [key(a.kind, a.Name), a.Id]))
  return {
    nameOf: (kind: Kind, id: number) => names.get(key(kind, id)) ?? `#${id}`,
    idOf: (kind: Kind, name: string) => ids.get(key(kind, name)),
  }
}

const peopleOf = (of: readonly { push: Push<number> | null; actions: Action<number>[] }[]) =>
  of.flatMap(({ push, actions }) => [
    ...(push ? [push, ...(push.StepPush?.Steps ?? [])].flatMap((a) => a.PushUsers) : []),
    ...actions.flatMap((a) => [...(a.PushUsers ?? []), ...(a.UserId ? [a.UserId] : [])]),
  ])

const whom = <A, B>({ UserId, TeamId, DepartmentId }: Whom<A>, to: (kind: Kind, of: A) => B): Whom<B> => ({
  ...(UserId ? { UserId: to('user', UserId) } : {}),
  ...(TeamId ? { TeamId: to('roster', TeamId) } : {}),
  ...(DepartmentId ? { DepartmentId: to('department', DepartmentId) } : {}),
})

/** The cells of rules, in order. */
export const effectTexts = async (db: Db, actor: Actor, rules: readonly Rule[], point: (id: number) => Named) => {
  const tenants = new Map(
    (
      await db.rows<{ Id: number; EnterpriseId: number }>(
        sql`select "Id", "EnterpriseId" from alarm_rule where "Id" = any(${rules.map((r) => r.Id)}::bigint[])`,
      )
    ).map((r) => [r.Id, r.EnterpriseId]),
  )
  const effects = rules.map(storedEffects)
  const by = new Map<number, Awaited<ReturnType<typeof known>>>()
  for (const tenant of new Set(tenants.values())) by.set(tenant, await known(db, actor, tenant, peopleOf(effects), []))
  return rules.map((rule, i) => {
    const { nameOf } = by.get(tenants.get(rule.Id) ?? 0)!
    const { push, writes, actions } = effects[i]!
    const user = (id: number) => nameOf('user', id)
    const named = push && renamedPush(push, { user, roster: (id) => nameOf('roster', id), template: (m, id) => nameOf(`template${m}`, id) })
    const doing: Doing<string, Named> = {
      writes: writes.map((w) => ({ ...w, ParaId: point(w.ParaId) })),
      actions: actions.map(({ PushUsers, UserId, TeamId, DepartmentId, ...a }) => ({
        ...a,
        ...(PushUsers ? { PushUsers: PushUsers.map(user) } : {}),
        ...whom({ UserId, TeamId, DepartmentId } as Whom<number>, nameOf),
      })),
    }
    return { Messages: pushText(named), Actions: doingText(doing) }
  })
}

/**
 * Resolves names in the text to ids; leaves out what the text omits.
 * @throws FieldFaults at the column, with the unknown name.
 */
export const effectsOf = async (
  db: Db,
  actor: Actor,
  project: number,
  { push, doing }: { push: Push<string> | null | undefined; doing: Doing<string, Named> | undefined },
  point: (named: Named, field: string) => number,
) => {
  const [owner] = await db.rows<{ EnterpriseId: number }>(sql`select "EnterpriseId" from project where "Id" = ${project}`)
  const accounts = [
    ...(push ? [push, ...(push.StepPush?.Steps ?? [])].flatMap((a) => a.PushUsers) : []),
    ...(doing?.actions ?? []).flatMap((a) => [...(a.PushUsers ?? []), ...(a.UserId ? [a.UserId] : [])]),
  ]
  const { idOf } = await known(db, actor, owner?.EnterpriseId ?? 0, [], accounts)
  const id = (field: string, kind: Kind, name: string) => {
    const found = /^#\d+$/.test(name) ? Number(name.slice(1)) : idOf(kind, name)
    if (found === undefined) throw new FieldFaults([{ field, rule: 'alarmRule.fault.name', values: { name } }])
    return found
  }
  const AlarmPush =
    push &&
    renamedPush(push, {
      user: (name) => id('Messages', 'user', name),
      roster: (name) => id('Messages', 'roster', name),
      template: (method, name) => id('Messages', `template${method}`, name),
    })
  return {
    ...(AlarmPush === undefined ? {} : { AlarmPush }),
    ...(doing && {
      DeviceControl: doing.writes.map((w) => ({ ...w, ParaId: point(w.ParaId, 'Actions') })),
      ActionExecution: doing.actions.map(({ PushUsers, UserId, TeamId, DepartmentId, ...a }) => ({
        ...a,
        ...whom({ UserId, TeamId, DepartmentId } as Whom<string>, (kind, name) => id('Actions', kind, name)),
        ...(PushUsers ? { PushUsers: PushUsers.map((name) => id('Actions', 'user', name)) } : {}),
      })),
    }),
  }
}
