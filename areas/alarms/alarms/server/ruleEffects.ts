// Checks the actions of a rule when it is saved: people, templates and points exist and the actor may use them.

import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { snakeCase } from '../../../../contract/text.ts'
import type { Db } from '../../../../server/database/db.ts'
import type { FieldFault } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { unknownIds } from '../../../../server/identity/scopedRows.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { writeFault } from '../../../configuration/gateways/server/service.ts'
import { point } from '../../../configuration/points/contract.ts'
import { AlarmPush, PushMethod, type PushStep, pushFaults } from '../../alarm-rules/alarm-push.ts'
import { ActionExecution, DeviceControl } from '../../alarm-rules/contract.ts'
import { shapeFaults } from './ruleCheck.ts'

type Values = Record<string, unknown>
type Control = Static<typeof DeviceControl>
type Writable = Parameters<typeof writeFault>[0] & { Id: number; ParaName: string; ProjectId: number }
const shapes = {
  AlarmPush: Compile(AlarmPush),
  DeviceControl: Compile(DeviceControl),
  ActionExecution: Compile(ActionExecution),
}
/** Batches and sheets do not pass the schema of the call, so this checks it again. */
const misshapen = (given: Values): FieldFault[] =>
  Object.entries(shapes).flatMap(([name, schema]) =>
    given[name] ? shapeFaults(given[name], schema as never).map((f) => ({ ...f, field: `${name}.${f.field}` })) : [],
  )

const templates: Record<number, string> = {
  [PushMethod.sms]: 'almSmsTemplate',
  [PushMethod.email]: 'almEmailTemplate',
  [PushMethod.wechat]: 'almWechatTemplate',
  [PushMethod.dingtalk]: 'dingRobot',
}

/** The people in a push and its steps. */
const peopleOf = (push: AlarmPush | null | undefined) => (push ? [push, ...(push.StepPush?.Steps ?? [])].flatMap((p) => p.PushUsers) : [])

/**
 * Whether a rule of the tenant must not notify one of these people. Platform administrators can only add themselves, but those already in
 * the rule may stay.
 */
const hasStranger = async (db: Db, actor: Actor, tenant: number, ids: readonly number[], existing: readonly number[]) => {
  const unknown = [...(await unknownIds(db, actor, 'user', { ids, tenant, existing }))]
  const allowed = unknown.filter((id) => existing.includes(id) || (actor.platform && id === actor.UserId))
  if (!unknown.length || allowed.length < unknown.length) return unknown.length > 0
  const guests = await db.rows(sql`select 1 from penstock_platform_people(${allowed}::bigint[])`)
  return guests.length < unknown.length
}

type Effects = { IsSend?: unknown; AlarmPush?: unknown; ActionExecution?: unknown }
const effectsOf = (rule: Effects) =>
  [rule.AlarmPush as AlarmPush | null, (rule.ActionExecution ?? []) as Static<typeof ActionExecution>] as const

/** Platform administrators in a rule, except the actor: only they can add themselves. */
export const foreignGuests = (db: Db, actor: Actor, rule: Effects) => {
  const [push, actions] = effectsOf(rule)
  const people = [...peopleOf(push), ...actions.flatMap((a) => a.PushUsers ?? [])].filter((id) => id !== actor.UserId)
  return db.rows<{ Id: number; UserName: string }>(
    sql`select "Id", "UserName" from penstock_platform_people(${people}::bigint[]) order by 2`,
  )
}

/** Removes people from a rule's actions. A rule without recipients no longer notifies. */
export const withoutPeople = (rule: Effects, people: readonly number[]): Effects => {
  if (!people.length) return {}
  const [push, actions] = effectsOf(rule)
  const stay = (ids: readonly number[]) => ids.filter((id) => !people.includes(id))
  const without = <P extends Pick<PushStep, 'PushUsers'>>(p: P): P => ({ ...p, PushUsers: stay(p.PushUsers) })
  const AlarmPush = push && {
    ...without(push),
    ...(push.StepPush && { StepPush: { ...push.StepPush, Steps: push.StepPush.Steps.map(without) } }),
  }
  const ActionExecution = actions
    .map((a) => (a.PushUsers ? { ...a, PushUsers: stay(a.PushUsers) } : a))
    .filter((a) => a.PushUsers?.length !== 0)
  const lacksPeople = AlarmPush && pushFaults(AlarmPush).some((f) => f.Path.endsWith('PushUsers'))
  return { AlarmPush, ActionExecution: rule.ActionExecution && ActionExecution, ...(lacksPeople && { IsSend: 0 }) }
}

