import { choice, number, ref, text } from '../../../contract/field.ts'
import { resource } from '../../../contract/resource.ts'
import { whole } from '../../../contract/validators.ts'

/** How a gateway reaches a device over the network. */
export const netProtocol = resource('netProtocol', {
  path: '/Project/Protocol/NetProtocol',
  permission: 'm10106',
  title: 'ProtocolName',
  owner: 'GatewayId',
  order: 'ProtocolName',
  sheets: 'in-out',
  fields: {
    ProtocolName: text({ required: true, unique: 'GatewayId', search: true }),
    GatewayId: ref('gateway', { required: true, set: 'create' }),
    /** 0 Modbus TCP, 1 Modbus RTU over TCP. */
    ProtocolType: choice([0, 1], { required: true, default: 0 }),
    Ip: text({ required: true, max: 64, validator: 'host' }),
    Port: number({ required: true, ...whole('port'), default: 502 }),
    InterFrameMs: number({ required: true, integer: true, min: 0, max: 60000, unit: 'ms', default: 0 }),
    RetryCount: number({ required: true, integer: true, min: 0, max: 10, default: 3 }),
  },
})

/** How a gateway reaches a device over a serial bus. */
export const serialProtocol = resource('serialProtocol', {
  path: '/Project/Protocol/SerialProtocol',
  permission: 'm10106',
  title: 'ProtocolName',
  owner: 'GatewayId',
  order: 'ProtocolName',
  sheets: 'in-out',
  fields: {
    ProtocolName: text({ required: true, unique: 'GatewayId', search: true }),
    GatewayId: ref('gateway', { required: true, set: 'create' }),
    SerialPort: text({ required: true, max: 64 }),
    BaudRate: choice([1200, 1800, 2400, 4800, 7200, 9600, 14400, 19200, 38400, 57600, 115200, 128000, 187500], {
      required: true,
      default: 9600,
    }),
    DataBits: choice([7, 8], { required: true, default: 8 }),
    StopBits: choice([1, 2], { required: true, default: 1 }),
    /** 0 none, 1 odd, 2 even. */
    Parity: choice([0, 1, 2], { required: true, default: 0 }),
    InterFrameMs: number({ required: true, integer: true, min: 0, max: 60000, unit: 'ms', default: 0 }),
    RetryCount: number({ required: true, integer: true, min: 0, max: 10, default: 3 }),
  },
})
