import { Select } from 'antd'
import { useState } from 'react'
import type { Resource } from '../../contract/resource.ts'
import { titleText, useRow, useRows } from './api.ts'

type Props = {
  to: Resource
  value?: number | null
  onChange?: (value: number | null) => void
  /** Filters the options by fields of the other resource. */
  where?: Record<string, string | number | undefined>
  id?: string
  placeholder?: string
  disabled?: boolean
  allowClear?: boolean
  'aria-label'?: string
  style?: React.CSSProperties
}

/** Picks a row of another resource. The server searches. */
export const RefInput = ({ to, value, onChange, where, allowClear = true, ...rest }: Props) => {
  const [search, setSearch] = useState('')
  const { data, isFetching } = useRows(to, { PageIndex: 1, PageSize: 50, Search: search, ...where })
  const items = data?.Items ?? []
  const listed = items.some((row) => row.Id === value)
  const { data: current } = useRow(to, value && data && !listed ? value : undefined)
  const options = (current && !listed && !search ? [current, ...items] : items).map((row) => ({
    value: row.Id,
    label: titleText(to, row),
  }))
  return (
    <Select
      {...rest}
      showSearch={{ filterOption: false, onSearch: setSearch }}
      allowClear={allowClear}
      loading={isFetching}
      value={value ?? undefined}
      options={options}
      onChange={(next: number | undefined) => {
        setSearch('')
        onChange?.(next ?? null)
      }}
      popupMatchSelectWidth={false}
      style={{ width: '100%', minWidth: 140, ...rest.style }}
    />
  )
}
