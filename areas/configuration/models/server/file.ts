// Exports a model to a file and imports it in another installation.
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { canonical } from '../../../../contract/gateway-config.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { noteExport } from '../../../../server/identity/note.ts'
import { addMany } from '../../../../server/resource/batch.ts'
import { column, visible } from '../../../../server/resource/sql.ts'
import { store, tenantOf } from '../../../../server/resource/store.ts'
import { standardPara } from '../../standard-points/contract.ts'
import { fileFormat, fileModelFields, filePointFields, type ModelFile, modelPara, mostInFile, proModel } from '../contract.ts'
import { addressesOf } from './addresses.ts'
import { freeName } from './copy.ts'

const models = store(proModel)

const hashOf = ({ Hash: _, ...content }: Omit<ModelFile, 'Hash'> & { Hash?: string }) =>
  createHash('sha256').update(canonical(content)).digest('hex')

/** A file contains all fields. @throws Fault `moreRights` if a field or the points are hidden from the caller */
const assertSeesAll = ({ dataScope, may }: Actor) => {
  if (!may.has(modelPara.permission) || [proModel, modelPara, standardPara].some((r) => dataScope?.hidden[r.name]?.size))
    throw new Fault('moreRights')
}

/** The file of a model. @throws FieldFaults beyond the limit of points */
export const modelFile = async (db: Db, actor: Actor, id: number): Promise<ModelFile> => {
  const model = await models.find(db, actor, id)
  assertSeesAll(actor)
  const rows = await db.rows<Record<string, string | number | null>>(sql`
    select ${sql.join(filePointFields.map((name) => column(name)))}, s."Code" as "StandardCode" from model_para t
    left join standard_para s on s."Id" = t."StandardParaId"
    where t."ModelId" = ${id} and ${visible(modelPara, actor)} order by t."Sort", t."Id" limit ${mostInFile + 1}`)
  if (rows.length > mostInFile) throw new FieldFaults([{ field: 'Id', rule: 'fault.field.model.fileLarge', values: { max: mostInFile } }])
  const Model = Object.fromEntries(
    fileModelFields.filter((name) => name !== 'Protocol' || model.Protocol).map((name) => [name, model[name]]),
  )
  const content = { Format: fileFormat, FormatVersion: 1, Model, Points: rows } as const
  await noteExport(db, actor, proModel.name, model.ModelName, { Filters: { Id: id }, Rows: rows.length })
  return { ...content, Hash: hashOf(content) }
}

/** Standard parameters by code. Those of the company take precedence over those of the platform. */
const standardsOf = async (db: Db, actor: Actor, { Points }: ModelFile, enterprise: number) => {
  const codes = [...new Set(Points.flatMap(({ StandardCode }) => (StandardCode ? [String(StandardCode)] : [])))]
  const rows = await db.rows<{ Id: number; Code: string }>(sql`
    select "Id", "Code" from standard_para t where "Code" = any(${codes}::text[]) and "EnterpriseId" in (1, ${enterprise})
      and ${visible(standardPara, actor)} order by ("EnterpriseId" = ${enterprise})`)
  const known = new Map(rows.map(({ Id, Code }) => [Code, Id]))
  return { known, unknown: codes.filter((code) => !known.has(code)) }
}

/** Errors of points name them by their position in the file. */
const ofFile = (error: unknown) =>
  error instanceof FieldFaults
    ? new FieldFaults(error.fields.map((f) => ({ ...f, field: f.field.replace(/^Items\./, 'File.Points.') })))
    : error

/** Errors of the model except its name, which the dialog reports separately. */
const ofModel = (error: unknown) =>
  error instanceof FieldFaults
    ? new FieldFaults(error.fields.map((f) => (f.field === 'ModelName' ? f : { ...f, field: `File.Model.${f.field}` })))
    : error

type Given = { File: ModelFile; ModelName?: string | undefined; EnterpriseId?: number | undefined; Preview?: 0 | 1 | undefined }
/** Adds the model of a file with all its points, or nothing. @throws FieldFaults by field of the file */
export const importModel = (db: Db, actor: Actor, { File, ModelName, EnterpriseId, Preview }: Given) =>
  db.tx(async (db) => {
    if (hashOf(File) !== File.Hash) throw new FieldFaults([{ field: 'File.Hash', rule: 'fault.field.model.fileChanged' }])
    const enterprise = await tenantOf(db, actor, proModel, { EnterpriseId })
    const { known, unknown } = await standardsOf(db, actor, File, enterprise)
    const wanted = ModelName ?? String(File.Model.ModelName ?? '')
    const name = Preview ? await freeName(db, enterprise, wanted) : wanted
    const found = { ModelName: name, Points: File.Points.length, UnknownCodes: unknown }
    if (Preview) return { Id: null, ...found }
    const { Id } = await models
      .create(db, actor, { ...File.Model, ModelName: name, EnterpriseId: enterprise })
      .catch((error) => Promise.reject(ofModel(error)))
    const points = File.Points.map(({ StandardCode, ...point }) => ({
      ...point,
      StandardParaId: (StandardCode && known.get(String(StandardCode))) || null,
      ModelId: Id,
    }))
    if (points.length)
      await addMany(db, actor, modelPara, points, await addressesOf(db, Id)).catch((error) => Promise.reject(ofFile(error)))
    return { Id, ...found }
  })