/** Faults of a push in this tenant; fields begin with `AlarmPush.`. The caller must see the people added to `before`. */
export const checkPush = async (
  db: Db,
  actor: Actor,
  tenant: number,
  push: AlarmPush,
  before?: AlarmPush | null,
): Promise<FieldFault[]> => {
  const existing = peopleOf(before)
  const isUnknown = async (resource: string, ids: readonly number[]) =>
    resource === 'user' ? hasStranger(db, actor, tenant, ids, existing) : (await unknownIds(db, actor, resource, { ids, tenant })).size > 0
  const faults: FieldFault[] = pushFaults(push).map(({ Path, key, values }) => ({ field: `AlarmPush.${Path}`, rule: key, values }))
  const unknown = (field: string) => void faults.push({ field: `AlarmPush.${field}`, rule: 'unknownReference' })
  const steps = [{ at: '', ...push }, ...(push.StepPush?.Steps ?? []).map((step, i) => ({ at: `StepPush.Steps.${i}.`, ...step }))]
  for (const { at, PushUsers, PushRosters = [], PushMethods } of steps) {
    if (await isUnknown('user', PushUsers)) unknown(`${at}PushUsers`)
    if (await isUnknown('alarmRoster', PushRosters)) unknown(`${at}PushRosters`)
    for (const [i, { Method, TemplateId }] of PushMethods.entries()) {
      const template = templates[Method]
      if (template && TemplateId && (await isUnknown(template, [TemplateId]))) unknown(`${at}PushMethods.${i}.TemplateId`)
    }
  }
  return faults
}

const checkControl = async (db: Db, actor: Actor, control: Control, project: number | undefined): Promise<FieldFault[]> => {
  if (!control.length) return []
  // A rule that writes requires the permission to write values.
  if (!actor.may.has('m10104.write')) return [{ field: 'DeviceControl', rule: 'alarmRule.fault.mayNotWrite' }]
  const points = await db.rows<Writable>(sql`
    select t."Id", t."ParaName", t."ReadWriteType", t."ParaDataType", t."SampleLow", t."SampleHigh", t."ProjectLow", t."ProjectHigh", g."ProjectId"
    from point t join device d on d."Id" = t."DeviceId" join gateway g on g."Id" = d."GatewayId"
    where t."Id" = any(${control.map((c) => c.ParaId)}::bigint[]) and ${visible(point, actor)}`)
  return control.flatMap(({ ParaId, Value }, i): FieldFault[] => {
    const at = `DeviceControl.${i}`
    const found = points.find((p) => p.Id === ParaId)
    if (!found || found.ProjectId !== project) return [{ field: `${at}.ParaId`, rule: 'unknownReference' }]
    const wrong = writeFault(found, Value)
    return wrong
      ? [
          {
            field: `${at}.${wrong === 'notWritable' ? 'ParaId' : 'Value'}`,
            rule: `fault.${wrong}`,
            values: { name: found.ParaName, value: Value },
          },
        ]
      : []
  })
}

type Action = Static<typeof ActionExecution>[number]
const ofOrders = { UserId: 'user', TeamId: 'alarmRoster', DepartmentId: 'department' } as const
/** Faults of an action for its type; the assignee of an order must be possible and belong to the tenant. */
const orderFaults = async (db: Db, actor: Actor, tenant: number, action: Action, existing: readonly Action[]) => {
  const faults: [name: string, rule: string][] = []
  const given = (Object.keys(ofOrders) as (keyof typeof ofOrders)[]).filter((name) => action[name])
  for (const [i, name] of given.entries()) {
    const before = existing.flatMap((a) => a[name] ?? [])
    if (action.Type !== 1 || i > 0) faults.push([name, 'alarmRule.fault.unused'])
    else if ((await unknownIds(db, actor, ofOrders[name], { ids: [action[name]!], tenant, existing: before })).size)
      faults.push([name, 'unknownReference'])
  }
  if (action.Type !== 1 && action.Urgency) faults.push(['Urgency', 'alarmRule.fault.unused'])
  return faults
}

