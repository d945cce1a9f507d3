// Converts the conditions of a rule to sheet texts with point names, and back.
import { sql } from 'kysely'
import type { Row } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { device } from '../../../configuration/devices/contract.ts'
import { proModel } from '../../../configuration/models/contract.ts'
import { point } from '../../../configuration/points/contract.ts'
import { type RuleConfigure, Selection } from '../../alarm-rules/alarm-configure.ts'
import type { alarmRule } from '../../alarm-rules/contract.ts'
import { effectsOf, effectTexts, storedEffects } from './effects.ts'
import { readDoing, readPush } from './effectsText.ts'
import {
  enableText,
  type Named,
  type NamedRule,
  pointText,
  readEnable,
  readSeverity,
  readText,
  severityText,
  textOf,
  Unreadable,
} from './text.ts'

type Rule = Row<typeof alarmRule>
type Values = Record<string, unknown>

type Known = { Id: number; ParaName: string; Address: string; DeviceId: number; DeviceName: string; ProjectId: number }
const pointsWhere = (db: Db, actor: Actor, where: ReturnType<typeof sql>) =>
  db.rows<Known>(sql`
    select t."Id", t."ParaName", t."Address"::text as "Address", d."Id" as "DeviceId", d."DeviceName", g."ProjectId"
    from point t join device d on d."Id" = t."DeviceId" join gateway g on g."Id" = d."GatewayId" where ${visible(point, actor)} and ${where}`)

const modelsWhere = (db: Db, actor: Actor, where: ReturnType<typeof sql>) =>
  db.rows<{ Id: number; ModelName: string }>(sql`select "Id", "ModelName" from pro_model t where ${visible(proModel, actor)} and ${where}`)

/** Rules as texts, with points by name if the name is unique. */
export const inText = async (db: Db, actor: Actor, rows: readonly Rule[]): Promise<Values[]> => {
  const configures = rows.map((r) => r.RuleConfigure as RuleConfigure)
  const conditions = configures.flatMap((c) => c.RuleList.flatMap((g) => g.Conditions))
  const ids = [
    ...conditions.flatMap((c) => c.AlarmParams.flatMap((p) => p.ParaId ?? [])),
    ...rows.flatMap((r) => storedEffects(r).writes.map((w) => w.ParaId)),
  ]
  const deviceIds = conditions.flatMap((c) => c.DeviceSelection?.DeviceIds ?? [])
  const points = new Map((await pointsWhere(db, actor, sql`t."Id" = any(${ids}::bigint[])`)).map((p) => [p.Id, p]))
  const devices = new Map(
    (
      await db.rows<{ Id: number; DeviceName: string }>(
        sql`select "Id", "DeviceName" from device t where "Id" = any(${deviceIds}::bigint[]) and ${visible(device, actor)}`,
      )
    ).map((d) => [d.Id, d.DeviceName]),
  )
  const modelIds = conditions.flatMap((c) => c.DeviceSelection?.ModelId ?? [])
  const models = new Map((await modelsWhere(db, actor, sql`t."Id" = any(${modelIds}::bigint[])`)).map((m) => [m.Id, m.ModelName]))
  const alike = await db.rows<{ ProjectId: number; DeviceName: string; ParaName: string }>(sql`
    select g."ProjectId", d."DeviceName", t."ParaName" from point t join device d on d."Id" = t."DeviceId" join gateway g on g."Id" = d."GatewayId"
    where (d."DeviceName", t."ParaName") in (select d2."DeviceName", t2."ParaName" from point t2 join device d2 on d2."Id" = t2."DeviceId" where t2."Id" = any(${ids}::bigint[]))
      and ${visible(point, actor)} group by 1, 2, 3 having count(*) > 1`)
  const shared = new Set(alike.map((a) => JSON.stringify([a.ProjectId, a.DeviceName, a.ParaName])))
  const named = (id: number): Named => {
    const p = points.get(id)
    return p && !shared.has(JSON.stringify([p.ProjectId, p.DeviceName, p.ParaName])) ? { device: p.DeviceName, point: p.ParaName } : { id }
  }
  const ruleOf = (c: RuleConfigure): NamedRule => ({
    LogicSymbol: c.LogicSymbol,
    groups: c.RuleList.map((g) => ({
      LogicSymbol: g.LogicSymbol,
      conditions: g.Conditions.map(({ AlarmParams, DeviceSelection: s, ...rest }) => ({
        ...rest,
        points: AlarmParams.map(({ ParaId, ParaName }) => {
          if (!s) return named(ParaId ?? 0)
          const point = ParaName ?? ''
          if (s.Type === Selection.model) return { model: models.get(s.ModelId ?? 0) ?? `#${s.ModelId}`, point }
          return { devices: (s.DeviceIds ?? []).map((id) => devices.get(id) ?? `#${id}`), point }
        }),
      })),
    })),
  })
  const effects = await effectTexts(db, actor, rows, named)
  return rows.map((row, i) => {
    const c = configures[i]!
    return {
      ...row,
      ...effects[i],
      HoldOff: c.HoldOff ?? null,
      Conditions: textOf(ruleOf(c)),
      Enable: enableText(c),
      Severity: severityText(c.Severity),
    }
  })
}

