// Devices that receive points, the addresses in use on their buses, and the answer of a preview.
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { json, number } from '../../../../contract/field.ts'
import type { Language } from '../../../../contract/languages.ts'
import { modelColumns } from '../../../../contract/point-fields.ts'
import type { Resource } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, notFound } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { saveMany } from '../../../../server/resource/bulk.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { readableFields } from '../../../../server/resource/store.ts'
import { protocolColumn } from '../../channels/server/service.ts'
import { device as devices } from '../../devices/contract.ts'
import { point as points } from '../../points/contract.ts'
import { type Applied, modelPara } from '../contract.ts'
import { type Device, type DevicePlan, type Places, type Point, placeKey, type Values } from './plan.ts'
import { assertPlannable, mostPlanned } from './planQueue.ts'
import { standardsOf } from './standards.ts'

export type Answer = Static<typeof Applied>
export const chunkRows = 1000
const shownRows = 2000

/** Fields that only applying a model sets. */
export const applied: Resource = { ...points, fields: { ...points.fields, ModelParaId: number({ integer: true }), Overrides: json() } }
/** Fields hidden from the actor are neither compared nor written. */
export const columnsFor = (actor: Actor) =>
  modelColumns.filter((name) => [points, modelPara].every((r) => name in readableFields(r as Resource, actor).fields))

/** Until the transaction ends, changes of columns do not count as overrides. */
export const asModel = (db: Db, work: () => Promise<unknown>) =>
  db
    .rows(sql`select set_config('penstock.applying', '1', true)`)
    .then(work)
    .then(() => db.rows(sql`select set_config('penstock.applying', '', true)`))

const bus = sql`coalesce(case when t."CommType" = 0 then 'net/' || t."NetProtocolId" else 'serial/' || t."SerialProtocolId" end, 'device/' || t."Id")`
const deviceColumns = sql`t."Id", t."EnterpriseId", t."DeviceName", t."ModelId", t."ModelVersion", t."ModelValues", t."SlaveNumber", ${bus} as "Bus",
  ${protocolColumn('t')} as "Protocol",
  coalesce(t."Settings", '{}')::text as "Unit"`

/** Selects the devices. Those hidden from the caller, or of another tenant, count as missing. */
export const devicesOf = async (
  db: Db,
  actor: Actor,
  enterprise: number,
  { ModelId, DeviceIds = [], ProjectId }: { ModelId?: number; DeviceIds?: readonly number[] | undefined; ProjectId?: number | undefined },
) => {
  const which = ProjectId
    ? sql`t."ModelId" = ${ModelId} and exists (select 1 from gateway g where g."Id" = t."GatewayId" and g."ProjectId" = ${ProjectId})`
    : sql`t."Id" = any(${DeviceIds}::bigint[])`
  const found = await db.rows<Device>(sql`
    select ${deviceColumns} from device t
    where ${which} and t."EnterpriseId" = ${enterprise} and ${visible(devices, actor)} order by t."Id" for no key update of t`)
  if (!ProjectId && found.length < new Set(DeviceIds).size) throw notFound()
  return found
}

