import { App, TreeSelect } from 'antd'
import { useMemo } from 'react'
import type { Resource } from '../../../contract/resource.ts'
import { useUser } from '../../session/session.ts'
import { useOwner } from '../../session/useTenant.ts'
import { useWords } from '../../words/words.ts'
import { useRows } from '../api.ts'
import { asTree, type TreeRow } from '../tree/tree.ts'
import { ReuseFilter } from './ReuseFilter.tsx'
import { parentOf } from './searchKind.ts'

type Props = { to: Resource; label: string; value: number | undefined; onChange: (value: number | null) => void }
/** Trees, such as organisations, load in one call (ruling 9). */
const whole = { PageIndex: 1, PageSize: 1000 }

/** One tree of all tenants would be useless: a platform administrator chooses the tenant first (specification, section 5). */
const oneTenants = new Set(['organ', 'department'])

/** Picks a record from a tree, in a popup with a search by name. */
export const TreeField = ({ to, label, value, onChange }: Props) => {
  const t = useWords()
  const { message } = App.useApp()
  const tenant = useOwner(to)
  const platform = useUser()?.IsPlatform === 1
  const free = !platform || tenant !== undefined || !oneTenants.has(to.name)
  const { data, isLoading } = useRows(to, { ...whole, ...tenant }, { enabled: free })
  const tree = useMemo(() => asTree((data?.Items ?? []) as TreeRow[], parentOf(to)!, to.title), [data, to])
  return (
    <>
      <TreeSelect
        allowClear
        showSearch={{ treeNodeFilterProp: 'title' }}
        treeDefaultExpandAll
        {...(free ? {} : { open: false, onOpenChange: (open: boolean) => open && void message.warning(t('list.tenantFirst')) })}
        loading={isLoading}
        value={data ? value : undefined}
        treeData={tree}
        fieldNames={{ value: 'key', label: 'title' }}
        placeholder={label}
        aria-label={label}
        popupMatchSelectWidth={false}
        style={{ width: '100%', minWidth: 160 }}
        onChange={(next?: number) => onChange(next ?? null)}
      />
      {free && <ReuseFilter to={to} value={value} onChange={onChange} />}
    </>
  )
}
