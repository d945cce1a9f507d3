import { TreeSelect } from 'antd'
import { useCall } from '../../../../console/kernel/api.ts'
import { useWords } from '../../../../console/words/words.ts'
import { type Area, agentCalls } from '../contract.ts'

type Node = { value: string; title: string; children: Node[] }
const node = (a: Area): Node => ({ value: a.AreaCode, title: a.AreaName, children: a.Children.map(node) })

type Props = { id?: string; value?: unknown; onChange?: (value: unknown) => void; multiple?: boolean; depth?: 1 | 2 | 3 }

/** Provinces, cities and counties of GB/T 2260; a region includes everything in it. */
export const AreaInput = ({ multiple = false, depth = 3, value, onChange, id }: Props) => {
  const t = useWords()
  const { data, isPending } = useCall(agentCalls.areas, { query: { type: depth } })
  return (
    <TreeSelect
      {...(id ? { id } : {})}
      value={(value ?? undefined) as string}
      onChange={(next) => onChange?.(next ?? null)}
      treeData={((data ?? []) as Area[]).map(node)}
      loading={isPending}
      treeCheckable={multiple}
      treeCheckStrictly={false}
      showCheckedStrategy={TreeSelect.SHOW_PARENT}
      showSearch={{ treeNodeFilterProp: 'title' }}
      allowClear
      maxTagCount={8}
      placeholder={t('agent.chooseArea')}
      style={{ width: '100%' }}
    />
  )
}
