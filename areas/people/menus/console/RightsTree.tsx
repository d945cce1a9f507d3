import { Tree } from 'antd'
import { useState } from 'react'
import { SearchText } from '../../../../console/kernel/list/SearchText.tsx'
import { useWords } from '../../../../console/words/words.ts'
import type { RightsNode } from '../../roles/contract.ts'

type Branch = { key: string; title: string; disableCheckbox: boolean; children: Branch[] }
const branch = (n: RightsNode): Branch => ({
  key: n.MenuEncoding,
  title: n.MenuName,
  disableCheckbox: !n.Grantable,
  children: n.MenuChildren.map(branch),
})
const flat = (nodes: readonly RightsNode[]): RightsNode[] => nodes.flatMap((n) => [n, ...flat(n.MenuChildren)])

/** Checked codes of a tree of permissions. */
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

/** Checking a node also checks its descendants and the screens that lead to it; unchecking it also unchecks its descendants. */
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

/** Filters the tree to branches with a matching name, and everything below a match. */
export const matching = (branches: readonly Branch[], letters: string): Branch[] =>
  branches.flatMap((b) => {
    if (b.title.toLocaleLowerCase().includes(letters.toLocaleLowerCase())) return [b]
    const children = matching(b.children, letters)
    return children.length ? [{ ...b, children }] : []
  })
const keysOf = (branches: readonly Branch[]): string[] => branches.flatMap((b) => [b.key, ...keysOf(b.children)])

/** Menus and buttons to choose from. People can only grant permissions that they have. */
export const RightsTree = ({ nodes, value, onChange, disabled = false }: Props) => {
  const t = useWords()
  const [text, setText] = useState('')
  const [opened, setOpened] = useState(() => nodes.map((n) => n.MenuEncoding))
  const all = nodes.map(branch)
  const found = text.trim() ? matching(all, text.trim()) : all
  return (
    <div className="stack">
      <SearchText className="" maxLength={50} value={text} onChange={(e) => setText(e.target.value)} />
      {found.length === 0 && <p className="soft">{t('list.nothingFound')}</p>}
      <Tree
        checkable
        checkStrictly
        expandedKeys={text.trim() ? keysOf(found) : opened}
        onExpand={(keys) => setOpened(keys.map(String))}
        selectable={false}
        disabled={disabled}
        height={380}
        treeData={found}
        checkedKeys={[...value]}
        onCheck={(_, { node, checked }) => onChange(toggled(nodes, value, String(node.key), checked))}
      />
    </div>
  )
}
