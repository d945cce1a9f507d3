import { PlusOutlined } from '@ant-design/icons'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { App, Button, Drawer, Input, Skeleton, Tree } from 'antd'
import { type ComponentType, type KeyboardEvent, type ReactNode, useMemo, useState } from 'react'
import type { Resource } from '../../../contract/resource.ts'
import { treeCalls } from '../../../contract/trees.ts'
import { type Fault, request } from '../../session/request.ts'
import { useMayDo } from '../../session/session.ts'
import { useAddress } from '../../shell/useAddress.ts'
import { useConfirm } from '../../shell/useConfirm.ts'
import { usePhone } from '../../theme/useWidth.ts'
import { lower, useWords } from '../../words/words.ts'
import { invalidate, useCommand, useRows } from '../api.ts'
import { EmptyList, Failure } from '../Empty.tsx'
import { arrange } from '../list/arrange.ts'
import { readState } from '../list/listState.ts'
import { SearchText } from '../list/SearchText.tsx'
import { SheetMenu } from '../list/SheetMenu.tsx'
import { ResourceForm } from '../ResourceForm.tsx'
import { MoveDialog } from './MoveDialog.tsx'
import { NodePanel } from './NodePanel.tsx'
import { asTree, dropPlace, keysOf, matching, type TreeNode, type TreeRow } from './tree.ts'
import { UsedBy } from './UsedBy.tsx'
import '../../theme/tree.css'

type Props = {
  of: Resource
  /** Details of the selected record. */
  beside?: ComponentType<{ id: number }> | undefined
  /** Filter of the tree; new records get the same values. */
  fixed?: Record<string, string | number>
  /** Content before the search, such as the owner's picker. */
  children?: ReactNode
}

/** Exports contain the whole tree. */
const everything = readState(new URLSearchParams(), [])

/** Actions on a record of the tree, with their confirmations and dialogs. */
const useEdits = (r: Resource, choose: (id: number | undefined) => void) => {
  const t = useWords()
  const confirm = useConfirm()
  const { modal } = App.useApp()
  const client = useQueryClient()
  const calls = useMemo(() => treeCalls(r), [r])
  const rename = useCommand(calls.rename, [r.name])
  const move = useCommand(calls.move, [r.name])
  const remove = useMutation<unknown, Fault, TreeRow>({
    mutationFn: (row) => request('DELETE', r.path, { Id: row.Id }),
    meta: { quiet: true },
    onSuccess: () => invalidate(client, [r.name]),
    onError: (fault, row) => {
      const shown = modal.error({
        title: t('tree.keeps', { title: String(row[r.title]) }),
        content: <UsedBy fault={fault} close={() => shown.destroy()} />,
      })
    },
  })

  return {
    rename: (row: TreeRow, name: string) => name && name !== row[r.title] && rename.mutate({ body: { Id: row.Id, [r.title]: name } }),
    place: (row: TreeRow, above: number | null, before: number | null) =>
      move.mutate({ body: { Id: row.Id, [r.tree!]: above, Before: before } }),
    remove: (row: TreeRow) =>
      confirm({
        title: t('list.removeOne', { title: String(row[r.title]) }),
        content: t(`remove.${r.name}`),
        run: () => remove.mutateAsync(row).then(() => choose(undefined)),
      }),
  }
}

/** Inline rename of a tree record. `renamed` gets the new name, or nothing when the edit was cancelled. */
const NodeName = ({ of: r, node, renamed }: { of: Resource; node: TreeNode; renamed: ((name?: string) => void) | undefined }) => {
  const t = useWords()
  return renamed ? (
    <Input
      size="small"
      autoFocus
      aria-label={t('tree.newName', { title: node.title })}
      defaultValue={node.title}
      maxLength={50}
      onFocus={(e) => e.target.select()}
      onClick={(e) => e.stopPropagation()}
      onPressEnter={(e) => renamed(e.currentTarget.value.trim())}
      onBlur={(e) => renamed(e.target.value.trim())}
      onKeyDown={(e) => {
        e.stopPropagation()
        if (e.key === 'Escape') renamed()
      }}
    />
  ) : (
    <span className={node.row.Status === 0 ? 'faint' : undefined}>
      {node.title}
      {node.row.Status === 0 && ` (${t(`${r.name}.Status.0`)})`}
    </span>
  )
}

type Editing = { row?: TreeRow; below?: TreeRow }
/** Fixed values of a form: a record keeps its position, and a new one comes last below its parent. */
const fixedOf = (r: Resource, { row, below }: Editing, rows: readonly TreeRow[], fixed: NonNullable<Props['fixed']>) =>
  row
    ? { Sort: 0, [r.tree!]: 0 }
    : {
        ...fixed,
        Sort: Math.min(9999, 1 + Math.max(0, ...rows.map((row) => Number(row.Sort)))),
        ...(below ? { [r.tree!]: below.Id, EnterpriseId: below.EnterpriseId } : {}),
      }

