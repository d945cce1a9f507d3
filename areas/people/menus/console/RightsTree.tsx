import { Tree } from 'antd'
import type { RightsNode } from '../../roles/contract.ts'

type Branch = { key: string; title: string; disableCheckbox: boolean; children: Branch[] }
const branch = (n: RightsNode): Branch => ({
  key: n.MenuEncoding,
  title: n.MenuName,
  disableCheckbox: !n.Grantable,
  children: n.MenuChildren.map(branch),
})
const flat = (nodes: readonly RightsNode[]): RightsNode[] => nodes.flatMap((n) => [n, ...flat(n.MenuChildren)])

/** What is marked in a tree of rights. */
export const checkedIn = (nodes: readonly RightsNode[]): string[] =>
  flat(nodes)
    .filter((n) => n.Checked)
    .map((n) => n.MenuEncoding)

const wayTo = (nodes: readonly RightsNode[], code: string): RightsNode[] => {
  for (const n of nodes) {
    if (n.MenuEncoding === code) return [n]
    const below = wayTo(n.MenuChildren, code)
    if (below.length) return [n, ...below]
  }
  return []
}

/** With a node come those below it, and the screens that it is reached by; without it those below it go. */
export const toggled = (nodes: readonly RightsNode[], held: readonly string[], code: string, on: boolean): string[] => {
  const way = wayTo(nodes, code)
  const below = flat(way.slice(-1))
  if (!on) {
    const gone = new Set(below.map((n) => n.MenuEncoding))
    return held.filter((c) => !gone.has(c))
  }
  return [...new Set([...held, ...[...way, ...below].filter((n) => n.Grantable).map((n) => n.MenuEncoding)])]
}

type Props = { nodes: readonly RightsNode[]; value: readonly string[]; onChange: (codes: string[]) => void; disabled?: boolean }

/** Menus and buttons to choose from; what one does not hold oneself cannot be given. */
export const RightsTree = ({ nodes, value, onChange, disabled = false }: Props) => (
  <Tree
    checkable
    checkStrictly
    defaultExpandedKeys={nodes.map((n) => n.MenuEncoding)}
    selectable={false}
    disabled={disabled}
    height={380}
    treeData={nodes.map(branch)}
    checkedKeys={[...value]}
    onCheck={(_, { node, checked }) => onChange(toggled(nodes, value, String(node.key), checked))}
  />
)
