// Meters on a serial line or behind a converter: DL/T 645-2007 and -1997, CJ/T 188.
import { choice, number, text } from '../field.ts'
import { meterTypes, valve, volumeItems } from './cjt188-data.ts'
import { dlt645Items, dlt645OldItems, itemOf } from './dlt645-data.ts'
import type { MeterItem } from './meter-data.ts'
import { misread, type Parsed, protocol, type Row, type RowFault } from './protocol.ts'

/** A value of an answer: the identifier, and which one it is, counted from 1. */
export type MeterAddress = { identifier: string; place: number }

/** `02010100`, and `0201FF00/2` for the second value of an answer. */
const identifier = (digits: number) => {
  const whole = new RegExp(`^([0-9A-F]{${digits}})(?:/([1-9]\\d?))?$`)
  const begun = new RegExp(`^([0-9A-F]{${digits}}(/([1-9]\\d?)?)?|[0-9A-F]{0,${digits - 1}})`)
  return (given: string): Parsed<MeterAddress> | { at: number } => {
    const text = given.toUpperCase()
    const [, found, place = '1'] = whole.exec(text) ?? []
    if (found === undefined) return misread(text, begun)
    return { address: { identifier: found, place: Number(place) }, key: `${found}/${place}` }
  }
}

const meter = {
  ...{ polls: true, listens: false, browses: true as const, port: 4001 },
  unused: ['RegisterType', 'SlaveNumber', 'ParaDataType'] as const,
}
const Preamble = number({ integer: true, min: 0, max: 4, default: 4 })
const digits = (count: number) => text({ required: true, max: count, pattern: `^[0-9]{${count}}$` })
const eightDigits = text({ max: 8, pattern: '^[0-9]{8}$' })
const writing = { Password: { ...eightDigits, secret: true as const } }

const only =
  (items: ReadonlyMap<string, MeterItem>) =>
  (p: Row, { identifier: asked }: MeterAddress): RowFault[] =>
    p.ReadWriteType === 0 || items.get(asked)?.isWritable ? [] : [['ReadWriteType', 'meterReadOnly']]

export const dlt645 = protocol({
  ...meter,
  ...{ number: 20, name: 'dlt645', targets: { serial: 'dlt645', dials: 'dlt645-over-tcp', dialled: 'dlt645-dialled' } },
  /** Access level, password and operator code for write commands. */
  channel: { Preamble, ...writing, Operator: eightDigits },
  device: { MeterAddress: digits(12) },
  example: '00010000',
  parse: identifier(8),
  judge: only(dlt645Items),
})
export const dlt645Old = protocol({
  ...meter,
  ...{ number: 21, name: 'dlt645-1997', targets: { serial: 'dlt645-1997', dials: 'dlt645-1997-over-tcp', dialled: 'dlt645-1997-dialled' } },
  channel: { Preamble, ...writing },
  device: { MeterAddress: digits(12) },
  example: '9010',
  parse: identifier(4),
  judge: only(dlt645OldItems),
})
export const cjt188 = protocol({
  ...meter,
  ...{ number: 30, name: 'cjt188', targets: { serial: 'cjt188', dials: 'cjt188-over-tcp', dialled: 'cjt188-dialled' } },
  channel: { Preamble },
  device: {
    MeterAddress: text({ required: true, max: 14, pattern: '^[0-9A-Fa-f]{14}$' }),
    MeterType: choice(meterTypes, { required: true, default: '10' }),
    /** Which byte of the identifier comes first; makers differ. */
    IdentifierOrder: choice(['low', 'high'], { default: 'low' }),
  },
  example: '901F/1',
  parse: identifier(4),
  judge: (p, address) =>
    address.identifier === valve && p.ReadWriteType !== 2 ? [['ReadWriteType', 'meterWriteOnly']] : only(volumeItems)(p, address),
})

/** Items of a DL/T 645 protocol. */
export const itemsOf = (number: number) => (number === dlt645Old.number ? dlt645OldItems : dlt645Items)
export { itemOf }
