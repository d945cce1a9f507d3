// Meters on a serial line: DL/T 645-2007 and -1997, CJ/T 188.
import { text } from '../field.ts'
import { misread, type Parsed, protocol } from './protocol.ts'

/** Identifiers of data, as hexadecimal digits. */
const identifier =
  (digits: number) =>
  (text: string): Parsed<string> | { at: number } => {
    const address = text.toUpperCase()
    return new RegExp(`^[0-9A-F]{${digits}}$`).test(address)
      ? { address, key: address }
      : misread(address, new RegExp(`^[0-9A-F]{0,${digits}}`))
  }

/** An answer of CJ/T 188 has several values: `901F/1` is the second, counted from 0. */
const ofAnswer = (text: string): Parsed<{ identifier: string; index: number }> | { at: number } => {
  const [, identifier, index = '0'] = /^([0-9A-F]{4})(?:\/(\d))?$/.exec(text.toUpperCase()) ?? []
  if (identifier === undefined) return misread(text.toUpperCase(), /^([0-9A-F]{4}(\/\d?)?|[0-9A-F]{0,3})/)
  return { address: { identifier, index: Number(index) }, key: `${identifier}/${index}` }
}

const meter = {
  ...{ polls: true, listens: false },
  unused: ['RegisterType', 'SlaveNumber', 'ParaDataType'] as const,
}
const digits = (count: number) => text({ required: true, max: count, pattern: `^[0-9]{${count}}$` })

export const dlt645 = protocol({
  ...meter,
  ...{ number: 20, name: 'dlt645', targets: { serial: 'dlt645', dials: 'dlt645-over-tcp' } },
  device: { MeterAddress: digits(12) },
  example: '00010000',
  parse: identifier(8),
})
export const dlt645Old = protocol({
  ...meter,
  ...{ number: 21, name: 'dlt645-1997', targets: { serial: 'dlt645-1997', dials: 'dlt645-1997-over-tcp' } },
  device: { MeterAddress: digits(12) },
  example: '9010',
  parse: identifier(4),
})
export const cjt188 = protocol({
  ...meter,
  ...{ number: 30, name: 'cjt188', targets: { serial: 'cjt188', dials: 'cjt188-over-tcp' } },
  device: { MeterAddress: text({ required: true, max: 14, pattern: '^[0-9A-Fa-f]{14}$' }) },
  example: '901F/1',
  parse: ofAnswer,
})