type Spot = { device: string; point: string }
/** Finds a project's points by device and name, or by device and address of its protocol. */
const finderOf = async (db: Db, actor: Actor, project: number, spots: readonly Spot[]) => {
  const [devices, names] = [spots.map((s) => s.device), spots.map((s) => s.point)]
  const known = spots.length
    ? await pointsWhere(
        db,
        actor,
        sql`g."ProjectId" = ${project} and d."DeviceName" = any(${devices}::text[])
          and (t."ParaName" = any(${names}::text[]) or t."Address"::text = any(${names}::text[])) limit 20000`,
      )
    : []
  const by = (field: 'ParaName' | 'Address') => Map.groupBy(known, (k) => `${k.DeviceName}\n${k[field]}`)
  const [byName, byAddress] = [by('ParaName'), by('Address')]
  return ({ device, point }: Spot, field = 'Conditions'): number => {
    const at = `${device}\n${point}`
    const [first, ...others] = byName.get(at) ?? byAddress.get(at) ?? []
    if (first && !others.length) return first.Id
    throw new FieldFaults([{ field, rule: 'alarmRule.fault.point', values: { point: `${device} / ${point}` } }])
  }
}

/** A project's devices by name. */
const devicesBy = async (db: Db, actor: Actor, project: number, names: readonly string[]) => {
  const rows = names.length
    ? await db.rows<{ Id: number; DeviceName: string }>(sql`
        select t."Id", t."DeviceName" from device t join gateway g on g."Id" = t."GatewayId"
        where g."ProjectId" = ${project} and t."DeviceName" = any(${names}::text[]) and ${visible(device, actor)} limit 20000`)
    : []
  return Map.groupBy(rows, (row) => row.DeviceName)
}

const read = <T>(values: Values, field: string, of: (text: string) => T): T => {
  try {
    return of(String(values[field] ?? ''))
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    throw new FieldFaults([{ field, rule: 'alarmRule.fault.unreadable', values: { at: error.message || '…' } }])
  }
}

/** The effects in the changed cells; other cells keep those of the rule. */
export const effectsSaid = async (db: Db, actor: Actor, project: number, says: (cell: string) => boolean, values: Values) => {
  const push = says('Messages') ? read(values, 'Messages', readPush) : undefined
  const doing = says('Actions') ? read(values, 'Actions', readDoing) : undefined
  const spots = (doing?.writes ?? []).flatMap(({ ParaId: p }) => ('device' in p ? [p] : []))
  const found = await finderOf(db, actor, project, spots)
  return effectsOf(db, actor, project, { push, doing }, (p, field) => {
    if ('devices' in p || 'model' in p) throw new FieldFaults([{ field, rule: 'alarmRule.fault.point', values: { point: p.point } }])
    return 'id' in p ? p.id : found(p, field)
  })
}

export const configureOf = async (db: Db, actor: Actor, project: number, values: Values): Promise<RuleConfigure> => {
  const { LogicSymbol, groups } = read(values, 'Conditions', readText)
  const namedPoints = groups.flatMap((g) => g.conditions.flatMap((c) => c.points))
  const found = await finderOf(
    db,
    actor,
    project,
    namedPoints.flatMap((p) => ('device' in p ? [p] : [])),
  )
  const devices = await devicesBy(
    db,
    actor,
    project,
    namedPoints.flatMap((p) => ('devices' in p ? p.devices : [])),
  )
  const deviceOf = (name: string) => {
    const [first, ...others] = devices.get(name) ?? []
    if (first && !others.length) return first.Id
    throw new FieldFaults([{ field: 'Conditions', rule: 'alarmRule.fault.point', values: { point: name } }])
  }
  const models = await modelsWhere(
    db,
    actor,
    sql`t."ModelName" = any(${namedPoints.flatMap((p) => ('model' in p ? p.model : []))}::text[])
      and t."EnterpriseId" = (select "EnterpriseId" from project where "Id" = ${project})`,
  )
  const modelOf = (name: string) => {
    const model = models.find((m) => m.ModelName === name)
    if (model) return model.Id
    throw new FieldFaults([{ field: 'Conditions', rule: 'alarmRule.fault.name', values: { name } }])
  }
  const selectionOf = (p: Named) => {
    if ('model' in p) return { Type: Selection.model, ModelId: modelOf(p.model), ProjectId: project }
    if (!('devices' in p)) return
    return p.devices.length
      ? { Type: Selection.chosen, DeviceIds: p.devices.map(deviceOf) }
      : { Type: Selection.project, ProjectId: project }
  }
  const condition = ({ points, ...rest }: NamedRule['groups'][number]['conditions'][number]) => {
    const [DeviceSelection, ...others] = points.map(selectionOf)
    // All points of a condition are on the same devices.
    const at = others.findIndex((other) => JSON.stringify(other) !== JSON.stringify(DeviceSelection))
    if (at >= 0)
      throw new FieldFaults([{ field: 'Conditions', rule: 'alarmRule.fault.unreadable', values: { at: pointText(points[at + 1]!) } }])
    const AlarmParams = points.map((p) =>
      'devices' in p || 'model' in p ? { ParaName: p.point } : { ParaId: 'id' in p ? p.id : found(p) },
    )
    return { ...rest, AlarmParams, ...(DeviceSelection ? { DeviceSelection } : {}) }
  }
  const severity = read(values, 'Severity', readSeverity)
  return {
    ...{ LogicSymbol, ...read(values, 'Enable', readEnable) },
    RuleList: groups.map((g) => ({ LogicSymbol: g.LogicSymbol, Conditions: g.conditions.map(condition) })),
    ...(values.HoldOff ? { HoldOff: Number(values.HoldOff) } : {}),
    ...(severity.length ? { Severity: severity } : {}),
  }
}
