import { LeftOutlined, RightOutlined, UndoOutlined } from '@ant-design/icons'
import { Button, Input, Segmented, Select, Skeleton } from 'antd'
import { useMemo, useState } from 'react'
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
import { project } from '../../../configuration/projects/contract.ts'
import { energyInfoData } from '../contract.ts'
import { LedgerGrid } from './LedgerGrid.tsx'
import { keyOf, periodsOf, type Span, spanOf, spans, stepped, within } from './ledgerCells.ts'
import { useLedger } from './useLedger.ts'
import './ledger.css'

const everything = readState(new URLSearchParams(), [])
const columns = arrange(energyInfoData, ['EnergyInfoId', 'DataTime', 'CycleType', 'Value', 'IsReading', 'Source'], [])
const inputTypes: Record<Span, string> = { day: 'date', month: 'month', year: 'number' }

/** The ledger of a project and time. Phones show one circuit. */
const Ledger = ({ id, of, isReading }: { id: number; of: string; isReading: 0 | 1 }) => {
  const t = useWords()
  const phone = usePhone()
  const [mayAdd, mayEdit] = [useMay('m10704.add'), useMay('m10704.edit')]
  const ledger = useLedger(id, of, isReading)
  const [only, show] = useState<number>()
  const periods = useMemo(() => periodsOf(of), [of])
  if (ledger.error && !ledger.data) return <Failure fault={ledger.error} retry={() => ledger.refetch()} />
  if (!ledger.data) return <Skeleton active />
  const { Circuits, More } = ledger.data
  if (!Circuits.length)
    return (
      <div className="empty">
        <p>{t('entry.noCircuits')}</p>
        <To to={`/energyManagement/energyCircuit?ProjectId=${id}`}>{t('menu.m10702')}</To>
      </div>
    )
  const chosen = Circuits.find(({ Id }) => Id === only) ?? Circuits[0]!
  const nameOf = new Map(
    Circuits.flatMap(({ Id, EnergyName }) =>
      periods.map((Time): [string, string] => [keyOf({ EnergyInfoId: Id, Time }), `${EnergyName}, ${Time}`]),
    ),
  )
  const notes = [...ledger.faults, ...ledger.warnings].filter(([key]) => nameOf.has(key)).slice(0, 20)
  return (
    <div className="stack">
      <div className="button-row">
        {phone && (
          <Select
            value={chosen.Id}
            aria-label={t('energyInfoData.EnergyInfoId')}
            options={Circuits.map(({ Id, EnergyName }) => ({ value: Id, label: EnergyName }))}
            onChange={show}
          />
        )}
        <Button icon={<UndoOutlined />} disabled={!ledger.undo} loading={ledger.isSaving} onClick={ledger.undo}>
          {t('entry.undo')}
        </Button>
        <span className="soft">{t('entry.help')}</span>
      </div>
      {More && <p className="soft">{t('entry.more')}</p>}
      <LedgerGrid ledger={ledger} columns={phone ? [chosen] : Circuits} periods={periods} readOnly={!(mayAdd && mayEdit)} />
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

const Account = () => {
  const t = useWords()
  const [address, put] = useAddress()
  const { data } = useRows(project, { PageIndex: 1, PageSize: 1 })
  const id = Number(address.get('ProjectId')) || data?.Items[0]?.Id
  const of = address.get('of') ?? new Date().toISOString().slice(0, 7)
  const view = address.get('view') ?? 'amounts'
  const span = spanOf(of)
  const go = (next: string) => put({ of: next })
  return (
    <Page title={t('menu.m10704')}>
      <search className="search-bar">
        <Segmented
          aria-label={t('entry.view')}
          value={view}
          options={['amounts', 'readings', 'list'].map((value) => ({ value, label: t(`entry.${value}`) }))}
          onChange={(value) => put({ view: String(value) })}
        />
        {view !== 'list' && (
          <>
            <span className="search-filter">
              <RefInput
                to={project}
                value={id ?? null}
                allowClear={false}
                aria-label={t('energyInfo.ProjectId')}
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
              <SheetMenu of={energyInfoData} arrangement={{ state: everything, fixed: {}, all: columns, columns }} />
            </span>
          </>
        )}
      </search>
      {view === 'list' ? (
        <ResourceList
          of={energyInfoData}
          columns={['EnergyInfoId', 'DataTime', 'CycleType', 'Value', 'IsReading', 'Source']}
          filters={['EnergyInfoId', 'DataTime', 'CycleType']}
        />
      ) : id ? (
        <Ledger key={`${id} ${of} ${view}`} id={id} of={of} isReading={view === 'readings' ? 1 : 0} />
      ) : (
        data && <EmptyList text={t('empty.project')} />
      )}
    </Page>
  )
}
export default Account
