import { DeleteOutlined, EditOutlined, PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { memo, type ReactNode, useMemo, useState } from 'react'
import type { Resource } from '../../contract/resource.ts'
import { useMay } from '../session/session.ts'
import { To } from '../shell/To.tsx'
import { Waiting } from '../shell/Waiting.tsx'
import { lower, useWords } from '../words/words.ts'
import type { Shown } from './api.ts'
import { EmptyList } from './Empty.tsx'
import { Cell } from './fields.tsx'
import { ListTools } from './list/ListTools.tsx'
import { filterFields } from './list/listState.ts'
import { RowTable } from './list/RowTable.tsx'
import { SearchBar } from './list/SearchBar.tsx'
import { useUndoableRemove } from './list/undo.tsx'
import { type Arrangement, useArrangement } from './list/useArrangement.ts'
import { useConfirmRemove } from './list/useConfirmRemove.ts'
import { useListRows } from './list/useListRows.ts'
import { type FormProps, ResourceForm } from './ResourceForm.tsx'
import type { Action } from './RowActions.tsx'

export type ListProps<R extends Resource> = {
  of: R
  columns: (keyof R['fields'] & string)[]
  /** How one field is shown specially; what stands there keeps nothing of its row, since it is given another one while somebody scrolls. */
  cells?: { [K in keyof R['fields']]?: (row: Shown<R>) => ReactNode }
  /** What can be done with a row, before edit and remove. */
  actions?: (row: Shown<R>) => Action[]
  /** Fields in the search bar beside the searchable ones. */
  filters?: readonly (keyof R['fields'] & string)[]
  /** Conditions that the place gives; new rows get them too. */
  fixed?: Record<string, string | number> | undefined
  /** In front of the names in the address, where several lists share a page. */
  prefix?: string
  /** Where the title of a row leads. */
  link?: (row: Shown<R>) => string
  form?: Pick<FormProps<R>, 'refine' | 'onSaved' | 'inputs' | 'below'>
  /** Instead of the form that adds a row. */
  onAdd?: () => void
  /** Instead of the form that changes a row. */
  onEdit?: (row: Shown<R>) => void
  /** Beside the button that adds. */
  extra?: ReactNode
  readOnly?: boolean
  /** Nothing hangs on a row: it is removed without being asked about, and can be had back for some seconds. */
  undo?: boolean
  /** Adding is not what the page is about: its button is a plain one. */
  secondary?: boolean
  emptyText?: string
}

const nothing: readonly string[] = []

const nowhere: Record<string, string | number> = {}

type ListedProps<R extends Resource> = {
  list: ListProps<R>
  filters: readonly string[]
  arrangement: Arrangement
  edit: (row: Shown<R> | 'new') => void
} & Pick<ReturnType<typeof useListRows<R>>, 'data' | 'error' | 'refetch'>

/** What stands on the list. Drawn anew when something of it has changed, not when somebody goes to another screen and back. */
const Listed = memo(<R extends Resource>({ list, filters, arrangement, edit, ...answer }: ListedProps<R>) => {
  const { of: r, columns, cells = {} as NonNullable<typeof list.cells>, actions, link, extra, readOnly } = list
  const t = useWords()
  const [mayAdd, mayEdit, mayRemove] = [useMay(`${r.permission}.add`), useMay(`${r.permission}.edit`), useMay(`${r.permission}.remove`)]
  const { state, set } = arrangement
  const removeLater = useUndoableRemove(r)
  const add = !readOnly && mayAdd ? (list.onAdd ?? (() => edit('new'))) : undefined

  const titleOf = (row: Shown<R>) => String((row as Record<string, unknown>)[r.title] ?? row.Id)
  const ask = useConfirmRemove(r, titleOf)
  const confirmRemove = (rows: Shown<R>[], done = () => {}) => {
    const said = { title: titleOf(rows[0]!), count: rows.length, thing: lower(t(r.name)) }
    if (list.undo) {
      removeLater(rows, t(rows.length === 1 ? 'undo.removedOne' : 'undo.removedMany', said))
      return done()
    }
    ask(rows, done)
  }

  const actionsOf = (row: Shown<R>): Action[] => [
    ...(actions?.(row) ?? []),
    ...(!readOnly && mayEdit
      ? [{ key: 'edit', label: t('button.edit'), icon: <EditOutlined />, run: () => (list.onEdit ?? edit)(row) }]
      : []),
    ...(!readOnly && mayRemove
      ? [
          {
            key: 'remove',
            label: t('button.remove'),
            icon: <DeleteOutlined />,
            danger: true,
            run: () => confirmRemove([row]),
          },
        ]
      : []),
  ]

  const show = (row: Shown<R>, name: string) => {
    const special = cells[name]?.(row)
    const content = special === undefined ? <Cell of={r} field={name} row={row} /> : special
    return link && name === columns[0] ? <To to={link(row)}>{content}</To> : content
  }

  const narrowed = state.search !== '' || Object.keys(state.filters).length > 0
  const empty = (
    <EmptyList
      text={narrowed ? t('list.nothingFound') : (list.emptyText ?? t(`empty.${r.name}`))}
      action={
        narrowed
          ? { label: t('list.clear'), run: () => set({ q: null, ...Object.fromEntries(filters.map((f) => [f, null])) }) }
          : add && { label: t('list.add', { thing: lower(t(r.name)) }), run: add }
      }
    />
  )
  return (
    <>
      <SearchBar of={r} filters={filters} state={state} set={set}>
        {extra}
        <ListTools of={r} arrangement={arrangement} />
        {add && (
          <Button type={list.secondary ? 'default' : 'primary'} icon={<PlusOutlined />} onClick={add}>
            {t('list.add', { thing: lower(t(r.name)) })}
          </Button>
        )}
      </SearchBar>
      <RowTable<Shown<R>>
        of={r}
        arrangement={arrangement}
        answer={answer}
        cell={show}
        titleOf={titleOf}
        special={(name) => name in cells}
        stay
        empty={empty}
        actions={actions || (!readOnly && (mayEdit || mayRemove)) ? actionsOf : undefined}
        bulk={
          !readOnly && mayRemove
            ? [{ key: 'remove', label: t('button.remove'), icon: <DeleteOutlined />, danger: true, run: confirmRemove }]
            : []
        }
      />
    </>
  )
}) as <R extends Resource>(props: ListedProps<R>) => ReactNode

/** A list of a resource: search, sort, pages and selection, all in the address; rows are read from the server. */
export const ResourceList = <R extends Resource>(props: ListProps<R>) => {
  const { of: r, columns, fixed = nowhere, prefix = '', form } = props
  const t = useWords()
  const given = props.filters ?? (nothing as typeof columns)
  const filters = useMemo(() => filterFields(r, given).filter((f) => !(f in fixed)), [r, given, fixed])
  const arrangement = useArrangement(r, { columns, filters, fixed, prefix })
  const { data, error, refetch } = useListRows(r, arrangement)
  const [editing, edit] = useState<Shown<R> | 'new'>()
  return (
    <section aria-label={t(r.name)}>
      {/* How its person arranged it comes first: without, all of it would be drawn twice. */}
      {arrangement.loading ? <Waiting /> : <Listed<R> {...{ list: props, filters, arrangement, edit, data, error, refetch }} />}
      {editing && (
        <ResourceForm of={r} row={editing === 'new' ? undefined : editing} fixed={fixed} {...form} close={() => edit(undefined)} />
      )}
    </section>
  )
}
