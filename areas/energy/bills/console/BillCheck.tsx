import type { ReactNode } from 'react'
import { useCall } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import type { DialogProps } from '../../../../console/kernel/plainScreens.ts'
import { SidePanel } from '../../../../console/shell/SidePanel.tsx'
import { Waiting } from '../../../../console/shell/Waiting.tsx'
import { State } from '../../../../console/theme/State.tsx'
import { usePhone } from '../../../../console/theme/useWidth.ts'
import { none, numberText, costText as sumText } from '../../../../console/words/formats.ts'
import { language, useWords, type Words } from '../../../../console/words/words.ts'
import type { Answer } from '../../../../contract/call.ts'
import { billCalls, type CheckedLine } from '../check.ts'
import { demandLine, type energyBill, energyLine } from '../contract.ts'
import './bills.css'

type Of = Answer<typeof billCalls.check>
const costText = (value: number | null | undefined, currency: string | null) => sumText(value, currency, language())
const amount = (value: number) => numberText(value, value % 1 ? 1 : 0, language())
/** Whether it is shown as zero, in the decimals of the currency. */
const isNothing = (value: number, currency: string | null) => costText(Math.abs(value), currency) === costText(0, currency)
/** More is marked by a sign. */
const differenceText = (value: number, currency: string | null) =>
  isNothing(value, currency) ? costText(0, currency) : `${value > 0 ? '+' : ''}${costText(value, currency)}`

const nameOf = ({ Kind, Level, Name }: CheckedLine, t: Words) =>
  Kind === energyLine
    ? `${t('bill.kind.1')} · ${t(Level ? `tariff.level.${Level}` : 'bill.level.0')}`
    : [t(`bill.kind.${Kind}`), Name].filter(Boolean).join(' · ')

type RowProps = { name: string; cells: readonly ReactNode[]; isSum?: boolean }
/** A line of the table: its name beside the figures, and above them on a phone. */
const LineRow = ({ name, cells, isSum = false }: RowProps) => {
  const phone = usePhone()
  const figures = cells.map((cell, i) => (
    <td key={i} className="figures">
      {cell}
    </td>
  ))
  const look = isSum ? 'bill-check-sum' : ''
  if (!phone)
    return (
      <tr className={look}>
        <th scope="row">{name}</th>
        {figures}
      </tr>
    )
  return (
    <>
      <tr className={look}>
        <th scope="rowgroup" colSpan={3}>
          {name}
        </th>
      </tr>
      <tr className={`bill-check-below ${look}`}>{figures}</tr>
    </>
  )
}

const Lines = ({ of: { Lines: lines, Currency, Unit, Billed, Expected } }: { of: Of }) => {
  const t = useWords()
  const phone = usePhone()
  const sideText = (side: CheckedLine['Billed'], kind: number) => {
    if (!side) return none
    const hasQuantity = side.Quantity !== null && (kind === energyLine || kind === demandLine)
    return (
      <>
        {costText(side.Cost, Currency)}
        {hasQuantity && <small className="soft">{`${amount(side.Quantity!)} ${kind === energyLine ? Unit : ''}`.trim()}</small>}
      </>
    )
  }
  const columns = ['bill.billed', 'bill.expected', 'bill.difference']
  return (
    <table className="bill-check" aria-label={t('energyBill.BillLines')}>
      <thead>
        <tr>
          {[...(phone ? [] : ['bill.line']), ...columns].map((word) => (
            <th key={word} scope="col" className="soft">
              {t(word)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <LineRow
            key={`${line.Kind} ${line.Level} ${line.Name}`}
            name={nameOf(line, t)}
            cells={[
              sideText(line.Billed, line.Kind),
              sideText(line.Expected, line.Kind),
              <strong key="difference">{differenceText(line.Difference, Currency)}</strong>,
            ]}
          />
        ))}
        <LineRow
          isSum
          name={t('bill.sumOfLines')}
          cells={[costText(Billed, Currency), costText(Expected, Currency), differenceText(Billed - Expected, Currency)]}
        />
      </tbody>
    </table>
  )
}

const PartsList = ({ of: { Parts, Currency } }: { of: Of }) => {
  const t = useWords()
  const parts = Parts.filter(({ Amount }) => !isNothing(Amount, Currency)).sort((a, b) => Math.abs(b.Amount) - Math.abs(a.Amount))
  return (
    <section className="stack-tight" aria-label={t('bill.parts')}>
      <h3>{t('bill.parts')}</h3>
      {parts.length ? (
        <ul className="bill-parts">
          {parts.map(({ Part, Amount }) => (
            <li key={Part}>
              <span>
                {t(`bill.part.${Part}`)}
                <small className="soft">{t(`bill.part.${Part}.help`)}</small>
              </span>
              <strong className="figures">{differenceText(Amount, Currency)}</strong>
            </li>
          ))}
        </ul>
      ) : (
        <p className="soft">{t('bill.same')}</p>
      )}
    </section>
  )
}

/** How far the figures can be trusted, before anybody writes to the supplier. */
const Doubts = ({ of: { Known, Missing, Unpriced, Energy, Unit, TotalAmount, Billed, Currency } }: { of: Of }) => {
  const t = useWords()
  const said = [
    ...(Known < 99.95 ? [t('bill.known', { share: numberText(Known, 1, language()) })] : []),
    ...(Missing > 0 ? [t('bill.missing', { amount: `${amount(Missing)} ${Unit}` })] : []),
    ...(Unpriced > 0 ? [t('bill.unpriced', { amount: `${amount(Unpriced)} ${Unit}` })] : []),
    ...(TotalAmount !== null && Math.abs(TotalAmount - Billed) > 0.005
      ? [t('bill.otherTotal', { total: costText(TotalAmount, Currency), sum: costText(Billed, Currency) })]
      : []),
  ]
  return (
    <div className="stack-tight">
      <p className="soft">{t('bill.metered', { amount: `${amount(Energy)} ${Unit}` })}</p>
      {said.map((text) => (
        <p key={text}>
          <State is="notice">{text}</State>
        </p>
      ))}
    </div>
  )
}

/** An invoice line by line against meters and prices. */
export default function BillCheck({ row, close }: DialogProps<typeof energyBill>) {
  const t = useWords()
  const { data, error, refetch } = useCall(billCalls.check, {
    query: { Id: row.Id },
    of: ['energyBill', 'energyInfo', 'energySource', 'energyInfoData', 'energyTariff', 'electricityPriceStandard', 'point'],
  })
  return (
    <SidePanel width={760} title={t('bill.checkOf', { number: row.BillNo })} onClose={close} mask={{ closable: true }}>
      {error && !data ? (
        <Failure fault={error} retry={() => refetch()} />
      ) : !data ? (
        <Waiting />
      ) : (
        <div className="stack">
          <p className="soft figures">{`${data.EnergyName} · ${data.StartDate} – ${data.EndDate}`}</p>
          <Doubts of={data} />
          <Lines of={data} />
          <p className="faint">{t('energy.lastDigit')}</p>
          <PartsList of={data} />
        </div>
      )}
    </SidePanel>
  )
}
