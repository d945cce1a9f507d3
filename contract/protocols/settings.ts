// Settings of a channel or a device, judged by their fields without a schema compiler: the console does it, too.
import { passes } from '../validators.ts'
import type { SettingField } from './protocol.ts'

export type Settings = Readonly<Record<string, string | number>>
type Fields = Readonly<Record<string, SettingField>>
/** A refusal of a setting. `rule` as in `fault.field.<rule>`. */
export type SettingFault = { name: string; rule: string; values?: Record<string, number> }

const faultOf = (f: SettingField, value: string | number): Omit<SettingFault, 'name'> | undefined => {
  if (f.kind === 'choice') return f.of.includes(value) ? undefined : { rule: 'choice' }
  if (f.kind === 'flag') return value === 0 || value === 1 ? undefined : { rule: 'choice' }
  if (f.kind === 'number') {
    if (typeof value !== 'number' || !Number.isFinite(value)) return { rule: 'type' }
    if (f.integer && !Number.isInteger(value)) return { rule: 'integer' }
    const { min = -1e15, max = 1e15 } = f
    return value < min ? { rule: 'min', values: { min } } : value > max ? { rule: 'max', values: { max } } : undefined
  }
  if (typeof value !== 'string') return { rule: 'type' }
  if (f.kind !== 'text') return undefined
  if (value.length > f.max) return { rule: 'maxLength', values: { max: f.max } }
  if (f.pattern && !new RegExp(f.pattern).test(value)) return { rule: 'pattern' }
  return f.validator && !passes(f.validator, value) ? { rule: 'pattern' } : undefined
}

/** Faults of given settings: unknown ones, missing ones, values that do not fit. */
export const settingFaults = (fields: Fields, given: Settings = {}): SettingFault[] => [
  ...Object.keys(given).flatMap((name) => (Object.hasOwn(fields, name) ? [] : [{ name, rule: 'unknownField' }])),
  ...Object.entries(fields).flatMap(([name, f]) => {
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    if (value === undefined || value === '') return f.required && f.default === undefined ? [{ name, rule: 'required' }] : []
    const fault = faultOf(f, value)
    return fault ? [{ name, ...fault }] : []
  }),
]

/** The value of a setting, or its default. */
export const settingOf = (fields: Fields, given: Settings | undefined, name: string): string | number | undefined => {
  const value = given?.[name] ?? fields[name]?.default
  return typeof value === 'string' || typeof value === 'number' ? value : undefined
}

/** Names of the settings that never come out again. */
export const secretsOf = (fields: Fields): string[] => Object.keys(fields).filter((name) => fields[name]!.secret)