const checkActions = async (
  db: Db,
  actor: Actor,
  tenant: number,
  actions: Static<typeof ActionExecution>,
  before: Static<typeof ActionExecution> | null,
): Promise<FieldFault[]> => {
  const existing = (before ?? []).flatMap((a) => a.PushUsers ?? [])
  const faults: FieldFault[] = []
  const addFault = (i: number, name: string, rule: string) => void faults.push({ field: `ActionExecution.${i}.${name}`, rule })
  for (const [i, action] of actions.entries()) {
    const { Type, Url, PushUsers, Text } = action
    for (const [name, rule] of await orderFaults(db, actor, tenant, action, before ?? [])) addFault(i, name, rule)
    if (Type === 1) {
      if (actions.findIndex((a) => a.Type === 1) < i) addFault(i, 'Type', 'alarmRule.fault.twice')
      for (const [name, value] of Object.entries({ Url, PushUsers, Text })) if (value) addFault(i, name, 'alarmRule.fault.unused')
    } else if (Type === 3) {
      if (!Url) addFault(i, 'Url', 'required')
      else if (!URL.canParse(Url) || new URL(Url).username) addFault(i, 'Url', 'pattern')
      if (PushUsers) addFault(i, 'PushUsers', 'alarmRule.fault.unused')
      if (Text) addFault(i, 'Text', 'alarmRule.fault.unused')
    } else {
      if (Url) addFault(i, 'Url', 'alarmRule.fault.unused')
      if (!PushUsers) addFault(i, 'PushUsers', 'required')
      else if (await hasStranger(db, actor, tenant, PushUsers, existing)) addFault(i, 'PushUsers', 'unknownReference')
    }
  }
  return faults
}

/** Names available to a push, besides people. */
export const audienceNames = async (db: Db, { EnterpriseId }: Pick<Actor, 'EnterpriseId'>) => {
  const named = (table: string, name: string) =>
    db.rows<{ Id: number; Name: string }>(
      sql`select "Id", ${sql.ref(name)} as "Name" from ${sql.table(table)} where "EnterpriseId" = ${EnterpriseId} order by 2, 1 limit 500`,
    )
  const templateNames = Object.entries(templates).map(async ([method, resource]) =>
    (await named(snakeCase(resource), resource === 'dingRobot' ? 'Name' : 'TemplateName')).map((row) => ({
      Method: Number(method),
      ...row,
    })),
  )
  const [Rosters, ...found] = await Promise.all([named('alarm_roster', 'RosterName'), ...templateNames])
  return { Rosters, Templates: found.flat() }
}

/**
 * Whether a change affects when a rule raises, and therefore when it writes. Compares with the conditions as given and as
 * completed, so that a form which sends them back unchanged changes nothing.
 */
const decidesWhen = (given: Values, existing: Values | undefined, configure: unknown) =>
  !existing ||
  (given.Status === 1 && existing.Status !== 1) ||
  (given.RuleConfigure !== undefined && ![given.RuleConfigure, configure].some((c) => isDeepStrictEqual(c, existing.RuleConfigure)))

/** Controls of the rule that the actor may not write. */
export const controlFaults = (db: Db, actor: Actor, { DeviceControl, ProjectId }: Values) =>
  checkControl(db, actor, (DeviceControl ?? []) as Control, ProjectId as number | undefined)

/** Checks only the given fields against the tenant; `existing` is the previous rule, `configure` its completed conditions. */
export const effectFaults = async (
  db: Db,
  actor: Actor,
  { given, existing, configure }: { given: Values; existing?: Values | undefined; configure: unknown },
  project: number | undefined,
): Promise<FieldFault[]> => {
  const whole: Values = { ...existing, ...given }
  const faults = misshapen(given)
  if (faults.length) return faults
  if (whole.IsSend === 1 && !whole.AlarmPush) faults.push({ field: 'AlarmPush', rule: 'required' })
  // Not the actor's tenant: a platform administrator changes rules of other tenants.
  const [owner] = await db.rows<{ EnterpriseId: number }>(sql`select "EnterpriseId" from project where "Id" = ${project ?? 0}`)
  const tenant = owner?.EnterpriseId ?? actor.EnterpriseId
  // A disabled push may be incomplete.
  if ((given.AlarmPush || given.IsSend === 1) && shapes.AlarmPush.Check(whole.AlarmPush))
    faults.push(
      ...(await checkPush(db, actor, tenant, whole.AlarmPush, existing?.AlarmPush as AlarmPush | null)).filter(
        (f) => whole.IsSend === 1 || f.rule !== 'fault.field.required',
      ),
    )
  if (given.DeviceControl || decidesWhen(given, existing, configure))
    faults.push(...(await controlFaults(db, actor, { DeviceControl: whole.DeviceControl, ProjectId: project })))
  if (Array.isArray(given.ActionExecution))
    faults.push(...(await checkActions(db, actor, tenant, given.ActionExecution, existing?.ActionExecution as never)))
  return faults
}
