import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { type FieldFault, FieldFaults, notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { copyName } from '../../../../server/resource/copyName.ts'
import type { Listing } from '../../../../server/resource/list.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { type Check, store } from '../../../../server/resource/store.ts'
import type { Stored } from '../../../../server/telemetry/sample.ts'
import { device } from '../../../configuration/devices/contract.ts'
import { proModel } from '../../../configuration/models/contract.ts'
import { point } from '../../../configuration/points/contract.ts'
import { project } from '../../../configuration/projects/contract.ts'
import { user } from '../../../people/users/contract.ts'
import type { RuleConfigure } from '../../alarm-rules/alarm-configure.ts'
import { alarmRule } from '../../alarm-rules/contract.ts'
import { checkConfigure, shapeFaults } from './ruleCheck.ts'
import { controlFaults, effectFaults, foreignGuests, withoutPeople } from './ruleEffects.ts'

type Values = Record<string, unknown>
const person = user

const boundOfLater = new Set(['alarmRule.fault.slots', 'alarmRule.fault.repeated'])

/** Checks the resulting rule: its references exist under their names, and its actions are possible. Its project is that of its points. */
export const checkRule: Check<typeof alarmRule> = async (db, actor, given, existing) => {
  const level = Number(given.AlarmLevel ?? existing?.AlarmLevel ?? 2)
  const configured = (given.RuleConfigure ?? existing?.RuleConfigure) as RuleConfigure
  const inConfigure = (f: FieldFault) => ({ ...f, field: `RuleConfigure.${f.field}` })
  const shape = shapeFaults(configured)
  if (shape.length) throw new FieldFaults(shape.map(inConfigure))
  const owner = Number(given.ProjectId ?? existing?.ProjectId) || undefined
  const { faults, configure, project, names } = await checkConfigure(db, actor, configured, level, owner)
  const all: FieldFault[] = [
    ...(await effectFaults(db, actor, { given, existing, configure }, existing?.ProjectId ?? project)),
    // A rule of an earlier version may be changed in its other fields.
    ...faults.filter((f) => given.RuleConfigure || !boundOfLater.has(f.rule)).map(inConfigure),
  ]
  if (!project) all.push({ field: 'ProjectId', rule: 'required' })
  if (all.length) throw new FieldFaults(all)
  const named = { RuleConfigure: configure, ParamNames: names.join(', ').slice(0, 2000) }
  return { ...given, ...(existing ? {} : { ProjectId: project }), ...(given.RuleConfigure ? named : {}) }
}
/** Checks a rule that is enabled without other changes, because it will write. Anyone who may change rules may disable one. */
export const checkTurn: Check<typeof alarmRule> = async (db, actor, given, existing) => {
  const faults = given.Status === 1 && existing?.Status !== 1 ? await controlFaults(db, actor, existing ?? {}) : []
  if (faults.length) throw new FieldFaults(faults)
  return given
}
/** Every write of rules runs these checks. */
export const rules = store(alarmRule, checkRule)

const devicesOf = (configure: unknown) =>
  (configure as RuleConfigure).RuleList.flatMap((g) => g.Conditions.flatMap((c) => c.AlarmParams.flatMap((p) => p.DeviceId ?? [])))

/** A page of rules, each with the names of its devices. */
export const listRules = async (db: Db, actor: Actor, q: Listing) => {
  const page = await rules.list(db, actor, q)
  const ids = [...new Set(page.Items.flatMap((row) => devicesOf(row.RuleConfigure)))]
  const named =
    ids.length && !actor.dataScope?.hidden.device?.has('DeviceName')
      ? await db.rows<{ Id: number; DeviceName: string }>(
          sql`select "Id", "DeviceName" from device t where "Id" = any(${ids}::bigint[]) and ${visible(device, actor)}`,
        )
      : []
  const names = new Map(named.map((row) => [row.Id, row]))
  const Items = page.Items.map((row) => ({
    ...row,
    DeviceNames: [...new Set(devicesOf(row.RuleConfigure))].flatMap((id) => names.get(id) ?? []),
  }))
  return { ...page, Items }
}

/** All or none. */
export const createRules = (db: Db, actor: Actor, items: readonly Values[]) =>
  db.tx(async (db) => {
    for (const item of items) await rules.create(db, actor, item)
    return { Added: items.length }
  })

/** Copies rules, disabled, under the original name and the next free number. Leaves out people that the actor cannot name. */
export const copyRules = (db: Db, actor: Actor, ids: readonly number[]) =>
  db.tx(async (db) => {
    const LeftOut = new Set<string>()
    for (const id of new Set(ids)) {
      const { Id: _, RuleNo: __, Enabled: ___, IsDelete: ____, LastTriggerTime: _____, ...existing } = await rules.find(db, actor, id)
      const RuleName = await copyName(db, alarmRule as never, existing.RuleName, sql`"ProjectId" = ${existing.ProjectId}`)
      const guests = await foreignGuests(db, actor, existing)
      for (const { UserName } of guests) LeftOut.add(UserName)
      const effects = withoutPeople(
        existing,
        guests.map(({ Id }) => Id),
      )
      await rules.create(db, actor, { ...(existing as Values), ...effects, RuleName, Status: 0 })
    }
    return { Changed: new Set(ids).size, LeftOut: [...LeftOut] }
  })

export type RulePoint = {
  ParaId: number
  ParaName: string
  ParaUnitName: string
  ParaDataType: number
  ZeroText: string | null
  OneText: string | null
  DeviceId: number
  DeviceName: string
  ProjectId: number
  Period: number
  Writable: boolean
  Value: number | null
  Time: number | null
}

/** Points to choose from, with current values; at most 200 unless Ids are given. */
export const rulePoints = async (
  db: Db,
  actor: Actor,
  newest: (point: number) => Stored | undefined,
  {
    search = '',
    project,
    model,
    ids,
    devices,
    writable,
  }: { search?: string; project?: number; model?: number; ids?: number[]; devices?: number[]; writable?: boolean },
): Promise<RulePoint[]> => {
  const like = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  const rows = await db.rows<Omit<RulePoint, 'Value' | 'Time'>>(sql`
    select t."Id" as "ParaId", t."ParaName", coalesce(t."ParaUnitName", '') as "ParaUnitName", t."ParaDataType", t."ZeroText", t."OneText", d."Id" as "DeviceId", d."DeviceName", g."ProjectId",
      (case when t."UploadMode" = 0 then t."UploadPeriod" else t."CollectPeriod" / 1000.0 end)::float8 as "Period",
      t."ReadWriteType" <> 0 as "Writable"
    from point t join device d on d."Id" = t."DeviceId" join gateway g on g."Id" = d."GatewayId"
    where ${visible(point, actor)} and ${ids ? sql`t."Id" = any(${ids}::bigint[])` : sql`true`}
      and ${devices ? sql`t."DeviceId" = any(${devices}::bigint[])` : sql`true`} and ${project ? sql`g."ProjectId" = ${project}` : sql`true`}
      and ${model ? sql`d."ModelId" = ${model}` : sql`true`} and ${writable ? sql`t."ReadWriteType" <> 0` : sql`true`}
      and ${search ? sql`(t."ParaName" ilike ${like} or d."DeviceName" ilike ${like})` : sql`true`}
    order by d."DeviceName", t."Id" limit ${ids ? 1000 : 200}`)
  return rows.map((row) => {
    const reading = newest(row.ParaId)
    return { ...row, Value: reading?.value ?? null, Time: reading?.time ?? null }
  })
}

/** The tenant whose people, rosters and templates a rule of the project may use; without a project, the actor's. */
export const tenantOf = async (db: Db, actor: Actor, id: number | undefined): Promise<{ EnterpriseId: number }> => {
  if (!id) return actor
  const [row] = await db.rows<{ EnterpriseId: number }>(
    sql`select "EnterpriseId" from project t where "Id" = ${id} and ${visible(project, actor)}`,
  )
  if (!row) throw notFound()
  return row
}

export type RuleModel = { Id: number; ModelName: string; ProjectId: number | null; ProjectName: string | null; Devices: number }

/** Models with their number of devices, in every project or in one. */
export const ruleModels = async (db: Db, actor: Actor, id: number | undefined): Promise<RuleModel[]> => {
  const devices = sql`select d."ModelId", g."ProjectId", count(*)::int as "Devices" from device d join gateway g on g."Id" = d."GatewayId"
    where d."ModelId" is not null and ${visible(device, actor, 'd')} and ${id ? sql`g."ProjectId" = ${id}` : sql`true`} group by 1, 2`
  return db.rows<RuleModel>(sql`
    select t."Id", t."ModelName", x."ProjectId", p."ProjectName", coalesce(x."Devices", 0) as "Devices" from pro_model t
    left join (${devices}) x on x."ModelId" = t."Id" left join project p on p."Id" = x."ProjectId"
    where ${visible(proModel, actor)} and ${id ? sql`t."EnterpriseId" = ${(await tenantOf(db, actor, id)).EnterpriseId}` : sql`true`}
    order by t."ModelName", p."ProjectName", t."Id" limit 1000`)
}

type RuleUser = { Id: number; UserName: string; UserNO: string }
/** Visible people of a tenant by name, plus the actor if he is a platform administrator, plus the names of those a rule already lists. */
export const ruleUsers = async (db: Db, actor: Actor, { EnterpriseId }: { EnterpriseId: number }, ofRule: boolean): Promise<RuleUser[]> => {
  const own = await db.rows<RuleUser>(sql`
    select "Id", "UserName", "UserNO" from "user" t
    where ("EnterpriseId" = ${EnterpriseId} or ${actor.platform && ofRule} and "Id" = ${actor.UserId}) and ${visible(person, actor)}
    order by "UserName", "Id" limit 1000`)
  const guests = await db.rows<RuleUser>(sql`
    select g."Id", g."UserName", '' as "UserNO" from penstock_platform_people(array(
      select distinct id::bigint from alarm_rule r,
        lateral (select jsonb_path_query(r."AlarmPush", '$.**.PushUsers[*]') union all select jsonb_path_query(r."ActionExecution", '$[*].PushUsers[*]')) named (id)
      where r."EnterpriseId" = ${EnterpriseId})) g`)
  return [...own, ...guests.filter((g) => !own.some((u) => u.Id === g.Id))]
}

export const sendInfo = async (db: Db, actor: Actor, id: number) => {
  const { IsSend, AlarmPush } = await rules.find(db, actor, id)
  const push = AlarmPush as { PushUsers: number[]; PushMethods: { Method: number }[] } | null
  const Users = await db.rows<{ Id: number; UserName: string }>(
    sql`select "Id", "UserName" from "user" t where "Id" = any(${push?.PushUsers ?? []}::bigint[]) and "EnterpriseId" = ${actor.EnterpriseId} and ${visible(person, actor)} order by "UserName"`,
  )
  Users.push(
    ...(await db.rows<(typeof Users)[0]>(sql`
    select * from penstock_platform_people(${push?.PushUsers ?? []}::bigint[]) g where g."Id" <> all(${Users.map((u) => u.Id)}::bigint[])`)),
  )
  return { IsSend, Users, Methods: push?.PushMethods.map((m) => m.Method) ?? [] }
}
