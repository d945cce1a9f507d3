import type { FormInstance } from 'antd'
import { useEffect, useRef } from 'react'
import type { Field } from '../../../contract/field.ts'
import { filledBy } from '../../../contract/fills.ts'
import { resourceNamed } from '../../../contract/registry.ts'
import { language } from '../../words/words.ts'
import { useRow } from '../api.ts'
import type { Values } from './merge.ts'

type Props = { form: FormInstance<Values>; fields: Readonly<Record<string, Field>>; of: Field & { kind: 'ref' }; id: unknown }
/** Fills empty fields from the record that a reference points to. Untouched defaults, and values filled before, count as empty. */
export const FilledFields = ({ form, fields, of: f, id }: Props) => {
  const { data } = useRow(resourceNamed(f.to)!, typeof id === 'number' ? id : undefined)
  const filled = useRef<Values>({})
  useEffect(() => {
    if (!data) return
    const isOpen = (name: string, value: unknown) => value === fields[name]?.default || value === filled.current[name]
    const row = Object.entries(form.getFieldsValue())
    const empty = row.map(([name, value]) => [name, !form.isFieldTouched(name) && isOpen(name, value) ? null : value])
    filled.current = filledBy(f, data, Object.fromEntries(empty), language())
    form.setFieldsValue(filled.current)
  }, [data, form, fields, f])
  return null
}
