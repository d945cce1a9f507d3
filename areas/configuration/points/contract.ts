import { Type } from 'typebox'
import { AnyObject, Changed, call, IdList, paging } from '../../../contract/call.ts'
import { CellsSaved, cellRows } from '../../../contract/cells.ts'
import { counts } from '../../../contract/figures.ts'
import { pointFields } from '../../../contract/point-fields.ts'
import { pointRules, pointWarnings } from '../../../contract/point-rules.ts'
import { Id, resource, schemas } from '../../../contract/resource.ts'
import { device } from '../devices/contract.ts'
import { gateway } from '../gateways/contract.ts'

export const point = resource('point', {
  path: '/Project/DevPara',
  aliases: ['/V3/Project/DevPara'],
  permission: 'm10104',
  title: 'ParaName',
  owner: 'DeviceId',
  order: 'Id',
  sheets: 'in',
  checks: { ParaName: 'CheckDevPara' },
  rules: pointRules,
  warnings: pointWarnings,
  fields: pointFields,
})

/** Types of point tables that the export dialog offers: 1 the run point table. */
export const pointTableTypes = [1] as const
/** The type of a device's point table by its channel: 3 network, 4 serial, 5 plugin, 6 custom protocol (ruling 28). */
export const channelTableTypes = { network: 3, serial: 4, plugin: 5, custom: 6 } as const
const [customProtocol, pluginProtocol] = [200, 201]
export const tableTypeOf = ({ CommType, ProtocolType }: { CommType: number; ProtocolType: number }) => {
  if (ProtocolType === pluginProtocol) return channelTableTypes.plugin
  if (ProtocolType === customProtocol) return channelTableTypes.custom
  return CommType === 1 ? channelTableTypes.serial : channelTableTypes.network
}
const tableTypes = [...pointTableTypes, ...Object.values(channelTableTypes)]

const Reply = Type.Object({
  Code: Type.Integer(),
  Msg: Type.String(),
  Data: Type.Optional(AnyObject),
})
const Value = Type.Union([Type.Number(), Type.Null()])
const Flag = Type.Integer({ minimum: 0, maximum: 1 })

/** Items of a batch are drafts without the device: the batch names it once. */
const { DeviceId: _, ...item } = schemas(point as never).draft.properties

export const pointCalls = {
  v2List: call({
    method: 'GET',
    path: '/V2/Project/DevPara/List',
    permission: 'm10104',
    query: Type.Object({
      DeviceIds: Type.Optional(Type.String({ maxLength: 20_000 })),
      ...paging(),
    }),
    answer: AnyObject,
  }),
  output: call({
    method: 'GET',
    path: '/Project/DevPara/Output',
    permission: 'm10104.export',
    query: Type.Object({
      DeviceId: Id,
      PointTableType: Type.Optional(
        Type.Unsafe<(typeof tableTypes)[number]>({
          type: 'integer',
          enum: tableTypes,
          description: '1 the run point table of any device; 3 to 6 the same, refused where the channel of the device is of another type.',
        }),
      ),
    }),
  }),
  batchAdd: call({
    method: 'POST',
    path: '/Project/DevPara/BatchAdd',
    permission: 'm10104.add',
    body: Type.Object({
      DeviceId: Id,
      Items: Type.Array(Type.Object(item), { minItems: 1, maxItems: 1000 }),
    }),
    answer: Type.Object({ Added: Type.Integer() }),
  }),
  /** Saves edited cells and new rows of a device, all or none. */
  cells: call({
    method: 'POST',
    path: '/Project/DevPara/Cells',
    permission: 'm10104.edit',
    body: Type.Object({ DeviceId: Id, Rows: cellRows(point) }),
    answer: CellsSaved,
  }),
  slaveNumbers: call({
    method: 'POST',
    path: '/Project/DevPara/SlaveNumberBatchUpdate',
    permission: 'm10104.edit',
    body: Type.Object({ Ids: IdList(), SlaveNumber: Type.Integer({ minimum: 1, maximum: 255 }) }),
    answer: Changed,
  }),
  /** Resets rows, or some of their fields, to the model. */
  reset: call({
    method: 'POST',
    path: '/Project/DevPara/Reset',
    permission: 'm10104.edit',
    body: Type.Object({ Ids: IdList(), Fields: Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 27 })) }),
    answer: Changed,
  }),
  /** Points of a project that break a rule or have a warning, the first 1,000. */
  violations: call({
    method: 'GET',
    path: '/Project/DevPara/Violations',
    permission: 'm10104',
    query: Type.Object({ ProjectId: Id }),
    answer: Type.Object({
      Broken: Type.Integer(),
      Warnings: Type.Integer(),
      Rows: Type.Array(
        Type.Object({
          ...{ DeviceId: Id, DeviceName: Type.String(), ParaId: Type.Union([Id, Type.Null()]), ParaName: Type.String() },
          /** 1 a broken rule, 0 a warning. */
          ...{ Field: Type.String(), IsBroken: Type.Integer(), Message: Type.String() },
        }),
      ),
    }),
  }),
  /** Analyses a file before its import: the layout, and the likely field of each column. Writes nothing. */
  layout: call({
    method: 'POST',
    path: '/Project/DevPara/Layout',
    permission: 'm10104.import',
    query: Type.Object({ DeviceId: Id }),
    answer: Type.Object({
      /** 0 our columns, 1 any sheet, 2 Kepware, 3 the ThingsBoard gateway. */
      Layout: Type.Integer(),
      Columns: Type.Array(Type.Object({ Title: Type.String(), Field: Type.String(), Samples: Type.Array(Type.String()) })),
      /** The columns as this company mapped them last. */
      Remembered: Flag,
      /** The devices in the file, if there are several. */
      Sources: Type.Array(Type.Object({ Name: Type.String(), Points: Type.Integer() })),
      AddressStyle: Type.Integer(),
      WordOrder: Type.Union([Type.String(), Type.Null()]),
      /** The file has 32-bit values without a word order. */
      AsksWordOrder: Flag,
      SlaveNumber: Type.Integer(),
    }),
  }),
  write: call({
    method: 'POST',
    path: '/Project/DevPara/Write',
    permission: 'm10104.write',
    body: Type.Object({ ParaId: Id, Value: Type.Number() }),
    answer: Reply,
  }),
  read: call({
    method: 'POST',
    path: '/Project/DevPara/Read',
    permission: 'm10104',
    // Each of their devices receives a command.
    body: Type.Object({ ParaIds: IdList(200) }),
    answer: Type.Object({
      Code: Type.Integer(),
      Msg: Type.String(),
      Values: Type.Array(Type.Object({ ParaId: Id, Value, Quality: Type.Integer() })),
    }),
  }),
}

/** Counts in the plant tree. */
export const gatewaysByProject = counts(gateway, { path: '/Project/Gateway/CountByProject', by: 'ProjectId' })
export const devicesByGateway = counts(device, { path: '/Project/Device/CountByGateway', by: 'GatewayId' })
