// Translates registers, types and addresses of Modbus programs to columns of a point.
import type { WordOrder } from './layout.ts'

const areas: Record<string, number> = { 0: 0, 1: 1, 3: 3, 4: 4 }

/** `40001` and `400001` are holding register 0, `400011.5` is bit 5 of holding register 10. */
export const classicAddress = (text: string): { RegisterType: number; Address: string } | undefined => {
  const [, area, digits, bit] = /^([0134])(\d{4,5})(?:\.(\d|0\d|1[0-5]))?$/.exec(text.trim()) ?? []
  const number = Number(digits)
  if (area === undefined || number < 1 || number > 65_536) return undefined
  return { RegisterType: areas[area]!, Address: `${number - 1}${bit === undefined ? '' : `.${Number(bit)}`}` }
}

/** Codes of the types that span two registers, by word order. */
const wide: Record<'int' | 'uint' | 'float', Record<WordOrder, number>> = {
  int: { ABCD: 3, CDAB: 4, BADC: 5, DCBA: 6 },
  uint: { ABCD: 33, CDAB: 34, BADC: 35, DCBA: 36 },
  float: { ABCD: 7, CDAB: 8, BADC: 9, DCBA: 10 },
}
const names: Record<string, 'bool' | 'int16' | 'uint16' | keyof typeof wide> = {
  ...Object.fromEntries(['bool', 'boolean', 'bit', 'bits', 'coil'].map((name) => [name, 'bool' as const])),
  ...Object.fromEntries(['short', 'int16', '16int', 'int', 's16', 'i16'].map((name) => [name, 'int16' as const])),
  ...Object.fromEntries(['word', 'uint16', '16uint', 'uint', 'u16'].map((name) => [name, 'uint16' as const])),
  ...Object.fromEntries(['long', 'int32', '32int', 'dint', 's32', 'i32'].map((name) => [name, 'int' as const])),
  ...Object.fromEntries(['dword', 'uint32', '32uint', 'udint', 'u32'].map((name) => [name, 'uint' as const])),
  ...Object.fromEntries(['float', 'float32', '32float', 'real', 'f32'].map((name) => [name, 'float' as const])),
}
const kindOf = (name: string) => {
  const known = name.trim().toLowerCase()
  return Object.hasOwn(names, known) ? names[known] : undefined
}

/** The code of a type; a rule if the word order is required and unknown, or if the type has no counterpart. */
export const dataType = (name: string, order: WordOrder | undefined): { code: number } | { rule: string } => {
  const kind = kindOf(name)
  if (!kind) return { rule: 'layout.type' }
  if (kind === 'bool') return { code: 0 }
  const isSwapped = order === 'BADC' || order === 'DCBA'
  if (kind === 'int16') return { code: isSwapped ? 31 : 1 }
  if (kind === 'uint16') return { code: isSwapped ? 32 : 2 }
  return order ? { code: wide[kind][order] } : { rule: 'layout.wordOrder' }
}

const access: Record<string, number> = { ro: 0, r: 0, 'read only': 0, 'r/w': 1, rw: 1, 'read/write': 1, wo: 2, w: 2, 'write only': 2 }
/** Read only, read and write, write only. */
export const accessOf = (name: string): number | undefined => {
  const known = name.trim().toLowerCase()
  return Object.hasOwn(access, known) ? access[known] : undefined
}
