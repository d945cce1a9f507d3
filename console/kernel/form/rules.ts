import type { FormRule } from 'antd'
import type { Field } from '../../../contract/field.ts'
import { missing, violation } from '../../../contract/validators.ts'
import { hasWords, type Words } from '../../words/words.ts'

const sharedName = (f: Field) => (f.kind === 'text' || f.kind === 'number' ? f.validator : undefined)

/** Validates a value and returns the error text. The server applies the same rules. `name` is `<resource>.<field>`. */
export const faultText = (f: Field, name: string, value: unknown, t: Words): string | undefined => {
  const validator = sharedName(f)
  const said = validator && violation(validator, value)
  if (said) return t(said.key, said.values)
  if (value === null || value === undefined || value === '') return undefined
  if (f.kind === 'text' && f.pattern && !new RegExp(f.pattern).test(String(value)))
    return t(hasWords(`pattern.${name}`) ? `pattern.${name}` : 'form.pattern')
  if (f.kind !== 'number') return undefined
  const { min = -1e15, max = 1e15 } = f
  if (f.integer && !Number.isInteger(value)) return t('form.integer')
  return Number(value) < min || Number(value) > max ? t('form.range', { min, max }) : undefined
}

/** The rules of a field, for antd's form. */
export const rules = (f: Field, name: string, required: boolean, t: Words): FormRule[] => {
  const said = missing(sharedName(f))
  // An empty list is a value, such as no receivers.
  const emptyList = Array.isArray(f.default) && { validator: async () => undefined }
  return [
    { required, message: said ? t(said.key, said.values) : t('form.required', { field: t(name) }), ...emptyList },
    {
      validator: async (_, value) => {
        const fault = faultText(f, name, value, t)
        if (fault) throw new Error(fault)
      },
    },
  ]
}
