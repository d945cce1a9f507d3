import { LeftOutlined, RightOutlined, UndoOutlined } from '@ant-design/icons'
import { Button, Input, Segmented, Select, Skeleton } from 'antd'
import { type ComponentProps, useMemo, useState } from 'react'
import { useRows } from '../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { arrange } from '../../../../console/kernel/list/arrange.ts'
import { readState } from '../../../../console/kernel/list/listState.ts'
import { SheetMenu } from '../../../../console/kernel/list/SheetMenu.tsx'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { To } from '../../../../console/shell/To.tsx'
import { useAddress } from '../../../../console/shell/useAddress.ts'
import { Shape } from '../../../../console/theme/State.tsx'
import { usePhone } from '../../../../console/theme/useWidth.ts'
import { useWords } from '../../../../console/words/words.ts'
import type { Resource } from '../../../../contract/resource.ts'
import { project } from '../../../configuration/projects/contract.ts'
import { LedgerGrid } from './LedgerGrid.tsx'
import { keyOf, periodsOf, type Span, spanOf, spans, stepped, within } from './ledgerCells.ts'
import { type Book, useLedger } from './useLedger.ts'

export type { Book }

import './ledger.css'

const everything = readState(new URLSearchParams(), [])
const inputTypes: Record<Span, string> = { day: 'date', month: 'month', year: 'number' }

type Props = {
  /** Its entries, with the fields that their list shows. */
  entries: Resource
  columns: string[]
  filters: ComponentProps<typeof ResourceList>['filters']
  /** What is entered, such as amounts and meter readings; words at `entry.<view>`. */
  views: readonly string[]
  /** Names one column. */
  columnWord: string
  help: string
  /** Empty state while nothing can be entered yet: text, and the screen and menu that it links to. */
  none: { text: string; to: string; menu: string }
  useBook: (project: number, of: string, view: string) => Book
}

/** The ledger of a project and time. Phones show one column. */
const Ledger = ({ id, of, view, entries, columnWord, help, none, useBook }: Props & { id: number; of: string; view: string }) => {
  const t = useWords()
  const phone = usePhone()
  const [mayAdd, mayEdit] = [useMay(`${entries.permission}.add`), useMay(`${entries.permission}.edit`)]
  const ledger = useLedger(useBook(id, of, view))
  const [only, show] = useState<number>()
  const periods = useMemo(() => periodsOf(of), [of])
  if (ledger.error && !ledger.columns) return <Failure fault={ledger.error} retry={() => ledger.refetch()} />
  const { columns } = ledger
  if (!columns) return <Skeleton active />
  if (!columns.length)
    return (
      <div className="empty">
        <p>{t(none.text)}</p>
        <To to={`${none.to}?ProjectId=${id}`}>{t(`menu.${none.menu}`)}</To>
      </div>
    )
  const chosen = columns.find(({ Id }) => Id === only) ?? columns[0]!
  const nameOf = new Map(
    columns.flatMap(({ Id, Name }) => periods.map((Time): [string, string] => [keyOf({ Id, Time }), `${Name}, ${Time}`])),
  )
  const notes = [...ledger.faults, ...ledger.warnings].filter(([key]) => nameOf.has(key)).slice(0, 20)
  return (
    <div className="stack">
      <div className="button-row">
        {phone && (
          <Select
            value={chosen.Id}
            aria-label={t(columnWord)}
            options={columns.map(({ Id, Name }) => ({ value: Id, label: Name }))}
            onChange={show}
          />
        )}
        <Button icon={<UndoOutlined />} disabled={!ledger.undo} loading={ledger.isSaving} onClick={ledger.undo}>
          {t('entry.undo')}
        </Button>
        <span className="soft">{t(help)}</span>
      </div>
      {ledger.more && <p className="soft">{t('entry.more')}</p>}
      <LedgerGrid ledger={ledger} columns={phone ? [chosen] : columns} periods={periods} readOnly={!(mayAdd && mayEdit)} />
      {notes.length > 0 && (
        <ul className="ledger-notes" aria-live="polite">
          {notes.map(([key, text]) => (
            <li key={key}>
              <Shape is={ledger.faults.has(key) ? 'alarm' : 'warning'} /> {nameOf.get(key)}: {text}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** A ledger by project and time: a grid for each view, and the list of its entries. */
export const LedgerScreen = (props: Props) => {
  const { entries, columns, filters, views } = props
  const t = useWords()
  const [address, put] = useAddress()
  const { data } = useRows(project, { PageIndex: 1, PageSize: 1 })
  const id = Number(address.get('ProjectId')) || data?.Items[0]?.Id
  const of = address.get('of') ?? new Date().toISOString().slice(0, 7)
  const view = address.get('view') ?? views[0]!
  const span = spanOf(of)
  const arranged = useMemo(() => arrange(entries, [...columns], []), [entries, columns])
  const go = (next: string) => put({ of: next })
  return (
    <Page title={t(`menu.${entries.permission}`)}>
      <search className="search-bar">
        <Segmented
          aria-label={t('entry.view')}
          value={view}
          options={[...views, 'list'].map((value) => ({ value, label: t(`entry.${value}`) }))}
          onChange={(value) => put({ view: String(value) })}
        />
        {view !== 'list' && (
          <>
            <span className="search-filter">
              <RefInput
                to={project}
                value={id ?? null}
                allowClear={false}
                aria-label={t('project')}
                onChange={(next) => put({ ProjectId: next })}
              />
            </span>
            <Select
              value={span}
              aria-label={t('entry.span')}
              options={spans.map((value) => ({ value, label: t(`entry.span.${value}`) }))}
              onChange={(next) => go(within(of, next))}
            />
            <span className="ledger-time">
              <Button icon={<LeftOutlined />} aria-label={t('entry.before')} onClick={() => go(stepped(of, -1))} />
              <Input
                type={inputTypes[span]}
                value={of}
                aria-label={t('entry.period')}
                onChange={({ target }) => periodsOf(target.value).length && /^\d{4}(-\d{2}){0,2}$/.test(target.value) && go(target.value)}
              />
              <Button icon={<RightOutlined />} aria-label={t('entry.after')} onClick={() => go(stepped(of, 1))} />
            </span>
            <span className="search-actions">
              <SheetMenu of={entries} arrangement={{ state: everything, fixed: {}, all: arranged, columns: arranged }} />
            </span>
          </>
        )}
      </search>
      {view === 'list' ? (
        <ResourceList of={entries} columns={columns} filters={filters} />
      ) : id ? (
        <Ledger key={`${id} ${of} ${view}`} {...props} id={id} of={of} view={view} />
      ) : (
        data && <EmptyList text={t('empty.project')} />
      )}
    </Page>
  )
}
