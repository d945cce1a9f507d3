import { type Static, Type } from 'typebox'
import { ById, Changed, call, IdList, page, paging } from '../../../contract/call.ts'
import { CellsSaved, cellRows } from '../../../contract/cells.ts'
import { describedFields, describedRules } from '../../../contract/described-points.ts'
import { choice, flag, long, number, ref, text } from '../../../contract/field.ts'
import { parametersPattern } from '../../../contract/model-text.ts'
import { pointWarnings } from '../../../contract/point-rules.ts'
import { Id, resource } from '../../../contract/resource.ts'

/** Folders for models. */
export const pointTempMenu = resource('pointTempMenu', {
  path: '/ProModel/PointTempMenu',
  permission: 'm10112',
  title: 'MenuName',
  order: 'Sort',
  tree: 'ParentId',
  readBy: 'm10110',
  columns: ['MenuName', 'Remark'],
  fields: {
    MenuName: text({ required: true, unique: 'ParentId', search: true }),
    ParentId: ref('pointTempMenu', { as: 'ParentName' }),
    Sort: number({ required: true, integer: true, min: 0, max: 9999, default: 0 }),
    Remark: long(),
  },
})

/** Protocols of a model. Modbus RTU and ASCII count as Modbus TCP. */
const modelProtocols = [0, 20, 21, 30, 50, 60, 70, 80, 90, 100, 110] as const

/** A make of device. Devices of one model have the same points, and a rule can apply to all of them. */
export const proModel = resource('proModel', {
  path: '/ProModel/ProModel',
  permission: 'm10110',
  title: 'ModelName',
  order: 'ModelName',
  sheets: 'in-out',
  acts: {
    /** Into a folder, or out of all folders. */
    move: { button: 'edit', set: {}, many: true, fields: { FolderId: ref('pointTempMenu') } },
  },
  fields: {
    ModelName: text({ required: true, unique: true, search: true }),
    ModelNo: text({ search: true }),
    /** Manufacturer. */
    Brand: text({ search: true }),
    FolderId: ref('pointTempMenu'),
    /** Parameters for the braces in its points, with default and description: `base=100 First register;db=4`. */
    Parameters: text({ max: 500, pattern: parametersPattern }),
    Remark: long(),
    /** The last published version, 0 if none. */
    Version: number({ integer: true, required: true, set: 'never', default: 0 }),
    /** Changes to its points since that version. */
    Edits: number({ integer: true, required: true, set: 'never', default: 0 }),
    /** Protocol of its point addresses (ruling 46). 0 covers all Modbus variants. */
    Protocol: choice(modelProtocols, { required: true, set: 'create', default: 0 }),
    /** Whether it is in the library of all companies. */
    IsShared: flag({ required: true, set: 'never', default: 0 }),
  },
})

/** A point of a model. Name, address and unit ID may contain expressions in braces. */
export const modelPara = resource('modelPara', {
  path: '/ProModel/ModelPara',
  permission: 'm10111',
  title: 'ParaName',
  owner: 'ModelId',
  order: 'Sort',
  sheets: 'in-out',
  rules: describedRules,
  warnings: pointWarnings,
  fields: {
    ModelId: ref('proModel', { required: true, set: 'create' }),
    ...describedFields('ModelId'),
    Sort: number({ required: true, integer: true, min: 0, max: 9999, default: 0, section: 'display' }),
  },
})

const Count = Type.Integer()
export const Flag = Type.Optional(Type.Union([Type.Literal(0), Type.Literal(1)]))
const Nullable = Type.Unsafe<string | number | null>({ type: ['string', 'number', 'null'] })

/** The effect of applying a model. Preview and application return the same. */
export const Applied = Type.Object({
  Version: Count,
  Devices: Type.Array(
    Type.Object({
      ...{ DeviceId: Id, DeviceName: Type.String(), Version: Type.Union([Count, Type.Null()]) },
      ...{ Added: Count, Changed: Count, Kept: Count, Gone: Count, Blocked: Count },
    }),
  ),
  /** The first 2,000 changes by device. Kept: the device overrides the value. Blocked: the reason why nothing can be applied. */
  Rows: Type.Array(
    Type.Object({
      DeviceId: Id,
      ParaName: Type.String(),
      Kind: Type.Unsafe<'added' | 'changed' | 'kept' | 'gone' | 'blocked'>({ type: 'string' }),
      Field: Type.String(),
      Before: Nullable,
      After: Nullable,
      Reason: Type.String(),
    }),
  ),
  /** Alarm rules that refer to a point whose name changes. */
  Rules: Type.Array(Type.Object({ Id, RuleName: Type.String(), Before: Type.String(), After: Type.String() })),
  /** The company's limit of points, if the change would exceed it. */
  NoRoom: Type.Union([Count, Type.Null()]),
})

/** Maximum points of a model in a file. */
export const mostInFile = 1000
export const fileFormat = 'penstock.model'
const FileValue = Type.Union([Type.String({ maxLength: 250 }), Type.Number(), Type.Null()])
const fileObject = (names: readonly string[]) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, Type.Optional(FileValue)])), { additionalProperties: false })
/** A Modbus file omits `Protocol`, so that older installations can read it. */
export const fileModelFields = ['ModelName', 'ModelNo', 'Brand', 'Parameters', 'Protocol'] as const
/** Columns of its points. The file identifies standard parameters by code. */
export const filePointFields = [...Object.keys(describedFields('ModelId')).filter((name) => name !== 'StandardParaId'), 'Sort']
/**
 * A model as a file for another installation. `Hash` is the SHA-256, in lower-case hex, of the canonical JSON (RFC 8785) of
 * the other fields.
 */
