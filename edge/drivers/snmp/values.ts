import type { Varbind } from 'net-snmp'
import { Quality } from '../../../contract/telemetry.ts'
import { DriverFault, type PointRow, type Reading } from '../driver.ts'
import { numberInText, rawOfValue, readingOfValue } from '../numbers.ts'
import { shortest } from '../values.ts'

/** Value tags: RFC 2578, and exceptions of RFC 3416. */
const [integer, octets, empty, opaque, counter64] = [2, 4, 5, 68, 70]
const unsigned: readonly number[] = [65, 66, 67]
const exceptions: readonly number[] = [128, 129, 130]

/** Float and double inside Opaque, as encoded by Net-SNMP: 9f78 and 9f79, with their length. */
const inOpaque = (bytes: Buffer): number | undefined => {
  if (bytes.length === 7 && bytes.readUIntBE(0, 3) === 0x9f7804) return shortest(bytes.readFloatBE(3))
  if (bytes.length === 11 && bytes.readUIntBE(0, 3) === 0x9f7908) return bytes.readDoubleBE(3)
  return undefined
}

const bigOf = (bytes: Buffer) => (bytes.length ? BigInt(`0x${bytes.toString('hex')}`) : 0n)

/** The number in a variable; undefined for addresses, names and texts without a number. */
const numberOf = ({ type, value }: Varbind): number | bigint | undefined => {
  if ((type === integer || unsigned.includes(type)) && typeof value === 'number') return value
  if (!Buffer.isBuffer(value)) return undefined
  if (type === octets) return numberInText(value.toString('utf8'))
  if (type === counter64) return value.length <= 9 ? bigOf(value) : undefined
  return type === opaque ? inOpaque(value) : undefined
}

export const isMissing = ({ type }: Varbind) => exceptions.includes(type) || type === empty

export const readingOfVariable = (point: PointRow, variable: Varbind): Reading => {
  if (isMissing(variable)) return { value: null, quality: Quality.notConfigured }
  const value = numberOf(variable)
  return value === undefined ? { value: null, quality: Quality.exception } : readingOfValue(point, value)
}

/** Displays a variable while browsing. */
export const textOf = (variable: Varbind): string => {
  const { value } = variable
  const number = numberOf(variable)
  if (!Buffer.isBuffer(value)) return String(value ?? '')
  const text = value.toString('utf8')
  const isText = variable.type === octets && !/[\p{Cc}\ufffd]/u.test(text.replace(/[\t\r\n]/g, ''))
  return isText ? text : String(number ?? value.toString('hex'))
}

const limits: Readonly<Record<number, readonly [number, number]>> = {
  2: [-0x80000000, 0x7fffffff],
  65: [0, 0xffffffff],
  66: [0, 0xffffffff],
  67: [0, 0xffffffff],
}

/** The variable with the value, in the agent's type. @throws RangeError */
export const variableToWrite = (point: PointRow, before: Varbind, value: number): Varbind => {
  const raw = rawOfValue(point, value)
  const { oid, type } = before
  if (type === octets) return { oid, type, value: String(raw) }
  const range = limits[type]
  if (!range) throw new DriverFault('refused', 'only numbers, and numbers in texts, are written')
  const whole = Math.round(raw)
  if (!(whole >= range[0] && whole <= range[1])) throw new RangeError(`${raw} is outside ${range[0]} to ${range[1]}`)
  return { oid, type, value: whole }
}
