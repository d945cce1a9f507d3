import type { Field } from '../../../../contract/field.ts'
import { addressFault } from '../../../../contract/protocols/index.ts'

/** The default columns. */
export const usualColumns: readonly string[] = [
  'ParaName',
  'ParaUnitName',
  'RegisterType',
  'Address',
  'ParaDataType',
  'ReadWriteType',
  'AlarmLow',
  'AlarmHigh',
  'CollectPeriod',
]

/** The error of an address for a protocol, as a key of the words. Expressions in braces are checked where they are filled. */
export const addressFaultOf = (protocol: number | undefined, name: string, value: unknown) => {
  if (protocol === undefined || name !== 'Address' || typeof value !== 'string' || !value || value.includes('{')) return undefined
  const fault = addressFault(protocol, value)
  return fault && { key: 'address.wrongAt', values: { at: fault.at + 1, example: fault.example } }
}

/** The error of an entered value: a key of the words, or undefined. The server checks again. */
export const faultOf = (f: Field, value: unknown): string | undefined => {
  const missing = value === null || value === undefined || value === ''
  if (missing) return f.required ? 'form.needed' : undefined
  if (f.kind === 'text' && f.pattern && !new RegExp(f.pattern).test(String(value))) return 'form.pattern'
  if (f.kind === 'number') {
    const n = Number(value)
    if (!Number.isFinite(n)) return 'form.number'
    if (f.integer && !Number.isInteger(n)) return 'form.integer'
    if ((f.min !== undefined && n < f.min) || (f.max !== undefined && n > f.max)) return 'form.range'
  }
  return undefined
}
