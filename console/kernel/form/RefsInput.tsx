import { Select } from 'antd'
import { useState } from 'react'
import type { Resource } from '../../../contract/resource.ts'
import { titleText, useRows } from '../api.ts'

type Props = {
  to: Resource
  value?: readonly number[]
  onChange?: (value: number[]) => void
  /** Filters the options by fields of the other resource. */
  where?: Record<string, string | number | undefined>
  id?: string
  disabled?: boolean
  placeholder?: string
  /** Rows at most. */
  most?: number
  'aria-label'?: string
}

/** Picks several rows of another resource. The server searches; selected rows keep their titles. */
export const RefsInput = ({ to, value = [], onChange, where, most, ...rest }: Props) => {
  const [search, setSearch] = useState('')
  const { data, isFetching } = useRows(to, { PageIndex: 1, PageSize: 50, Search: search, ...where })
  const chosen = useRows(
    to,
    { PageIndex: 1, PageSize: 1000, QueryInfo: { RelOP: 1, QueryConditions: [{ Field: 'Id', Value: value.join(','), LogicOP: 8 }] } },
    { enabled: value.length > 0 },
  )
  const titles = new Map([...(chosen.data?.Items ?? []), ...(data?.Items ?? [])].map((row) => [row.Id, titleText(to, row)]))
  const found = (data?.Items ?? []).map((row) => row.Id)
  const shown = [...new Set([...value, ...found])]
  return (
    <Select
      {...rest}
      mode="multiple"
      {...(most && { maxCount: most })}
      showSearch={{ filterOption: false, onSearch: setSearch }}
      allowClear
      loading={isFetching}
      value={[...value]}
      options={shown.map((id) => ({ value: id, label: titles.get(id) ?? String(id) }))}
      onChange={(next: number[]) => onChange?.(next)}
      maxTagCount="responsive"
      style={{ width: '100%' }}
    />
  )
}
