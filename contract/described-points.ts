import { text } from './field.ts'
import { inBraces, isWellFormed } from './model-text.ts'
import { columnFields, standardRef } from './point-fields.ts'
import { pointRules } from './point-rules.ts'
import type { Rule } from './rules.ts'

const withBraces = (max: number, plain: string) => ({
  max,
  pattern: `^(?:${plain}|(?:[^{}]|${inBraces})*${inBraces}(?:[^{}]|${inBraces})*)$`,
})
const anyAddress = `^(?:[^{}\\u0000-\\u001f\\u007f]|${inBraces})+$`
const { ParaName, Address, SlaveNumber, ...columns } = columnFields
const calculated = ['ParaName', 'Address', 'SlaveNumber'] as const

/**
 * Fields of a point that belongs to no device yet: a point of a model, or a common point. Name, address and unit ID may contain
 * expressions in braces. Names and keys are unique within `unique`. `address`: the pattern of an address, where the protocol is known.
 */
export const describedFields = <const U extends true | string>(unique: U, address?: string) => ({
  ParaName: text({ ...ParaName, unique, max: 100 }),
  /** The key of the point for programs. */
  ParaKey: text({ unique, search: true, pattern: '^[A-Za-z][A-Za-z0-9_]*$', section: 'identity' }),
  StandardParaId: standardRef,
  Address: text({ ...Address, ...(address ? withBraces(100, address) : { pattern: anyAddress }) }),
  SlaveNumber: text({ ...withBraces(60, '[1-9]\\d{0,2}'), required: true, default: '{unit}', section: SlaveNumber.section }),
  ...columns,
})

export const describedRules: readonly Rule[] = [
  ...pointRules,
  {
    name: 'braces',
    of: calculated,
    isBroken: (v) => calculated.some((name) => v[name] != null && !isWellFormed(String(v[name]))),
  },
]
