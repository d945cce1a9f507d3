import { TreeSelect } from 'antd'
import { useMemo } from 'react'
import type { Resource } from '../../contract/base/resource.ts'
import { useRows } from '../resource/api.ts'
import { branches, parentOf } from './searchKind.ts'

type Props = { to: Resource; label: string; value: number | undefined; onChange: (value: number | null) => void }
/** Organisations and the like are asked for whole (ruling 9). */
const whole = { PageIndex: 1, PageSize: 1000 }

/** A record of a tree, chosen in a popup that shows it as one and finds by name. */
export const TreeField = ({ to, label, value, onChange }: Props) => {
  const { data, isLoading } = useRows(to, whole)
  const tree = useMemo(() => branches(data?.Items ?? [], parentOf(to)!, to.title), [data, to])
  return (
    <TreeSelect
      allowClear
      showSearch={{ treeNodeFilterProp: 'title' }}
      treeDefaultExpandAll
      loading={isLoading}
      value={data ? value : undefined}
      treeData={tree}
      placeholder={label}
      aria-label={label}
      popupMatchSelectWidth={false}
      style={{ width: '100%', minWidth: 160 }}
      onChange={(next?: number) => onChange(next ?? null)}
    />
  )
}
