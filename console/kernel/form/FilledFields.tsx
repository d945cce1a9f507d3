import type { FormInstance } from 'antd'
import { useEffect, useRef } from 'react'
import type { Field } from '../../../contract/field.ts'
import { filledBy } from '../../../contract/fills.ts'
import { resourceNamed } from '../../../contract/registry.ts'
import type { Fields } from '../../../contract/resource.ts'
import { language } from '../../words/words.ts'
import { useRow } from '../api.ts'
import type { Values } from './merge.ts'

type Props = { form: FormInstance<Values>; fields: Fields; of: Field & { kind: 'ref' }; id: number }

/** Fills empty fields from the record that a reference points to. Untouched defaults, and values filled before, count as empty. */
export const FilledFields = ({ form, fields, of: f, id }: Props) => {
  const { data } = useRow(resourceNamed(f.to)!, id)
  const filled = useRef<Values>({})
  useEffect(() => {
    if (!data) return
    const entered = form.getFieldsValue()
    const isOpen = (name: string) =>
      !form.isFieldTouched(name) && (entered[name] === fields[name]?.default || entered[name] === filled.current[name])
    const row = Object.fromEntries(Object.entries(entered).map(([name, value]) => [name, isOpen(name) ? null : value]))
    filled.current = filledBy(f, data, row, language())
    form.setFieldsValue(filled.current)
  }, [data, form, fields, f])
  return null
}