/** The addresses that other devices on the same buses read. */
const placesBeside = async (db: Db, ids: readonly number[], buses: readonly string[]): Promise<Places> => {
  const rows = await db.rows<Values & { DeviceName: string; ParaName: string; Bus: string; Protocol: number; Unit: string }>(sql`
    select d.*, p."ParaName", p."SlaveNumber", p."RegisterType", p."Address" from point p
    join (select ${deviceColumns} from device t
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

const shown = async (db: Db, plans: readonly DevicePlan[], language: Language): Promise<Answer['Rows']> => {
  const cells = plans.flatMap(({ change, kept }) => [...change, ...kept].flatMap((row) => row.cells))
  const standards = await standardsOf(
    db,
    cells.flatMap(({ Field, Before, After }) => (Field === 'StandardParaId' ? [Before, After] : [])),
  )
  const text = (Field: string, value: unknown) =>
    ((Field === 'StandardParaId' && standards.get(value)?.Code) || (value ?? null)) as string | number | null
  const rowsOf = ({ device, add, change, kept, gone, obstacles }: DevicePlan) => {
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
            row(kind === 'change' ? 'changed' : 'kept', point.ParaName, { Field, Before: text(Field, Before), After: text(Field, After) }),
          ),
        ),
      ),
      ...gone.map((p) => row('gone', p.ParaName)),
    ]
  }
  const rows: Answer['Rows'] = []
  for (const plan of plans) {
    if (rows.length >= shownRows) break
    rows.push(...rowsOf(plan))
  }
  return rows.slice(0, shownRows)
}

const sumOf = (plans: readonly DevicePlan[], of: (plan: DevicePlan) => number) => plans.reduce((total, plan) => total + of(plan), 0)

/**
 * Locks and reads the points of the devices, and reads the addresses in use on their buses.
 * @throws FieldFaults if the devices have, or would get, more points than one call may plan.
 */
export const readTargets = async (db: Db, found: readonly Device[], pointsEach: number) => {
  const ids = found.map((d) => d.Id)
  assertPlannable(found.length * pointsEach)
  const [existing] = await db.rows<{ count: number }>(
    sql`select count(*)::int as count from (select 1 from point where "DeviceId" = any(${ids}::bigint[]) limit ${mostPlanned + 1}) p`,
  )
  assertPlannable(existing!.count)
  const rows = await db.rows<Point>(sql`select * from point where "DeviceId" = any(${ids}::bigint[]) order by "Id" for no key update`)
  return { rows, places: await placesBeside(db, ids, [...new Set(found.map((d) => d.Bus))]) }
}

/** The answer to a preview. `version` is undefined if the points do not come from a model. */
export const answerOf = async (
  db: Db,
  enterprise: number,
  plans: readonly DevicePlan[],
  { language, removeGone = false, version }: { language: Language; removeGone?: boolean; version?: { ModelId: number; Version: number } },
): Promise<Answer> => ({
  Version: version?.Version ?? 0,
  Devices: plans.map(({ device, ...plan }) => ({
    ...{ DeviceId: device.Id, DeviceName: device.DeviceName, Version: device.ModelId === version?.ModelId ? device.ModelVersion : null },
    ...{ Added: plan.add.length, Changed: plan.change.length, Kept: plan.kept.length, Gone: plan.gone.length },
    Blocked: plan.obstacles.length,
  })),
  Rows: await shown(db, plans, language),
  Rules: [],
  NoRoom: await noRoom(
    db,
    enterprise,
    sumOf(plans, (plan) => plan.add.length - (removeGone ? plan.gone.length : 0)),
  ),
})

/** Refuses plans with obstacles and lists the first 500. */
export const assertFree = (plans: readonly DevicePlan[], others: number, language: Language) => {
  const count = sumOf(plans, (plan) => plan.obstacles.length) + others
  const Rows = plans.flatMap(({ device, obstacles }, i) =>
    obstacles.map((o) => ({
      ...{ Row: i + 1, Field: o.Field, Value: `${device.DeviceName}: ${o.ParaName}` },
      Message: word(language, `fault.field.${o.Reason}`, o.Values),
    })),
  )
  if (count) throw new Fault('modelBlocked', { count }, { Rows: Rows.slice(0, 500) })
}

/** Stores the model values behind overrides, and the remaining overrides. Changes no field of a point. */
export const writeGave = async (db: Db, gave: DevicePlan['gave']) => {
  for (let i = 0; i < gave.length; i += chunkRows)
    await db.rows(sql`
      update point t set "ModelGave" = s."ModelGave", "Overrides" = s."Overrides"
      from jsonb_populate_recordset(null::public.point, ${JSON.stringify(gave.slice(i, i + chunkRows))}::jsonb) s where t."Id" = s."Id"`)
}

/** Inserts the points of the plans, with defaults for fields outside the columns. */
export const writeAdded = async (db: Db, actor: Actor, enterprise: number, plans: readonly DevicePlan[]) => {
  const defaults = Object.fromEntries(Object.entries(points.fields).flatMap(([name, f]) => ('default' in f ? [[name, f.default]] : [])))
  const add: Values[] = plans.flatMap((plan) => plan.add.map((values) => ({ ...defaults, ...values })))
  for (let i = 0; i < add.length; i += chunkRows)
    await saveMany(db, actor, applied, enterprise, { add: add.slice(i, i + chunkRows), change: [] })
}
