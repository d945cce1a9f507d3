import { Table } from 'antd'
import { useContext, useState } from 'react'
import { SidePanel } from '../../../../../console/shell/SidePanel.tsx'
import { Facts } from '../../../../../console/theme/Facts.tsx'
import { usePhone } from '../../../../../console/theme/useWidth.ts'
import { useWords } from '../../../../../console/words/words.ts'
import type { Figure, Matrix } from '../../contract.ts'
import { AmountRows } from '../AmountRows.tsx'
import { amountText, costText, energyText } from '../amounts.ts'
import { AskContext, MadeStrip, madeText } from '../MadeOf.tsx'

type Row = Matrix['Rows'][number]
export type Shown = 'energy' | 'cost'
type Days = { from: string; to: string }
/** `at`: its place among the cells of a row. */
type Column = { key: string; at: number; title: string; days: Days }
type Props = {
  matrix: Matrix
  columns: readonly Column[]
  days: Days
  shown: Shown
  nameOf: (row: Row) => string
  /** The circuit of a row, if it has one. */
  circuitOf: (row: Row) => number | undefined
}

/** Marks figures of closed months with late readings. */
export const lateMark = ' *'
const shownOf = (figure: Figure, shown: Shown) => (shown === 'cost' ? figure.Cost : figure.Energy)

type CellProps = { figure: Figure; text: string; name: string; circuit: number | undefined; days: Days }
/** A figure with its make-up. A click opens the readings behind it. */
const FigureCell = ({ figure, text, name, circuit, days }: CellProps) => {
  const t = useWords()
  const ask = useContext(AskContext)
  const isPlain = !figure.Shares || (figure.Shares.Measured > 99.95 && figure.Known > 99.95 && !figure.OpenEvents && !figure.Late)
  return (
    <button
      type="button"
      className="energy-cell figures"
      title={madeText(figure, t)}
      onClick={() => ask({ name, figure, ...days, ...(circuit === undefined ? {} : { circuit }) })}
    >
      {text}
      {figure.Late ? lateMark : ''}
      {!isPlain && <MadeStrip of={figure} />}
    </button>
  )
}

/** Figures of rows in columns, with their sums. On a phone the totals, and the columns of each behind it. */
export const MatrixTable = ({ matrix: { Rows, Sums, Currency }, columns, days, shown, nameOf, circuitOf }: Props) => {
  const t = useWords()
  const phone = usePhone()
  const [open, setOpen] = useState<Row>()
  const text = (figure: Figure) => (shown === 'cost' ? costText(figure.Cost, Currency) : amountText(figure.Energy))
  const unitOf = (row: Row) => (shown === 'cost' ? '' : row.Unit)
  const sumName = (row: Row) => `${t('energy.sum')} · ${row.Name || t(`energyInfo.EnergyType.${row.EnergyType}`)}`
  if (phone)
    return (
      <>
        <AmountRows
          label={t('energy.table')}
          rows={Rows.map((row) => {
            const circuit = circuitOf(row)
            return {
              unit: row.Unit,
              ...{ key: row.Key, name: nameOf(row), value: shownOf(row.Total, shown) ?? null, choose: () => setOpen(row) },
              text: `${shown === 'cost' ? text(row.Total) : energyText(row.Total.Energy, row.Unit)}${row.Total.Late ? lateMark : ''}`,
              asked: { name: nameOf(row), figure: row.Total, ...days, ...(circuit === undefined ? {} : { circuit }) },
            }
          })}
        />
        {open && (
          <SidePanel width={420} title={nameOf(open)} onClose={() => setOpen(undefined)} mask={{ closable: true }}>
            <Facts
              of={columns.map(({ key, title, at }) => ({
                key,
                label: title,
                value: <span className="figures">{`${text(open.Cells[at]!)} ${unitOf(open)}`}</span>,
              }))}
            />
          </SidePanel>
        )}
      </>
    )
  const cell = (row: Row, figure: Figure, days: Days) => (
    <FigureCell figure={figure} text={text(figure)} name={nameOf(row)} circuit={circuitOf(row)} days={days} />
  )
  return (
    <div className="energy-table">
      <Table<Row>
        size="small"
        rowKey="Key"
        virtual={Rows.length > 60}
        dataSource={[...Rows]}
        pagination={false}
        scroll={{ x: 340 + columns.length * 96, ...(Rows.length > 60 ? { y: 560 } : {}) }}
        columns={[
          { title: t('energy.row'), width: 220, fixed: 'start', ellipsis: true, render: (_, row) => nameOf(row) },
          { title: t('energyInfo.Unit'), width: 72, render: (_, row) => (shown === 'cost' ? Currency : row.Unit) },
          {
            ...{ title: t('energy.total'), width: 110, align: 'right' },
            render: (_, row) => <strong>{cell(row, row.Total, days)}</strong>,
          },
          ...columns.map(({ key, title, at, days }) => ({
            ...{ title, key, width: 96, align: 'right' as const },
            render: (_: unknown, row: Row) => cell(row, row.Cells[at]!, days),
          })),
        ]}
        {...(Sums.length > 0 && Rows.length <= 60
          ? {
              summary: () =>
                Sums.map((sum) => (
                  <Table.Summary.Row key={sum.Key}>
                    <Table.Summary.Cell index={0}>{sumName(sum)}</Table.Summary.Cell>
                    <Table.Summary.Cell index={1}>{shown === 'cost' ? Currency : sum.Unit}</Table.Summary.Cell>
                    <Table.Summary.Cell index={2} align="right">
                      <strong className="figures">{text(sum.Total)}</strong>
                    </Table.Summary.Cell>
                    {columns.map(({ key, at }, i) => (
                      <Table.Summary.Cell key={key} index={i + 3} align="right">
                        <span className="figures">{text(sum.Cells[at]!)}</span>
                      </Table.Summary.Cell>
                    ))}
                  </Table.Summary.Row>
                )),
            }
          : {})}
      />
    </div>
  )
}
