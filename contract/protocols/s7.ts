// Siemens S7 (300, 400, 1200, 1500, LOGO) by its communication over ISO on TCP (RFC 1006).
import { formOf } from '../data-types.ts'
import { number, text } from '../field.ts'
import { misread, type Parsed, protocol, type Row, type RowFault } from './protocol.ts'

export type S7Address = {
  area: 'DB' | 'M' | 'I' | 'Q'
  /** Of a data block. */
  db: number
  byte: number
  /** Only of a bit. */
  bit: number | undefined
  /** Bytes that the letter means: X 0, B 1, W 2, D 4, L 8. */
  size: number
}

const sizes: Readonly<Record<string, number>> = { X: 0, B: 1, W: 2, D: 4, L: 8 }
/** German and English letters of inputs and outputs. */
const areas: Readonly<Record<string, S7Address['area']>> = { M: 'M', I: 'I', E: 'I', Q: 'Q', A: 'Q' }
const whole = /^(?:DB(\d{1,5})\.DB([XBWDL])|([MIEQA])([XBWDL]?))(\d{1,5})(?:\.([0-7]))?$/
const begun = /^(DB(\d{1,5}(\.(D(B([XBWDL](\d{1,5}(\.[0-7]?)?)?)?)?)?)?)?|[MIEQA][XBWDL]?(\d{1,5}(\.[0-7]?)?)?|D)?/

const parse = (given: string): Parsed<S7Address> | { at: number } => {
  const text = given.toUpperCase()
  const [, db, ofBlock, letter, ofArea, byte, bit] = whole.exec(text) ?? []
  if (byte === undefined) return misread(text, begun)
  const kind = ofBlock ?? (ofArea || 'X')
  // A bit is named by its number, and nothing else is.
  if ((kind === 'X') !== (bit !== undefined)) return { at: bit === undefined ? text.length : text.lastIndexOf('.') }
  if (Number(byte) > 65_535 || Number(db ?? 1) > 65_535 || Number(db ?? 1) < 1) return { at: db === undefined ? text.indexOf(byte) : 2 }
  const area = db === undefined ? areas[letter!]! : 'DB'
  const address = { area, db: Number(db ?? 0), byte: Number(byte), bit: bit === undefined ? undefined : Number(bit), size: sizes[kind]! }
  return { address, key: [address.area, address.db, address.byte, address.bit ?? '', address.size].join('.') }
}

const judge = (p: Row, { area, bit, size }: S7Address): RowFault[] => {
  const faults: RowFault[] = []
  const { kind, order } = formOf(p.ParaDataType)
  if (bit !== undefined && kind !== 'bool') faults.push(['ParaDataType', 'bitHoldsBool'])
  if (bit === undefined && kind === 'bool') faults.push(['Address', 'bitMissing'])
  // A byte is read as a number of 16 bits.
  const bytes = size === 1 ? 2 : size
  if (bit === undefined && kind !== 'bool' && order.length !== bytes) faults.push(['ParaDataType', 'sizeDiffers', { bytes: size }])
  if (p.ReadWriteType !== 0 && area === 'I') faults.push(['ReadWriteType', 'inputNotWritable'])
  return faults
}

const tsap = '^[0-9A-Fa-f]{2}\\.?[0-9A-Fa-f]{2}$'

export const s7 = protocol({
  ...{ number: 70, name: 's7', polls: true, listens: false, port: 102 },
  targets: { dials: 's7' },
  channel: {
    Rack: number({ integer: true, min: 0, max: 7, default: 0 }),
    /** 2 for a 300 or 400, 1 for a 1200 or 1500. */
    Slot: number({ integer: true, min: 0, max: 31, default: 1 }),
    /** In place of rack and slot, for a LOGO: 02.00. */
    LocalTsap: text({ max: 5, pattern: tsap }),
    RemoteTsap: text({ max: 5, pattern: tsap }),
  },
  apart: ['Rack', 'Slot', 'LocalTsap', 'RemoteTsap'],
  example: 'DB10.DBD4',
  parse,
  judge,
  unused: ['RegisterType', 'SlaveNumber'],
})
