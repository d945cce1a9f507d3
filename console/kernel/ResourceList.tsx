import { DeleteOutlined, EditOutlined, PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { memo, type ReactNode, useEffect, useMemo, useState } from 'react'
import type { Base, Resource } from '../../contract/resource.ts'
import { useMayDo, useUser } from '../session/session.ts'
import { WithCompany } from '../session/WithCompany.tsx'
import { To } from '../shell/To.tsx'
import { useAddress } from '../shell/useAddress.ts'
import { Waiting } from '../shell/Waiting.tsx'
import { type Condition, State } from '../theme/State.tsx'
import { lower, useWords, type Words } from '../words/words.ts'
import { type ActProps, useActs } from './acts.tsx'
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
  /** Custom cells by field. A cell must not hold state of its row: scrolling reuses it for other rows. */
  cells?: { [K in keyof R['fields']]?: (row: Shown<R>, t: Words) => ReactNode }
  /** Choices that show as states: the condition of each value; others are normal. */
  states?: { [K in keyof R['fields']]?: Readonly<Record<string | number, Condition>> }
  /** Row actions, before edit and remove. */
  actions?: (row: Shown<R>) => Action[]
  /** Name of a row in questions and messages, where it is not the title field. */
  titleOf?: (row: Shown<R>, t: Words) => string
  /** More fields of the search bar. */
  filters?: readonly (keyof R['fields'] & string)[]
  /** Filters given by the screen. New rows get these values, too. */
  fixed?: Record<string, string | number> | undefined
  /** Prefix of the list's names in the address, for screens with several lists. */
  prefix?: string
  /** Target of the row's title. */
  link?: (row: Shown<R>) => string
  /** Cells that break lines. */
  wraps?: (keyof R['fields'] & string)[]
  /** Targets of other cells. */
  links?: { [K in keyof R['fields']]?: (row: Shown<R>) => string }
  form?: Pick<FormProps<R>, 'begin' | 'refine' | 'onSaved' | 'onAdded' | 'inputs' | 'above' | 'below'>
  /** Replaces the form that adds a row. */
  onAdd?: () => void
  /** Replaces the form that edits a row. */
  onEdit?: (row: Shown<R>) => void
  /** Content beside the add button. */
  extra?: ReactNode
  readOnly?: boolean
  /** Cards at any width, of rows that say more than columns can. */
  cards?: true
  /** Removes rows without confirmation and offers undo for some seconds. For rows that nothing refers to. */
  undo?: boolean
  /** Makes the add button a plain one, where adding is not the screen's purpose. */
  secondary?: boolean
  emptyText?: string
} & ActProps<R>

const nothing: readonly string[] = []

const nowhere: Record<string, string | number> = {}

type ListedProps<R extends Resource> = {
  list: ListProps<R>
  filters: readonly string[]
  arrangement: Arrangement
  edit: (row: Shown<R> | 'new') => void
} & Pick<ReturnType<typeof useListRows<R>>, 'data' | 'error' | 'refetch'>

/** What a list shows of a row in a column. */
const cellsOf =
  <R extends Resource>({ of: r, columns, link, links, wraps, cells, states, fixed }: ListProps<R>, t: Words) =>
  (row: Shown<R>, name: string) => {
    const special = cells?.[name]?.(row, t)
    const cell = special === undefined ? <Cell of={r} field={name} row={row} short /> : special
    const condition = states?.[name] && (states[name][String(row[name])] ?? 'normal')
    const content = condition && row[name] !== null ? <State is={condition}>{cell}</State> : cell
    const shown = wraps?.includes(name) ? <span className="wrap">{content}</span> : content
    const to = links?.[name] ?? (name === columns[0] ? link : undefined)
    const linked = to ? <To to={to(row)}>{shown}</To> : shown
    return name === columns[0] && !fixed?.EnterpriseId ? <WithCompany of={r} row={row} children={linked} /> : linked
  }

/** Whether the platform shares a row with the reader's tenant. Such rows are read-only. */
const useForeign = (r: Resource) => {
  const user = useUser()
  return (row: Base) => r.shared === true && user?.IsPlatform !== 1 && row.EnterpriseId !== user?.EnterpriseId
}

/** The content of a list. Memoised, so that switching tabs does not render it. */
const Listed = memo(<R extends Resource>({ list, filters, arrangement, edit, ...answer }: ListedProps<R>) => {
  const { of: r, cells = {}, states = {}, actions, extra, readOnly } = list
  const t = useWords()
  const may = useMayDo()
  const isForeign = useForeign(r)
  const [mayAdd, mayEdit, mayRemove] = [may(r, 'add'), may(r, 'edit'), may(r, 'remove')]
  const { state, set } = arrangement
  const removeLater = useUndoableRemove(r)
  const add = !readOnly && mayAdd ? (list.onAdd ?? (() => edit('new'))) : undefined

  // The palette opens the form through the URL.
  const [address, put] = useAddress()
  const asked = !list.prefix && address.has('add')
  useEffect(() => {
    if (!asked) return
    put({ add: null })
    add?.()
  }, [asked])

  const titleOf = (row: Shown<R>) => list.titleOf?.(row, t) ?? String((row as Record<string, unknown>)[r.title] ?? row.Id)
  const ask = useConfirmRemove(r, titleOf)
  const acts = useActs(r, titleOf, list)
  const confirmRemove = (rows: Shown<R>[], done = () => {}) => {
    const said = { title: titleOf(rows[0]!), count: rows.length, thing: lower(t(`many.${r.name}`, { count: rows.length })) }
    if (list.undo) {
      removeLater(rows, t(rows.length === 1 ? 'undo.removedOne' : 'undo.removedMany', said))
      return done()
    }
    ask(rows, done)
  }

  const actionsOf = (row: Shown<R>): Action[] => [
    ...(actions?.(row) ?? []),
    ...acts.actionsOf(row),
    ...(!readOnly && mayEdit && !isForeign(row)
      ? [{ key: 'edit', label: t('button.edit'), icon: <EditOutlined />, run: () => (list.onEdit ?? edit)(row) }]
      : []),
    ...(!readOnly && mayRemove && !isForeign(row)
      ? [{ key: 'remove', label: t('button.remove'), icon: <DeleteOutlined />, danger: true, run: () => confirmRemove([row]) }]
      : []),
  ]

  const show = cellsOf(list, t)
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
      <SearchBar of={r} filters={arrangement.filters} state={state} set={set}>
        {extra}
        <ListTools of={r} arrangement={arrangement} isEmpty={readOnly ? null : !narrowed && answer.data?.Items.length === 0} />
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
        special={(name) => name in cells || name in states}
        stay
        empty={empty}
        cards={list.cards}
        actions={actions || acts.any || (!readOnly && (mayEdit || mayRemove)) ? actionsOf : undefined}
        bulk={[
          ...acts.bulk,
          ...(!readOnly && mayRemove
            ? [{ key: 'remove', label: t('button.remove'), icon: <DeleteOutlined />, danger: true, run: confirmRemove }]
            : []),
        ]}
      />
      {acts.dialog}
    </>
  )
}) as <R extends Resource>(props: ListedProps<R>) => ReactNode

/** A list of a resource. Its address holds search, order and page; the server filters, sorts and pages. */
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
      {/* Waits for the person's arrangement. Otherwise the list would render twice. */}
      {arrangement.loading ? <Waiting /> : <Listed<R> {...{ list: props, filters, arrangement, edit, data, error, refetch }} />}
      {editing && (
        <ResourceForm of={r} row={editing === 'new' ? undefined : editing} fixed={fixed} {...form} close={() => edit(undefined)} />
      )}
    </section>
  )
}
