import { Type } from 'typebox'
import { AnyObject, ById, call } from '../../../contract/call.ts'
import { choice, instant, long, number, ref, text } from '../../../contract/field.ts'
import { valuesPattern } from '../../../contract/model-text.ts'
import { resource } from '../../../contract/resource.ts'
import { whole } from '../../../contract/validators.ts'

export const device = resource('device', {
  path: '/Project/Device',
  aliases: ['/V3/Project/Device'],
  permission: 'm10103',
  title: 'DeviceName',
  owner: 'GatewayId',
  order: 'DeviceName',
  sheets: 'in-out',
  fields: {
    DeviceName: text({ required: true, unique: 'GatewayId', search: true }),
    GatewayId: ref('gateway', { required: true, set: 'create' }),
    /** 0 network, 1 serial: which of the two channels holds. */
    CommType: choice([0, 1], { required: true, default: 0 }),
    NetProtocolId: ref('netProtocol'),
    SerialProtocolId: ref('serialProtocol'),
    SlaveNumber: number({ required: true, ...whole('1-255'), default: 1 }),
    ModelId: ref('proModel'),
    /** Values for the model's parameters, such as `base=100;db=4`. */
    ModelValues: text({ max: 500, pattern: valuesPattern }),
    /** The applied version of the model, null before the first one. */
    ModelVersion: number({ integer: true, set: 'never' }),
    Remark: long(),
    /** 0 offline, 1 online, 2 communication error, 3 never heard of. */
    Status: choice([0, 1, 2, 3], { required: true, set: 'never', search: true, default: 3 }),
    OkCount: number({ integer: true, set: 'never' }),
    ErrCount: number({ integer: true, set: 'never' }),
    LastDataTime: instant({ age: true }),
  },
})

/** One stage of the way from the wire to the screen; `Ok` null = not known. Words at `why.<Stage>.<Reason>`. */
const Stage = Type.Object({
  Stage: Type.Union([
    Type.Literal('gateway'),
    Type.Literal('config'),
    Type.Literal('transport'),
    Type.Literal('parse'),
    Type.Literal('store'),
    Type.Literal('rule'),
  ]),
  Ok: Type.Union([Type.Boolean(), Type.Null()]),
  Reason: Type.String(),
  Values: AnyObject,
})

export const deviceCalls = {
  whyNoData: call({
    method: 'GET',
    path: '/Project/Device/WhyNoData',
    permission: 'm10107',
    query: ById,
    answer: Type.Array(Stage),
  }),
}
