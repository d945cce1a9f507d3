// Numbers in frames of described protocols. `DataView` and no `Buffer`: the console may read them, too.
import { type NumberForm, type ValueField, widthOf } from './description.ts'

const scratch = new DataView(new ArrayBuffer(8))

/** Where byte i of the number, most significant first, is on the wire. */
const placeOf = (i: number, width: number, order: NumberForm['Order'] = 'ABCD') => {
  if (order === 'DCBA') return width - 1 - i
  // An odd number of bytes has no words to swap.
  if (width % 2 || order === 'ABCD') return i
  const swapped = i ^ 1
  if (order === 'BADC') return swapped
  return width === 2 ? i : width - 1 - swapped
}

const loaded: Record<Exclude<NumberForm['Type'], 'bcd' | 'bit'>, () => number> = {
  u8: () => scratch.getUint8(0),
  i8: () => scratch.getInt8(0),
  u16: () => scratch.getUint16(0),
  i16: () => scratch.getInt16(0),
  u32: () => scratch.getUint32(0),
  i32: () => scratch.getInt32(0),
  u64: () => Number(scratch.getBigUint64(0)),
  i64: () => Number(scratch.getBigInt64(0)),
  f32: () => shortest(scratch.getFloat32(0)),
  f64: () => scratch.getFloat64(0),
}
/** The shortest decimal that is this float32: devices mean 0.1, not 0.10000000149011612. */
const shortest = (float: number) => {
  for (let digits = 6; digits < 9; digits++)
    if (Math.fround(Number(float.toPrecision(digits))) === float) return Number(float.toPrecision(digits))
  return float
}

const decimal = (width: number) => {
  let value = 0
  for (let i = 0; i < width; i++) {
    const byte = scratch.getUint8(i)
    if (byte >> 4 > 9 || (byte & 15) > 9) return Number.NaN
    value = value * 100 + (byte >> 4) * 10 + (byte & 15)
  }
  return value
}

/** Digits that multiplication brings and nobody means: 0.1 * 3 is 0.3. */
const neat = (value: number) => Number(value.toPrecision(15))
const isScaled = ({ Scale, Offset }: NumberForm) => Scale !== undefined || Offset !== undefined

/** The value of a field of a frame; null where the frame is too short or the bytes are no number, or one beyond 2^53. */
export const readValue = (field: ValueField, bytes: Uint8Array): number | null => {
  const width = widthOf(field)
  if (field.At + width > bytes.length) return null
  for (let i = 0; i < width; i++) scratch.setUint8(i, bytes[field.At + placeOf(i, width, field.Order)]!)
  const raw =
    field.Type === 'bit' ? (scratch.getUint8(0) >> (field.Bit ?? 0)) & 1 : field.Type === 'bcd' ? decimal(width) : loaded[field.Type]()
  if (!Number.isFinite(raw) || (!field.Type.startsWith('f') && !Number.isSafeInteger(raw))) return null
  const value = isScaled(field) ? neat(raw * (field.Scale ?? 1) + (field.Offset ?? 0)) : raw
  return Number.isFinite(value) ? value : null
}

const ranges = (type: NumberForm['Type'], width: number): readonly [low: number, high: number] => {
  if (type === 'bcd') return [0, Math.min(10 ** (2 * width) - 1, Number.MAX_SAFE_INTEGER)]
  if (type === 'f32') return [-3.4028234663852886e38, 3.4028234663852886e38]
  if (type === 'f64') return [-Number.MAX_VALUE, Number.MAX_VALUE]
  const bits = 8 * width
  if (type.startsWith('u')) return [0, Math.min(2 ** bits - 1, Number.MAX_SAFE_INTEGER)]
  return [Math.max(-(2 ** (bits - 1)), Number.MIN_SAFE_INTEGER), Math.min(2 ** (bits - 1) - 1, Number.MAX_SAFE_INTEGER)]
}

const stored: Record<Exclude<NumberForm['Type'], 'bcd' | 'bit'>, (raw: number) => void> = {
  u8: (raw) => scratch.setUint8(0, raw),
  i8: (raw) => scratch.setInt8(0, raw),
  u16: (raw) => scratch.setUint16(0, raw),
  i16: (raw) => scratch.setInt16(0, raw),
  u32: (raw) => scratch.setUint32(0, raw),
  i32: (raw) => scratch.setInt32(0, raw),
  u64: (raw) => scratch.setBigUint64(0, BigInt(raw)),
  i64: (raw) => scratch.setBigInt64(0, BigInt(raw)),
  f32: (raw) => scratch.setFloat32(0, raw),
  f64: (raw) => scratch.setFloat64(0, raw),
}
const digits = (raw: number, width: number) => {
  const text = String(raw).padStart(2 * width, '0')
  for (let i = 0; i < width; i++) scratch.setUint8(i, Number.parseInt(text.slice(2 * i, 2 * i + 2), 16))
}

/** Lowest and highest value that a form can write. */
export const rangeOf = (form: NumberForm): [low: number, high: number] => {
  const { Scale = 1, Offset = 0 } = form
  const ends = ranges(form.Type, widthOf(form)).map((raw) => neat(raw * Scale + Offset))
  return [Math.min(...ends), Math.max(...ends)]
}

/** Bytes of a value as they go onto the wire. @throws RangeError where it does not fit */
export const writeValue = (form: NumberForm, value: number): Uint8Array => {
  const { Type, Scale = 1, Offset = 0 } = form
  const width = widthOf(form)
  const scaled = (value - Offset) / Scale
  const raw = Type.startsWith('f') ? scaled : Math.round(scaled) + 0
  const [low, high] = ranges(Type, width)
  if (Type === 'bit' || !(raw >= low && raw <= high)) throw new RangeError(`${value} is outside ${rangeOf(form).join(' to ')}`)
  if (Type === 'bcd') digits(raw, width)
  else stored[Type](raw)
  const bytes = new Uint8Array(width)
  for (let i = 0; i < width; i++) bytes[placeOf(i, width, form.Order)] = scratch.getUint8(i)
  return bytes
}
