import { Select, Table } from 'antd'
import { useMemo } from 'react'
import { useCall } from '../../../../../console/kernel/api.ts'
import { EmptyList } from '../../../../../console/kernel/Empty.tsx'
import { none } from '../../../../../console/words/formats.ts'
import { useWords } from '../../../../../console/words/words.ts'
import type { Answer } from '../../../../../contract/call.ts'
import type { Cell } from '../../../../../contract/cell.ts'
import { SaveTable } from '../../../../analysis/data-analysis/console/SaveTable.tsx'
import { type Division, energyCalls, mostCustom, type Part } from '../../contract.ts'
import { amountText, costText, percentText } from '../amounts.ts'
import { Choose, CircuitsChoice } from '../EnergyPage.tsx'
import { divisionOf, wholePartText } from '../parts.ts'
import { type Energy, sources } from '../useEnergy.ts'
import { Answered } from '../views/Answered.tsx'

const columns = ['amount', 'cost', 'measured', 'known'] as const
type Column = (typeof columns)[number]
const offeredDivisions = ['hour', 'day', 'month'] as const satisfies readonly Division[]
type Offered = (typeof offeredDivisions)[number]
/** Parts that one table shows. */
const mostRows = 400

const numberOf = (part: Part, column: Column) =>
  ({ amount: part.Energy, cost: part.Cost, measured: part.Shares?.Measured, known: part.Known })[column] ?? null
const textOf = (part: Part, column: Column, currency: string | null | undefined) =>
  column === 'amount' ? amountText(part.Energy) : column === 'cost' ? costText(part.Cost, currency) : percentText(numberOf(part, column), 1)

type PartsProps = { of: Answer<typeof energyCalls.custom>; by: Offered; chosen: readonly Column[] }
/** Each part of the period in a row, the chosen figures of each circuit beside each other. */
const PartsTable = ({ of: { Items, Currency, Zone }, by, chosen }: PartsProps) => {
  const t = useWords()

  const parts = Items[0]?.Parts ?? []
  const figures = Items.flatMap((item, i) => chosen.map((column) => ({ key: `${i} ${column}`, item, i, column })))
  const unitOf = ({ item, column }: (typeof figures)[number]) => (column === 'amount' ? item.Unit : column === 'cost' ? Currency : '%')
  const titleOf = (figure: (typeof figures)[number]) =>
    `${figure.item.EnergyName}${chosen.length > 1 ? ` · ${t(`energy.custom.${figure.column}`)}` : ''} (${unitOf(figure)})`
  const rows = parts.map((part, at) => ({ at, name: wholePartText(part.Start, by, Zone) }))
  const head = [t('explore.period'), ...figures.map(titleOf)]
  return (
    <div className="energy-table">
      <Table
        size="small"
        rowKey="at"
        dataSource={rows.slice(0, mostRows)}
        pagination={false}
        virtual={rows.length > 60}
        scroll={{ x: 160 + figures.length * 150, ...(rows.length > 60 ? { y: 560 } : {}) }}
        columns={[
          { title: head[0], width: 150, fixed: 'start', render: (_, { name }) => <span className="figures">{name}</span> },
          ...figures.map((figure) => ({
            ...{ title: titleOf(figure), key: figure.key, width: 150, align: 'right' as const },
            render: (_: unknown, { at }: (typeof rows)[number]) => {
              const part = figure.item.Parts[at]
              return <span className="figures">{part ? textOf(part, figure.column, Currency) : none}</span>
            },
          })),
        ]}
      />
      {rows.length > mostRows && <p className="soft">{t('chart.more', { count: rows.length - mostRows })}</p>}
      <p>
        <SaveTable
          name={t('energy.custom')}
          rows={[
            head,
            ...rows.map(({ name, at }): Cell[] => [
              name,
              ...figures.map(({ item, column }) => (item.Parts[at] ? (numberOf(item.Parts[at]!, column) ?? '') : '')),
            ]),
          ]}
        />
      </p>
    </div>
  )
}

/** A table of chosen circuits and figures over the parts of the period. */
export const CustomTable = ({ energy: { address, put, period, here, maySeeCost } }: { energy: Energy }) => {
  const t = useWords()
  const { days } = period
  const text = address.get('circuits')
  const ids = useMemo(() => {
    const known = new Set(here.map(({ EnergyInfoId }) => EnergyInfoId))
    return (text ?? '')
      .split(',')
      .map(Number)
      .filter((id) => known.has(id))
      .slice(0, mostCustom)
  }, [text, here])
  const by: Offered = offeredDivisions.find((one) => one === address.get('by')) ?? divisionOf(days)
  const offered = columns.filter((column) => column !== 'cost' || maySeeCost)
  const chosen = offered.filter((column) => (address.get('figures') ?? 'amount,cost').split(',').includes(column))
  const answer = useCall(energyCalls.custom, {
    body: { EnergyInfoIds: ids, DateFrom: days.from, DateTo: days.to, Division: by },
    of: sources,
    enabled: ids.length > 0,
  })
  return (
    <>
      <div className="search-bar">
        <CircuitsChoice
          of={here}
          value={ids}
          choose={(next) => put({ circuits: next.join() })}
          most={mostCustom}
          label={t('energy.custom.choose')}
        />
        <Choose<Offered>
          value={by}
          choose={(next) => put({ by: next })}
          options={offeredDivisions.map((value) => ({ value, label: t(`energy.division.${value}`) }))}
          label={t('energy.division')}
        />
        <Select
          mode="multiple"
          className="energy-circuit"
          value={chosen}
          options={offered.map((value) => ({ value, label: t(`energy.custom.${value}`) }))}
          aria-label={t('energy.custom.figures')}
          onChange={(next: Column[]) => put({ figures: next.join() })}
        />
      </div>
      {!ids.length ? (
        <EmptyList text={t('energy.custom.none')} />
      ) : (
        <Answered of={answer}>{(of) => <PartsTable of={of} by={by} chosen={chosen} />}</Answered>
      )}
    </>
  )
}
