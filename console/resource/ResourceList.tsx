import { DeleteOutlined, EditOutlined, PlusOutlined } from '@ant-design/icons'
import { App, Button } from 'antd'
import { type ReactNode, useMemo, useState } from 'react'
import { Link } from 'react-router'
import type { Resource } from '../../contract/base/resource.ts'
import { ListTools } from '../list/ListTools.tsx'
import { filterFields, toQuery } from '../list/listState.ts'
import { RowTable } from '../list/RowTable.tsx'
import { SearchBar } from '../list/SearchBar.tsx'
import { useArrangement } from '../list/useArrangement.ts'
import { useMay } from '../session/session.ts'
import { lower, useWords } from '../words/words.ts'
import { type Shown, useRemove, useRows } from './api.ts'
import { EmptyList } from './Empty.tsx'
import { Cell } from './fields.tsx'
import { type FormProps, ResourceForm } from './ResourceForm.tsx'
import type { Action } from './RowActions.tsx'

export type ListProps<R extends Resource> = {
  of: R
  columns: (keyof R['fields'] & string)[]
  /** How one field is shown specially. */
  cells?: { [K in keyof R['fields']]?: (row: Shown<R>) => ReactNode }
  /** What can be done with a row, before edit and remove. */
  actions?: (row: Shown<R>) => Action[]
  /** Fields in the search bar beside the searchable ones. */
  filters?: readonly (keyof R['fields'] & string)[]
  /** Conditions that the place gives; new rows get them too. */
  fixed?: Record<string, string | number>
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
  /** Adding is not what the page is about: its button is a plain one. */
  secondary?: boolean
  emptyText?: string
}

const nothing: readonly string[] = []

/** A list of a resource: search, sort, pages and selection, all in the address; rows are read from the server. */
export const ResourceList = <R extends Resource>(props: ListProps<R>) => {
  const {
    of: r,
    columns,
    cells = {} as NonNullable<typeof props.cells>,
    actions,
    fixed = {},
    prefix = '',
    link,
    form,
    extra,
    readOnly,
  } = props
  const t = useWords()
  const { modal } = App.useApp()
  const [mayAdd, mayEdit, mayRemove] = [useMay(`${r.permission}.add`), useMay(`${r.permission}.edit`), useMay(`${r.permission}.remove`)]
  const given = props.filters ?? (nothing as typeof columns)
  const filters = useMemo(() => filterFields(r, given).filter((f) => !(f in fixed)), [r, given, fixed])
  const arrangement = useArrangement(r, { columns, filters, fixed, prefix })
  const { state, set } = arrangement
  const answer = useRows(r, toQuery(r, state, fixed), { enabled: !arrangement.waits })
  const remove = useRemove(r)
  const [editing, setEditing] = useState<Shown<R> | 'new'>()
  const add = !readOnly && mayAdd ? (props.onAdd ?? (() => setEditing('new'))) : undefined

  const titleOf = (row: Shown<R>) => String((row as Record<string, unknown>)[r.title] ?? row.Id)
  const confirmRemove = (rows: Shown<R>[], done = () => {}) =>
    modal.confirm({
      title:
        rows.length === 1
          ? t('list.removeOne', { title: titleOf(rows[0]!) })
          : t('list.removeMany', { count: rows.length, thing: lower(t(r.name)) }),
      content: t(`remove.${r.name}`),
      okText: t('button.remove'),
      okButtonProps: { danger: true },
      cancelText: t('cancel'),
      onOk: () =>
        remove
          .mutateAsync(rows.map((row) => row.Id))
          .then(done)
          .catch(() => undefined),
    })

  const actionsOf = (row: Shown<R>): Action[] => [
    ...(actions?.(row) ?? []),
    ...(!readOnly && mayEdit
      ? [{ key: 'edit', label: t('button.edit'), icon: <EditOutlined />, run: () => (props.onEdit ?? setEditing)(row) }]
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
    return link && name === columns[0] ? <Link to={link(row)}>{content}</Link> : content
  }

  const narrowed = state.search !== '' || Object.keys(state.filters).length > 0
  const empty = (
    <EmptyList
      text={narrowed ? t('list.nothingFound') : (props.emptyText ?? t(`empty.${r.name}`))}
      action={
        narrowed
          ? { label: t('list.clear'), run: () => set({ q: null, ...Object.fromEntries(filters.map((f) => [f, null])) }) }
          : add && { label: t('list.add', { thing: lower(t(r.name)) }), run: add }
      }
    />
  )
  return (
    <section aria-label={t(r.name)}>
      <SearchBar of={r} filters={filters} state={state} set={set}>
        {extra}
        <ListTools of={r} arrangement={arrangement} />
        {add && (
          <Button type={props.secondary ? 'default' : 'primary'} icon={<PlusOutlined />} onClick={add}>
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
        empty={empty}
        actions={actions || (!readOnly && (mayEdit || mayRemove)) ? actionsOf : undefined}
        bulk={
          !readOnly && mayRemove
            ? [{ key: 'remove', label: t('button.remove'), icon: <DeleteOutlined />, danger: true, run: confirmRemove }]
            : []
        }
      />
      {editing && (
        <ResourceForm of={r} row={editing === 'new' ? undefined : editing} fixed={fixed} {...form} close={() => setEditing(undefined)} />
      )}
    </section>
  )
}