type TreeCardProps = {
  of: Resource
  nodes: TreeNode[]
  /** Records that match the search. */
  shown: TreeNode[]
  isSearched: boolean
  chosen: TreeRow | undefined
  choose: (id: number) => void
  renaming: number | undefined
  setRenaming: (id: number | undefined) => void
  /** Records whose children are collapsed. */
  closedState: [ReadonlySet<number>, (ids: ReadonlySet<number>) => void]
  edits: ReturnType<typeof useEdits>
}
const TreeCard = ({ of: r, nodes, shown, isSearched, chosen, choose, renaming, setRenaming, closedState, edits }: TreeCardProps) => {
  const t = useWords()
  const phone = usePhone()
  const may = useMayDo()
  const mayEdit = may(r, 'edit')
  const [closed, setClosed] = closedState
  const all = keysOf(shown)
  const renamed = (row: TreeRow) => (name?: string) => {
    setRenaming(undefined)
    if (name) edits.rename(row, name)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!chosen || renaming !== undefined) return
    if (event.key === 'F2' && mayEdit) setRenaming(chosen.Id)
    else if (event.key === 'Delete' && may(r, 'remove')) edits.remove(chosen)
    else return
    event.preventDefault()
  }
  return (
    <div className="tree-card">
      <Tree<TreeNode>
        aria-label={t(r.name)}
        blockNode
        showLine
        height={phone ? undefined : 560}
        treeData={shown}
        titleRender={(node) => <NodeName of={r} node={node} renamed={renaming === node.key ? renamed(node.row) : undefined} />}
        draggable={mayEdit && !phone && !isSearched && renaming === undefined ? { icon: false } : false}
        expandedKeys={isSearched ? all : all.filter((key) => !closed.has(key))}
        onExpand={(keys) => setClosed(new Set(all.filter((key) => !keys.includes(key))))}
        selectedKeys={chosen ? [chosen.Id] : []}
        onSelect={(_, { node }) => choose(node.key)}
        onDoubleClick={(_, { key }) => mayEdit && setRenaming(Number(key))}
        onKeyDown={onKeyDown}
        onDrop={({ dragNode, node, dropPosition }) => {
          const index = Number(node.pos.split('-').at(-1))
          const { above, before } = dropPlace(nodes, r.tree!, node, Math.sign(dropPosition - index) * (dropPosition === index ? 0 : 1))
          if (before !== dragNode.key) edits.place(dragNode.row, above, before)
        }}
      />
    </div>
  )
}

/** A tree to search, rearrange by drag or dialog, and rename in place; with details of the selected record. */
export const TreeScreen = ({ of: r, beside, fixed = {}, children }: Props) => {
  const t = useWords()
  const parent = r.tree!
  const phone = usePhone()
  const may = useMayDo()
  const [mayAdd, mayEdit, mayRemove] = [may(r, 'add'), may(r, 'edit'), may(r, 'remove')]
  const { data, error, refetch } = useRows(r, { PageIndex: 1, PageSize: 9999, ...fixed })
  const rows = data?.Items as TreeRow[] | undefined
  const nodes = useMemo(() => asTree(rows ?? [], parent, r.title), [rows, parent, r.title])
  const columns = useMemo(() => arrange(r, [r.title], []), [r])
  const [text, setText] = useState('')
  const shown = useMemo(() => matching(nodes, text), [nodes, text])
  // Not `Id`: screens of different records are different tabs, but the tree is one.
  const [address, put] = useAddress()
  const chosen = rows?.find((row) => row.Id === Number(address.get('node')))
  const choose = (id: number | undefined) => put({ node: id })
  const closedState = useState<ReadonlySet<number>>(new Set())
  const [renaming, setRenaming] = useState<number>()
  const [moving, setMoving] = useState<TreeRow>()
  const [editing, setEditing] = useState<Editing>()
  const edits = useEdits(r, choose)
  const thing = lower(t(r.name))
  const add = mayAdd ? () => setEditing({}) : undefined
  const panel = chosen && (
    <NodePanel
      of={r}
      row={chosen}
      hidden={[r.title, parent, 'Sort']}
      beside={beside}
      actions={{
        add: mayAdd ? () => setEditing({ below: chosen }) : undefined,
        rename: mayEdit ? () => setRenaming(chosen.Id) : undefined,
        move: mayEdit ? () => setMoving(chosen) : undefined,
        edit: mayEdit ? () => setEditing({ row: chosen }) : undefined,
        remove: mayRemove ? () => edits.remove(chosen) : undefined,
      }}
    />
  )

  return (
    <section aria-label={t(r.name)}>
      <search className="search-bar">
        {children}
        <SearchText maxLength={50} value={text} onChange={(e) => setText(e.target.value)} />
        <span className="search-actions">
          <SheetMenu of={r} arrangement={{ state: everything, fixed, all: columns, columns }} />
          {add && (
            <Button type="primary" icon={<PlusOutlined />} onClick={add}>
              {t('list.add', { thing })}
            </Button>
          )}
        </span>
      </search>
      {error && !data ? (
        <Failure fault={error} retry={() => refetch()} />
      ) : !data ? (
        <Skeleton active />
      ) : !shown.length ? (
        <EmptyList
          text={text ? t('list.nothingFound') : t(`empty.${r.name}`)}
          action={text ? { label: t('list.clear'), run: () => setText('') } : add && { label: t('list.add', { thing }), run: add }}
        />
      ) : (
        <div className="tree-screen">
          <TreeCard of={r} {...{ nodes, shown, chosen, choose, renaming, setRenaming, closedState, edits }} isSearched={text !== ''} />
          {phone ? (
            <Drawer
              open={Boolean(chosen) && renaming === undefined}
              placement="bottom"
              size="70%"
              title={chosen ? String(chosen[r.title]) : ''}
              onClose={() => choose(undefined)}
            >
              {panel}
            </Drawer>
          ) : (
            <aside className="tree-side">{panel ?? <p className="faint">{t('tree.choose', { thing })}</p>}</aside>
          )}
        </div>
      )}
      {moving && (
        <MoveDialog
          title={String(moving[r.title])}
          nodes={nodes}
          of={moving}
          parent={parent}
          move={(above) => edits.place(moving, above, null)}
          close={() => setMoving(undefined)}
        />
      )}
      {editing && (
        <ResourceForm
          of={r}
          row={editing.row as never}
          fixed={fixedOf(r, editing, rows ?? [], fixed)}
          onSaved={({ Id }) => choose(Id)}
          close={() => setEditing(undefined)}
        />
      )}
    </section>
  )
}
