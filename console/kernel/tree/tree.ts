export type TreeRow = { Id: number; EnterpriseId: number } & Record<string, unknown>
export type TreeNode = { key: number; title: string; row: TreeRow; children: TreeNode[] }

/** Builds a tree from rows. Rows whose parent is missing, or is the row itself, go to the top level, so that none is hidden. */
export const asTree = (rows: readonly TreeRow[], parent: string, title: string): TreeNode[] => {
  const nodes = new Map(
    rows.map((row): [number, TreeNode] => [row.Id, { key: row.Id, title: String(row[title] ?? row.Id), row, children: [] }]),
  )
  const top: TreeNode[] = []
  for (const node of nodes.values()) {
    const above = node.row[parent] as number
    ;((above === node.key ? undefined : nodes.get(above))?.children ?? top).push(node)
  }
  return top
}

/** Nodes that contain the text, with their ancestors; all nodes for an empty text. */
export const matching = (nodes: readonly TreeNode[], text: string): TreeNode[] => {
  const wanted = text.trim().toLocaleLowerCase()
  if (!wanted) return [...nodes]
  return nodes.flatMap((node) => {
    if (node.title.toLocaleLowerCase().includes(wanted)) return [node]
    const children = matching(node.children, text)
    return children.length ? [{ ...node, children }] : []
  })
}

export const keysOf = (nodes: readonly TreeNode[]): number[] => nodes.flatMap((node) => [node.key, ...keysOf(node.children)])

/**
 * Target of a record dropped on or next to another one. `gap` is 0 on the node, -1 before it, 1 after it, as in the tree component.
 * `before` is the next sibling, null for the last position.
 */
export const dropPlace = (nodes: readonly TreeNode[], parent: string, target: TreeNode, gap: number) => {
  if (gap === 0) return { above: target.key, before: null }
  const above = (target.row[parent] as number | null) ?? null
  const find = (list: readonly TreeNode[]): readonly TreeNode[] | undefined =>
    list.some((n) => n.key === target.key) ? list : list.map((n) => find(n.children)).find(Boolean)
  const siblings = find(nodes) ?? []
  const at = siblings.findIndex((n) => n.key === target.key)
  return { above, before: gap < 0 ? target.key : (siblings[at + 1]?.key ?? null) }
}
