import { Type } from 'typebox'
import { ById, call } from '../../../contract/call.ts'
import { choice, instant, text } from '../../../contract/field.ts'
import { Id, resource } from '../../../contract/resource.ts'
import { gatewayTypes } from '../../configuration/gateways/contract.ts'

const serial = '^[0-9A-Z]{8,32}$'
/** The code on the label of a gateway: 8 letters and digits. */
export const codePattern = '^[0-9A-Za-z]{8}$'
/** Maximum numbers per call. */
export const mostSerials = 1000

/** Gateways in stock. The code on its label binds a gateway to a project. */
export const gatewaySn = resource('gatewaySn', {
  path: '/V3/System/CrossRegionSale/GatewaySN',
  permission: 'm12005',
  title: 'SN',
  order: '-Id',
  sheets: 'out',
  fields: {
    SN: text({ required: true, unique: 'everywhere', search: true, set: 'never', max: 32, pattern: serial }),
    GatewayTypeId: choice(gatewayTypes, { required: true, default: 1, search: true }),
    SubTypeId: choice([1, 2], { default: 1 }),
    Batch: text({ max: 40, search: true }),
    ProduceDate: text({ max: 10, pattern: '^20\\d\\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$' }),
    /** 0 produced, 1 in stock, 2 outbound, 3 activated, 4 returned, 5 scrapped, 6 locked. */
    Status: choice([0, 1, 2, 3, 4, 5, 6], {
      required: true,
      default: 1,
      search: true,
      moves: { 0: [1, 5, 6], 1: [5, 6], 2: [5, 6], 3: [], 4: [1, 5, 6], 5: [1], 6: [1] },
    }),
    BoundTime: instant(),
  },
  differs: { create: 'One call adds many.', moves: 'Status 3 follows a gateway.' },
  acts: { newCode: { button: 'edit', danger: true, when: { Status: [0, 1, 2, 4, 6] }, adds: { Code: Type.String() } } },
})

const Coded = Type.Object({ SN: Type.String(), Code: Type.String() })
const Text = Type.Union([Type.String(), Type.Null()])

export const serialCalls = {
  /** Adds serial numbers, all or none. Generates missing codes and returns each of them once. */
  batchAdd: call({
    method: 'POST',
    path: `${gatewaySn.path}/BatchAdd`,
    permission: 'm12005.add',
    body: Type.Object({
      EnterpriseId: Type.Optional(Id),
      Items: Type.Array(Type.Object({ SN: Type.String({ maxLength: 60 }), Code: Type.Optional(Type.String({ pattern: codePattern })) }), {
        minItems: 1,
        maxItems: mostSerials,
      }),
      GatewayTypeId: Type.Optional(Type.Unsafe<(typeof gatewayTypes)[number]>({ enum: [...gatewayTypes] })),
      SubTypeId: Type.Optional(Type.Union([Type.Literal(1), Type.Literal(2)])),
      Batch: Type.Optional(Type.String({ maxLength: 40 })),
      ProduceDate: Type.Optional(Type.String({ pattern: gatewaySn.fields.ProduceDate.pattern })),
    }),
    answer: Type.Object({ Added: Type.Integer(), Codes: Type.Array(Coded) }),
  }),
  /** Reads the serial numbers of a sheet, xlsx or csv, and the codes in the next column. Writes nothing. */
  readSheet: call({
    method: 'POST',
    path: `${gatewaySn.path}/ReadSheet`,
    permission: 'm12005.add',
    answer: Type.Object({ Items: Type.Array(Type.Object({ SN: Type.String(), Code: Type.Optional(Type.String()) })) }),
  }),
  /** History of a serial number, newest first. */
  life: call({
    method: 'GET',
    path: `${gatewaySn.path}/Life`,
    permission: gatewaySn.permission,
    query: ById,
    answer: Type.Array(Type.Object({ Time: Type.String(), OpType: Type.Integer(), FromText: Text, ToText: Text, UserName: Text })),
  }),
}
