import { Select } from 'antd'
import { useState } from 'react'
import { useCall } from '../../../../console/kernel/api.ts'
import { points } from '../contract.ts'

type Props = {
  project: number | undefined
  id?: string
  value?: number | null
  onChange?: (value: number | null) => void
  'aria-label'?: string
}
/** Selects a point of a project, shown with its machine. For planners, who cannot open the list of points. */
export const PointSelect = ({ project, value, onChange, ...rest }: Props) => {
  const [Search, setSearch] = useState('')
  const query = { ProjectId: project ?? 0, ...(Search && { Search }), ...(value && { ParaId: value }) }
  const { data, isFetching } = useCall(points, { query, enabled: project !== undefined, of: ['point'] })
  return (
    <Select<number>
      {...rest}
      allowClear
      disabled={project === undefined}
      showSearch={{ filterOption: false, onSearch: setSearch }}
      loading={isFetching}
      value={value ?? (null as never)}
      options={(data?.Items ?? []).map(({ ParaId, Name }) => ({ value: ParaId, label: Name }))}
      onChange={(next?: number) => {
        setSearch('')
        onChange?.(next ?? null)
      }}
      popupMatchSelectWidth={false}
      style={{ width: '100%' }}
    />
  )
}
