import { DataType, type DataValue, type StatusCode, StatusCodes, type Variant, VariantArrayType } from 'node-opcua-client'
import { Quality } from '../../../contract/telemetry.ts'
import { DriverFault, type PointRow, type Reading } from '../driver.ts'
import { numberInText, rawOfValue, readingOfValue } from '../numbers.ts'
import { shortest } from '../values.ts'

/** The server does not know the node, or the element of it. */
const unknown = [
  ...[StatusCodes.BadNodeIdUnknown, StatusCodes.BadNodeIdInvalid, StatusCodes.BadAttributeIdInvalid, StatusCodes.BadNotFound],
  ...[StatusCodes.BadIndexRangeInvalid, StatusCodes.BadIndexRangeNoData, StatusCodes.BadNotReadable, StatusCodes.BadNoEntryExists],
].map(({ value }) => value)
/** The server gets no answer from the device behind it. */
const silent = [
  ...[StatusCodes.BadTimeout, StatusCodes.BadNoCommunication, StatusCodes.BadCommunicationError, StatusCodes.BadNotConnected],
  ...[StatusCodes.BadServerNotConnected, StatusCodes.BadDeviceFailure, StatusCodes.BadWaitingForInitialData],
].map(({ value }) => value)
export const isUnknown = ({ value }: StatusCode) => unknown.includes(value)

/** Severity of a status code in its two highest bits (Part 4, 7.39): good, uncertain, bad. */
const severityOf = ({ value }: StatusCode) => value >>> 30
export const isBad = (status: StatusCode) => severityOf(status) > 1
export const badReading = (status: StatusCode): Reading => ({
  value: null,
  quality: isUnknown(status) ? Quality.notConfigured : silent.includes(status.value) ? Quality.timeout : Quality.exception,
})

/** 64-bit integers are a pair of 32 bits. */
const bigOf = (value: unknown, isSigned: boolean): bigint | undefined => {
  if (!Array.isArray(value) && !(value instanceof Uint32Array)) return undefined
  const [high, low] = [Number(value[0]), Number(value[1])]
  if (!Number.isInteger(high) || !Number.isInteger(low)) return undefined
  const bits = (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0)
  return isSigned ? BigInt.asIntN(64, bits) : bits
}

const numberOf = (type: DataType, value: unknown): number | bigint | boolean | undefined => {
  switch (type) {
    case DataType.Boolean:
      return typeof value === 'boolean' ? value : undefined
    case DataType.Int64:
    case DataType.UInt64:
      return bigOf(value, type === DataType.Int64)
    case DataType.Float:
      return typeof value === 'number' ? shortest(value) : undefined
    case DataType.String:
      return typeof value === 'string' ? numberInText(value) : undefined
    default:
      return typeof value === 'number' ? value : undefined
  }
}

const elementOf = ({ arrayType, value }: Variant, index: number | undefined): unknown => {
  if (index === undefined) return arrayType === VariantArrayType.Scalar ? value : undefined
  if (arrayType === VariantArrayType.Scalar) return undefined
  return value?.[index]
}

/** The reading of a value, with the source's time if `isTimed`. */
export const readingOfDataValue = (point: PointRow, index: number | undefined, data: DataValue, isTimed: boolean): Reading => {
  const { statusCode, value: variant, sourceTimestamp } = data
  if (isBad(statusCode)) return badReading(statusCode)
  const element = elementOf(variant, index)
  const isAbsent = index !== undefined && element === undefined && variant.dataType !== DataType.Null
  if (isAbsent) return { value: null, quality: Quality.notConfigured }
  const number = numberOf(variant.dataType, element)
  if (number === undefined) return { value: null, quality: Quality.exception }
  const reading = readingOfValue(point, number)
  const isDoubtful = severityOf(statusCode) === 1 && reading.quality === Quality.good
  return {
    ...(isDoubtful ? { ...reading, quality: Quality.uncertain } : reading),
    ...(isTimed && sourceTimestamp ? { time: sourceTimestamp.getTime() } : {}),
  }
}

const ranges = new Map<DataType, readonly [number, number]>([
  [DataType.SByte, [-128, 127]],
  [DataType.Byte, [0, 255]],
  [DataType.Int16, [-0x8000, 0x7fff]],
  [DataType.UInt16, [0, 0xffff]],
  [DataType.Int32, [-0x80000000, 0x7fffffff]],
  [DataType.UInt32, [0, 0xffffffff]],
  [DataType.Int64, [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]],
  [DataType.UInt64, [0, Number.MAX_SAFE_INTEGER]],
])
const pairOf = (whole: number) => {
  const bits = BigInt.asUintN(64, BigInt(whole))
  return [Number(bits >> 32n), Number(bits & 0xffffffffn)]
}

/** The value to write, in the node's type. @throws RangeError */
export const valueToWrite = (point: PointRow, type: DataType, value: number): unknown => {
  const raw = rawOfValue(point, value)
  if (type === DataType.Boolean) {
    if (raw !== 0 && raw !== 1) throw new RangeError(`${raw} is neither 0 nor 1`)
    return raw === 1
  }
  if (type === DataType.Float || type === DataType.Double) return raw
  if (type === DataType.String) return String(raw)
  const range = ranges.get(type)
  if (!range) throw new DriverFault('refused', `values of type ${DataType[type]} are not written`)
  const whole = Math.round(raw) + 0
  if (!(whole >= range[0] && whole <= range[1])) throw new RangeError(`${raw} is outside ${range[0]} to ${range[1]}`)
  return type === DataType.Int64 || type === DataType.UInt64 ? pairOf(whole) : whole
}
