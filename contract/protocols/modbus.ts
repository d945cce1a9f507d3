// Modbus: MODBUS Application Protocol V1.1b3, on TCP, or on a serial line or its bytes over TCP.
import { registersOf } from '../data-types.ts'
import { misread, type Parsed, protocol, type Row, type RowFault } from './protocol.ts'

/** Register or coil from 0; of a register, perhaps one bit. */
export type ModbusAddress = { start: number; bit: number | undefined }

const last = 65_535
/** `100.3` is bit 3 of register 100. */
export const modbusPattern = '(\\d{1,4}|[0-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5])(\\.(\\d|1[0-5]))?'
const whole = new RegExp(`^${modbusPattern}$`)
const parse = (text: string): Parsed<ModbusAddress> | { at: number } => {
  const [, start, , bit] = whole.exec(text) ?? []
  if (start === undefined) return misread(text, /^(\d{1,4}(?!\d)|\d{4}(?=\d))?((?<!\d{5})\.(1[0-5]|\d)?)?/)
  const address = { start: Number(start), bit: bit === undefined ? undefined : Number(bit) }
  return { address, key: bit === undefined ? `${address.start}` : `${address.start}.${address.bit}` }
}

const [coil, holding] = [0, 4]
const judge = (p: Row, { start, bit }: ModbusAddress): RowFault[] => {
  const faults: RowFault[] = []
  if (p.RegisterType < 2) {
    if (p.ParaDataType !== 0) faults.push(['ParaDataType', 'coilHoldsBool'])
    if (bit !== undefined) faults.push(['Address', 'coilHasNoBits'])
  } else {
    if (p.ParaDataType === 0 && bit === undefined) faults.push(['Address', 'boolNeedsBit'])
    if (p.ParaDataType !== 0 && bit !== undefined) faults.push(['Address', 'onlyBoolHasBit'])
    const end = start + registersOf(p.ParaDataType) - 1
    if (end > last) faults.push(['Address', 'addressTooHigh', { last: end }])
  }
  if (p.ReadWriteType !== 0 && p.RegisterType !== coil && p.RegisterType !== holding) faults.push(['ReadWriteType', 'notWritableRegister'])
  return faults
}

const modbus = { polls: true, listens: false, port: 502, example: '100', parse, judge }

export const modbusTcp = protocol({
  ...modbus,
  ...{ number: 0, name: 'modbus-tcp', isBase: true as const },
  targets: { dials: 'modbus-tcp' },
})
export const modbusRtu = protocol({
  ...modbus,
  ...{ number: 1, name: 'modbus-rtu', isBase: true as const },
  targets: { dials: 'modbus-rtu-over-tcp', dialled: 'modbus-rtu-dialled', serial: 'modbus-rtu' },
})
export const modbusAscii = protocol({
  ...modbus,
  ...{ number: 2, name: 'modbus-ascii' },
  targets: { dials: 'modbus-ascii-over-tcp', serial: 'modbus-ascii' },
})
