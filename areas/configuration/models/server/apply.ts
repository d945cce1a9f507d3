// Applies the published version of a model to devices in one transaction.
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { json, number } from '../../../../contract/field.ts'
import type { Language } from '../../../../contract/languages.ts'
import { pointColumns } from '../../../../contract/point-fields.ts'
import type { Resource } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults, notFound } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { clearTitles, saveMany } from '../../../../server/resource/bulk.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { readableFields, recordAll, store, writesOf } from '../../../../server/resource/store.ts'
import { device as devices } from '../../devices/contract.ts'
import { point as points } from '../../points/contract.ts'
import { type Applied, modelPara, proModel } from '../contract.ts'
import { type Device, type DevicePlan, type Places, type Point, placeKey, planDevices, renamed, type Values, type Version } from './plan.ts'
import { renameInRules, rulesNaming } from './rules.ts'
import { versionOf } from './versions.ts'

export type Application = {
  ModelId: number
  DeviceIds?: number[]
  ProjectId?: number
  RemoveGone?: 0 | 1
  RenameInRules?: 0 | 1
  Preview?: 0 | 1
}
type Answer = Static<typeof Applied>
const [chunkRows, shownRows] = [1000, 2000]

/** Fields that only applying a model sets. */
export const applied: Resource = { ...points, fields: { ...points.fields, ModelParaId: number({ integer: true }), Overrides: json() } }
/** Fields hidden from the actor are neither compared nor written. */
export const columnsFor = (actor: Actor) =>
  pointColumns.filter((name) => [points, modelPara].every((r) => name in readableFields(r as Resource, actor).fields))

/** Until the transaction ends, changes of columns do not count as overrides. */
export const asModel = (db: Db, work: () => Promise<unknown>) =>
  db
    .rows(sql`select set_config('penstock.applying', '1', true)`)
    .then(work)
    .then(() => db.rows(sql`select set_config('penstock.applying', '', true)`))

const bus = sql`coalesce(case when t."CommType" = 0 then 'net/' || t."NetProtocolId" else 'serial/' || t."SerialProtocolId" end, 'device/' || t."Id")`
const deviceColumns = sql`t."Id", t."EnterpriseId", t."DeviceName", t."ModelId", t."ModelVersion", t."ModelValues", t."SlaveNumber", ${bus} as "Bus",
  case when t."CommType" = 0 then coalesce(n."ProtocolType", 0) else 1 end as "Protocol"`

/** Selects the devices. Those hidden from the caller, or of another tenant, count as missing. */
const devicesOf = async (db: Db, actor: Actor, enterprise: number, { ModelId, DeviceIds = [], ProjectId }: Application) => {
  const which = ProjectId
    ? sql`t."ModelId" = ${ModelId} and exists (select 1 from gateway g where g."Id" = t."GatewayId" and g."ProjectId" = ${ProjectId})`
    : sql`t."Id" = any(${DeviceIds}::bigint[])`
  const found = await db.rows<Device>(sql`
    select ${deviceColumns} from device t left join net_protocol n on n."Id" = t."NetProtocolId"
    where ${which} and t."EnterpriseId" = ${enterprise} and ${visible(devices, actor)} order by t."Id" for no key update of t`)
  if (!ProjectId && found.length < new Set(DeviceIds).size) throw notFound()
  return found
}

/** The addresses that other devices on the same buses read. */
const placesBeside = async (db: Db, ids: readonly number[], buses: readonly string[]): Promise<Places> => {
  const rows = await db.rows<Values & { DeviceName: string; ParaName: string; Bus: string; Protocol: number }>(sql`
    select d.*, p."ParaName", p."SlaveNumber", p."RegisterType", p."Address" from point p
    join (select ${deviceColumns} from device t left join net_protocol n on n."Id" = t."NetProtocolId"
      where ${bus} = any(${buses}::text[]) and t."Id" <> all(${ids}::bigint[])) d on d."Id" = p."DeviceId"`)
  return new Map(rows.map((row) => [placeKey(row, row), { DeviceName: row.DeviceName, ParaName: row.ParaName }]))
}

/** The company's limit of points, if these would exceed it. */
const noRoom = async (db: Db, enterprise: number, more: number): Promise<number | null> => {
  if (more <= 0) return null
  const [found] = await db.rows<{ most: number | null; there: number }>(sql`
    select coalesce(e."MaxPoints", v."MaxPoints") as most, (select count(*)::int from point where "EnterpriseId" = e."Id") as there
    from enterprise e left join version v on v."Id" = e."VersionId" where e."Id" = ${enterprise}`)
  return found?.most != null && found.there + more > found.most ? found.most : null
}

const shown = (plans: readonly DevicePlan[], language: Language): Answer['Rows'] => {
  const text = (value: unknown) => (value ?? null) as string | number | null
  const rows = plans.flatMap(({ device, add, change, kept, gone, obstacles }) => {
    const row = (Kind: Answer['Rows'][number]['Kind'], ParaName: unknown, of: Partial<Answer['Rows'][number]> = {}) => ({
      ...{ DeviceId: device.Id, ParaName: String(ParaName), Kind, Field: '', Before: null, After: null, Reason: '' },
      ...of,
    })
    return [
      ...obstacles.map((o) => row('blocked', o.ParaName, { Field: o.Field, Reason: word(language, `fault.field.${o.Reason}`, o.Values) })),
      ...add.map((values) => row('added', values.ParaName)),
      ...(['change', 'kept'] as const).flatMap((kind) =>
        (kind === 'change' ? change : kept).flatMap(({ point, cells }) =>
          (cells.length ? cells : [{ Field: '', Before: null, After: null }]).map(({ Field, Before, After }) =>
            row(kind === 'change' ? 'changed' : 'kept', point.ParaName, { Field, Before: text(Before), After: text(After) }),
          ),
        ),
      ),
      ...gone.map((p) => row('gone', p.ParaName)),
    ]
  })
  return rows.slice(0, shownRows)
}

