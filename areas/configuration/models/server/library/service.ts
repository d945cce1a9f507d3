// The library: published models of the platform that all companies can see and copy.
import { sql } from 'kysely'
import type { Row } from '../../../../../contract/resource.ts'
import type { Database, Db } from '../../../../../server/database/db.ts'
import { Fault } from '../../../../../server/http/faults.ts'
import type { Actor } from '../../../../../server/identity/actor.ts'
import { platformEnterprise } from '../../../../../server/identity/setup.ts'
import { setMany } from '../../../../../server/resource/bulk.ts'
import { paged } from '../../../../../server/resource/list.ts'
import { store } from '../../../../../server/resource/store.ts'
import { type LibraryModel as Listed, modelPara, proModel } from '../../contract.ts'
import { storeVersion, versionOf } from '../versions.ts'
import { meterModels } from './meters.ts'
import { modbusModels } from './modbus.ts'
import type { LibraryModel } from './sketch.ts'
import { snmpModels } from './snmp.ts'

type Model = Row<typeof proModel>

export const shippedModels: readonly LibraryModel[] = [...modbusModels, ...snmpModels, ...meterModels]

const shared = sql`m."IsShared" = 1 and m."EnterpriseId" = ${platformEnterprise} and m."Version" > 0`

type Asked = { Search?: string | undefined; PageIndex?: number | undefined; PageSize?: number | undefined }
export const libraryModels = async (db: Db, { Search = '', PageIndex = 1, PageSize = 20 }: Asked) => {
  const like = `%${Search.replace(/[\\%_]/g, '\\$&')}%`
  const rows = await db.rows<Listed & { Total: number }>(sql`
    select m."Id", m."ModelName", m."ModelNo", m."Brand", m."Remark", m."Protocol", m."Version",
      jsonb_array_length(v."Points") as "Points", count(*) over ()::int as "Total"
    from pro_model m join model_version v on v."ModelId" = m."Id" and v."Version" = m."Version"
    where ${shared} and concat_ws(' ', m."ModelName", m."ModelNo", m."Brand") ilike ${like}
    order by m."ModelName", m."Id" limit ${PageSize} offset ${(PageIndex - 1) * PageSize}`)
  return paged(
    { index: PageIndex, size: PageSize, exact: true },
    rows.map(({ Total: _, ...row }) => row),
    rows[0]?.Total ?? 0,
  )
}

/** A model of the library with the points of its newest version, or undefined. */
export const sharedModel = async (db: Db, id: number) => {
  const [Model] = await db.rows<Model>(
    sql`select "ModelName", "ModelNo", "Brand", "Remark", "Protocol", "Version" from pro_model m where m."Id" = ${id} and ${shared}`,
  )
  const version = Model && (await versionOf(db, id, Model.Version))
  if (!version) return undefined
  const [{ Parameters } = { Parameters: null }] = await db.rows<{ Parameters: string | null }>(
    sql`select "Parameters" from model_version where "ModelId" = ${id} and "Version" = ${Model.Version}`,
  )
  return { Model: { ...Model, Parameters }, Points: version.Points.map((point, i) => ({ ...point, Sort: i + 1 })) }
}

/** Only the platform shares models: its own, once published. */
export const shareModel = async (db: Db, actor: Actor, { Id, IsShared }: { Id: number; IsShared: 0 | 1 }) => {
  const model = await store(proModel).find(db, actor, Id)
  if (!actor.platform || model.EnterpriseId !== platformEnterprise) throw new Fault('moreRights')
  if (IsShared && !model.Version) throw new Fault('wrongState', { title: model.ModelName })
  return { Changed: await setMany(db, actor, proModel, [Id], { IsShared }) }
}

/** Rows of a shipped model, as stored. */
export const shippedRows = ({ Points }: LibraryModel, standards: ReadonlyMap<string, number>) => {
  const defaults = Object.fromEntries(Object.entries(modelPara.fields).map(([name, f]) => [name, f.default ?? null]))
  return Points.map(({ Code, ...point }, i) => ({
    ...defaults,
    ...point,
    StandardParaId: (Code && standards.get(Code)) || null,
    Sort: i + 1,
  }))
}

const addShipped = async (db: Db, model: LibraryModel, standards: ReadonlyMap<string, number>) => {
  const { ModelName, ModelNo, Parameters, Remark, Protocol } = model
  const [added] = await db.rows<Model>(sql`
    insert into pro_model ("EnterpriseId", "ModelName", "ModelNo", "Parameters", "Remark", "Protocol", "IsShared")
    values (${platformEnterprise}, ${ModelName}, ${ModelNo}, ${Parameters}, ${Remark}, ${Protocol}, 1) on conflict do nothing returning *`)
  // The platform already has a model with this name.
  if (!added) return
  const rows = shippedRows(model, standards).map((row) => ({ ...row, ModelId: added.Id }))
  const list = sql.join(Object.keys(modelPara.fields).map((name) => sql.ref(name)))
  const points = await db.rows<Record<string, unknown> & { Id: number }>(sql`
    insert into model_para ("EnterpriseId", ${list})
    select ${platformEnterprise}, ${list} from jsonb_populate_recordset(null::model_para, ${JSON.stringify(rows)}::jsonb) order by "Sort" returning *`)
  await storeVersion(db, added, points)
  await db.rows(sql`insert into shipped_model ("Key") values (${model.Key})`)
}

/** Adds each shipped model once. Models that the platform changed or deleted stay as they are. */
export const seedModelLibrary = async ({ system }: Database) => {
  const known = new Set((await system.rows<{ Key: string }>(sql`select "Key" from shipped_model`)).map(({ Key }) => Key))
  const missing = shippedModels.filter(({ Key }) => !known.has(Key))
  if (!missing.length) return
  const codes = await system.rows<{ Id: number; Code: string }>(
    sql`select "Id", "Code" from standard_para where "EnterpriseId" = ${platformEnterprise}`,
  )
  const standards = new Map(codes.map(({ Id, Code }) => [Code, Id]))
  for (const model of missing) await system.tx((db) => addShipped(db, model, standards))
}