export const ModelFile = Type.Object(
  {
    Format: Type.Literal(fileFormat),
    FormatVersion: Type.Literal(1),
    Model: fileObject(fileModelFields),
    Points: Type.Array(fileObject([...filePointFields, 'StandardCode']), { maxItems: mostInFile }),
    Hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  },
  { additionalProperties: false },
)
export type ModelFile = Static<typeof ModelFile>

const Added = Type.Object({ Added: Count })
const MaxId = Type.Object({ MaxId: Count })

const Text = Type.Union([Type.String(), Type.Null()])
/** A model of the platform's library, as published. */
const LibraryModel = Type.Object({
  ...{ Id, ModelName: Type.String(), ModelNo: Text, Brand: Text, Remark: Text },
  ...{ Protocol: Count, Version: Count, Points: Count },
})
export type LibraryModel = Static<typeof LibraryModel>

export const modelCalls = {
  /** Adds a published model of the platform to the library, or removes it. Only the platform may do this. */
  share: call({
    method: 'POST',
    path: `${proModel.path}/Share`,
    permission: `${proModel.permission}.publish`,
    body: Type.Object({ Id, IsShared: Type.Union([Type.Literal(0), Type.Literal(1)]) }),
    answer: Changed,
  }),
  /** The published models that the platform shares. */
  library: call({
    method: 'GET',
    path: `${proModel.path}/Library`,
    permission: proModel.permission,
    query: Type.Object({ Search: Type.Optional(Type.String({ maxLength: 50 })), ...paging(100) }),
    answer: Type.Object({ ...page(LibraryModel).properties, Items: Type.Array(LibraryModel) }),
  }),
  /**
   * Copies models with their points but without devices, under new names. Library models become models of the caller's company. The
   * platform specifies the company.
   */
  copy: call({
    method: 'POST',
    path: `${proModel.path}/Copy`,
    permission: `${proModel.permission}.add`,
    body: Type.Object({ Ids: IdList(), EnterpriseId: Type.Optional(Id) }),
    answer: Added,
  }),
  /** The model with its points, as its file. */
  file: call({
    method: 'GET',
    path: `${proModel.path}/File`,
    permission: proModel.permission,
    query: ById,
    answer: ModelFile,
  }),
  /** Adds the model of a file, unpublished. A preview writes nothing and suggests an unused name. */
  importFile: call({
    method: 'POST',
    path: `${proModel.path}/ImportFile`,
    permission: `${proModel.permission}.add`,
    body: Type.Object({
      File: ModelFile,
      ModelName: Type.Optional(Type.String({ minLength: 1, maxLength: 50 })),
      EnterpriseId: Type.Optional(Id),
      Preview: Flag,
    }),
    answer: Type.Object({
      /** Null in a preview. */
      Id: Type.Union([Id, Type.Null()]),
      ModelName: Type.String(),
      Points: Count,
      /** Codes of standard parameters that this company lacks: their points are imported without one. */
      UnknownCodes: Type.Array(Type.String()),
    }),
  }),
  /** Devices that have an older version than the published one, by model. Models without such devices are left out. */
  behind: call({
    method: 'GET',
    path: `${proModel.path}/Behind`,
    permission: 'm10103',
    answer: Type.Object({ Items: Type.Array(Type.Object({ ModelId: Id, Count })) }),
  }),
  /** The highest Id visible to the caller; 0 if there is no model. */
  maxId: call({ method: 'GET', path: `${proModel.path}/MaxId`, permission: proModel.permission, answer: MaxId }),
  /** Publishes the points as the next version. `Version` and `Edits` prove that the caller saw the latest edits. */
  publish: call({
    method: 'POST',
    path: `${proModel.path}/Publish`,
    permission: `${proModel.permission}.publish`,
    body: Type.Object({ Id, Version: Type.Optional(Count), Edits: Type.Optional(Count) }),
    answer: Type.Object({ Version: Count }),
  }),
  /** Applies the published version to these devices, or to a project's devices of this model, in one transaction. */
  apply: call({
    method: 'POST',
    path: `${proModel.path}/Apply`,
    permission: `${proModel.permission}.apply`,
    body: Type.Object({
      ModelId: Id,
      DeviceIds: Type.Optional(IdList()),
      ProjectId: Type.Optional(Id),
      /** Deletes points that the model no longer has. By default they stay, unlinked from the model. */
      RemoveGone: Flag,
      RenameInRules: Flag,
      Preview: Flag,
    }),
    answer: Applied,
  }),
  /** Saves edited cells and new rows of a model, all or none. */
  cells: call({
    method: 'POST',
    path: `${modelPara.path}/Cells`,
    permission: `${modelPara.permission}.edit`,
    body: Type.Object({ ModelId: Id, Rows: cellRows(modelPara) }),
    answer: CellsSaved,
  }),
  copyPoints: call({
    method: 'POST',
    path: `${modelPara.path}/Copy`,
    permission: `${modelPara.permission}.add`,
    body: Type.Object({ Ids: IdList(), ModelId: Id }),
    answer: Added,
  }),
  maxPointId: call({ method: 'GET', path: `${modelPara.path}/MaxId`, permission: modelPara.permission, answer: MaxId }),
}