const write = async (db: Db, actor: Actor, enterprise: number, plans: readonly DevicePlan[], version: Version, removeGone: boolean) => {
  const ids = plans.map(({ device }) => device.Id)
  const moved = plans.filter(({ device }) => device.ModelId !== version.ModelId).map(({ device }) => device.Id)
  if (moved.length) await db.rows(sql`update device set "ModelId" = ${version.ModelId} where "Id" = any(${moved}::bigint[])`)
  const behind = plans.filter(({ device }) => device.ModelId !== version.ModelId || device.ModelVersion !== version.Version)
  await db.rows(
    sql`update device set "ModelVersion" = ${version.Version}, "UpdateTime" = now() where "Id" = any(${ids}::bigint[]) and "ModelVersion" is distinct from ${version.Version}`,
  )
  const entries = behind.map(({ device: { Id, ModelId, ModelVersion } }) => ({
    ...{ Id, EnterpriseId: enterprise, Before: { ModelId, ModelVersion } },
    After: { ModelId: version.ModelId, ModelVersion: version.Version },
  }))
  if (entries.length) await recordAll(db, actor, devices, 'update', entries)
  const change = plans.flatMap((plan) => plan.change.map(({ values }) => values as Values & { Id: number }))
  const gone = plans.flatMap((plan) => plan.gone)
  const add = plans.flatMap((plan) => plan.add)
  await asModel(db, async () => {
    for (let i = 0; i < gone.length; i += chunkRows) {
      const part = gone.slice(i, i + chunkRows)
      if (removeGone)
        await store(points).remove(
          db,
          actor,
          part.map((p) => p.Id),
        )
      else
        await saveMany(db, actor, applied, enterprise, { add: [], change: part.map((p) => ({ ...p, ModelParaId: null, Overrides: null })) })
    }
    // Two points may swap their names.
    const renames = plans.flatMap((plan) =>
      plan.change.filter((c) => c.cells.some((cell) => cell.Field === 'ParaName')).map((c) => c.point.Id),
    )
    await clearTitles(db, applied, renames)
    for (let i = 0; i < change.length; i += chunkRows)
      await saveMany(db, actor, applied, enterprise, { add: [], change: change.slice(i, i + chunkRows) })
    for (let i = 0; i < add.length; i += chunkRows)
      await saveMany(db, actor, applied, enterprise, { add: add.slice(i, i + chunkRows), change: [] })
  })
}

/** Initial values of the device's own fields, such as ZeroText. */
const completed = (plans: readonly DevicePlan[]) => {
  const rest = Object.entries(points.fields).flatMap(([name, f]) => ('default' in f ? [[name, f.default]] : []))
  for (const plan of plans) plan.add = plan.add.map((values) => ({ ...Object.fromEntries(rest), ...values }))
}

export const applyModel = (db: Db, actor: Actor, given: Application, language: Language): Promise<Answer> =>
  db.tx(
    async (db) => {
      if (!given.ProjectId && !given.DeviceIds?.length) throw new FieldFaults([{ field: 'DeviceIds', rule: 'required' }])
      const model = await store(proModel).find(db, actor, given.ModelId)
      const version = await versionOf(db, model.Id, model.Version)
      if (!version) throw new Fault('modelUnpublished', { name: model.ModelName })
      const found = await devicesOf(db, actor, model.EnterpriseId, given)
      const ids = found.map((d) => d.Id)
      const rows = await db.rows<Point>(sql`select * from point where "DeviceId" = any(${ids}::bigint[]) order by "Id" for no key update`)
      const removeGone = given.RemoveGone === 1
      const places = await placesBeside(db, ids, [...new Set(found.map((d) => d.Bus))])
      const plans = planDevices(version, found, rows, { places, removeGone, columns: columnsFor(actor) })
      const names = renamed(plans)
      const rules = await rulesNaming(db, actor, model.Id, names)
      const sum = (of: (plan: DevicePlan) => number) => plans.reduce((total, plan) => total + of(plan), 0)
      const more = sum((plan) => plan.add.length - (removeGone ? plan.gone.length : 0))
      const answer: Answer = {
        Version: version.Version,
        Devices: plans.map(({ device, ...plan }) => ({
          ...{ DeviceId: device.Id, DeviceName: device.DeviceName, Version: device.ModelId === model.Id ? device.ModelVersion : null },
          ...{ Added: plan.add.length, Changed: plan.change.length, Kept: plan.kept.length, Gone: plan.gone.length },
          Blocked: plan.obstacles.length,
        })),
        Rows: shown(plans, language),
        Rules: rules,
        NoRoom: await noRoom(db, model.EnterpriseId, more),
      }
      if (given.Preview) return answer
      const blocked = sum((plan) => plan.obstacles.length) + (given.RenameInRules ? 0 : rules.length)
      if (blocked) throw new Fault('modelBlocked', { count: blocked })
      completed(plans)
      await write(db, actor, model.EnterpriseId, plans, version, removeGone)
      if (given.RenameInRules && rules.length) await renameInRules(db, actor, model.Id, names, rules)
      return answer
    },
    writesOf(points, actor),
  )
