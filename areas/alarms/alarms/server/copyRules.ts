// Copies the alarm rules of a project when the project is copied.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { device } from '../../../configuration/devices/contract.ts'
import { point } from '../../../configuration/points/contract.ts'
import { deviceInCopy, pointInCopy } from '../../../configuration/points/server/service.ts'
import type { RuleCondition, RuleConfigure } from '../../alarm-rules/alarm-configure.ts'
import { alarmRule } from '../../alarm-rules/contract.ts'
import { foreignGuests, withoutPeople } from './ruleEffects.ts'
import { rules } from './ruleService.ts'

/** Maximum number of copied rules. */
export const mostRulesCopied = 1000
type Between = { from: number; to: number }
/** A rule that was not copied, with the missing references: points by device and name. */
export type RuleLeft = { RuleName: string; Lacks: string[] }
type Control = { ParaId: number }[] | null
type Ids = ReadonlyMap<number, number | null>

export const mayCopyRules = ({ may, dataScope }: Actor) =>
  may.has(`${alarmRule.permission}.add`) && !dataScope?.hidden[alarmRule.name]?.size

/** The rules of a project that are copied. */
export const rulesToCopy = (db: Db, actor: Actor, project: number) =>
  db.rows<{ Id: number; RuleName: string }>(sql`
    select t."Id", t."RuleName" from alarm_rule t where t."ProjectId" = ${project} and ${visible(alarmRule, actor)} order by t."Id" limit ${mostRulesCopied}`)

type Found = { Id: number; Name: string; Copy: number | null }
const pointsOf = (db: Db, actor: Actor, ids: readonly number[], { from, to }: Between) =>
  db.rows<Found>(sql`
    select t."Id", d."DeviceName" || ' ' || t."ParaName" as "Name", ${pointInCopy(to)} as "Copy"
    from point t join device d on d."Id" = t."DeviceId" join gateway g on g."Id" = d."GatewayId"
    where t."Id" = any(${[...ids]}::bigint[]) and g."ProjectId" = ${from} and ${visible(point, actor)}`)
const devicesOf = (db: Db, actor: Actor, ids: readonly number[], { from, to }: Between) =>
  db.rows<Found>(sql`
    select t."Id", t."DeviceName" as "Name", ${deviceInCopy(to)} as "Copy" from device t join gateway g on g."Id" = t."GatewayId"
    where t."Id" = any(${[...ids]}::bigint[]) and g."ProjectId" = ${from} and ${visible(device, actor)}`)

const conditionsOf = ({ RuleList }: RuleConfigure) => RuleList.flatMap(({ Conditions }) => Conditions)

/** The condition with the points and devices of the copy. The check of the rule completes it. */
const conditionFor = (c: RuleCondition, { to }: Between, points: Ids, devices: Ids): RuleCondition => ({
  ...c,
  AlarmParams: c.AlarmParams.map((p) => (p.ParaId ? { ParaId: points.get(p.ParaId) ?? p.ParaId } : p)),
  ...(c.DeviceSelection && {
    DeviceSelection: {
      ...c.DeviceSelection,
      ...(c.DeviceSelection.ProjectId && { ProjectId: to }),
      ...(c.DeviceSelection.DeviceIds && { DeviceIds: c.DeviceSelection.DeviceIds.map((id) => devices.get(id) ?? id) }),
    },
  }),
})

/** The copied rule, or its missing references. */
const ruleFor = async (db: Db, actor: Actor, rule: { RuleConfigure: unknown; DeviceControl: unknown }, between: Between) => {
  const [configure, control] = [rule.RuleConfigure as RuleConfigure, rule.DeviceControl as Control]
  const conditions = conditionsOf(configure)
  const pointIds = [...conditions.flatMap((c) => c.AlarmParams.flatMap((p) => p.ParaId ?? [])), ...(control ?? []).map((c) => c.ParaId)]
  const points = await pointsOf(db, actor, pointIds, between)
  const devices = await devicesOf(
    db,
    actor,
    conditions.flatMap((c) => c.DeviceSelection?.DeviceIds ?? []),
    between,
  )
  const lacks = [...points, ...devices].filter(({ Copy }) => Copy === null).map(({ Name }) => Name)
  if (lacks.length) return { lacks }
  const copies = (of: readonly Found[]): Ids => new Map(of.map(({ Id, Copy }) => [Id, Copy]))
  const [ofPoints, ofDevices] = [copies(points), copies(devices)]
  const RuleList = configure.RuleList.map((group) => ({
    ...group,
    Conditions: group.Conditions.map((c) => conditionFor(c, between, ofPoints, ofDevices)),
  }))
  return {
    given: {
      RuleConfigure: { ...configure, RuleList },
      DeviceControl: control?.map((c) => ({ ...c, ParaId: ofPoints.get(c.ParaId) ?? c.ParaId })),
    },
  }
}

/**
 * Copies the rules of a project to another project, disabled, in the caller's transaction. Points and devices are matched by name.
 * A rule is skipped if the copy lacks its points, or if the caller could not add it.
 */
export const copyProjectRules = async (db: Db, actor: Actor, between: Between) => {
  const RulesLeft: RuleLeft[] = []
  const found = mayCopyRules(actor) ? await rulesToCopy(db, actor, between.from) : []
  for (const { Id, RuleName } of found) {
    const { Id: _, RuleNo: __, Enabled: ___, IsDelete: ____, LastTriggerTime: _____, ...existing } = await rules.find(db, actor, Id)
    const { lacks, given } = await ruleFor(db, actor, existing, between)
    if (!given) {
      RulesLeft.push({ RuleName, Lacks: lacks })
      continue
    }
    const guests = await foreignGuests(db, actor, existing)
    const effects = withoutPeople(
      existing,
      guests.map((guest) => guest.Id),
    )
    await rules.create(db, actor, { ...existing, ...effects, ...given, ProjectId: between.to, Status: 0 } as never).catch((error) => {
      if (!(error instanceof FieldFaults)) throw error
      RulesLeft.push({ RuleName, Lacks: [] })
    })
  }
  return { Rules: found.length - RulesLeft.length, RulesLeft }
}
