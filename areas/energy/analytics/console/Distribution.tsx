import { useCall } from '../../../../console/kernel/api.ts'
import { Facts } from '../../../../console/theme/Facts.tsx'
import { language, useWords } from '../../../../console/words/words.ts'
import type { Cell } from '../../../../contract/cell.ts'
import { ChartPanel } from '../../../analysis/data-analysis/console/charts/ChartPanel.tsx'
import { paintHistogram } from '../../../analysis/reports/spread.ts'
import { sources } from '../../consumption/console/EnergyPage.tsx'
import { Answered } from '../../consumption/console/views/Answered.tsx'
import { analyticsCalls } from '../contract.ts'
import type { Asked } from './useQuestion.ts'

export const shareText = (share: number | null) =>
  share === null ? '–' : new Intl.NumberFormat(language(), { style: 'percent', maximumFractionDigits: 1 }).format(share)
export const amountText = (value: number) => new Intl.NumberFormat(language(), { maximumSignificantDigits: 5 }).format(value)

/** How many hours an answer is made of, and how many are missing. */
export const Used = ({ rows, leftOut }: { rows: number; leftOut: number }) => {
  const t = useWords()
  return (
    <p className="soft">{t('analytics.used', { rows: rows.toLocaleString(language()), missing: leftOut.toLocaleString(language()) })}</p>
  )
}

/** How often a circuit or a point had which values. */
export const Distribution = ({ asked: { one, range, energy, targetPoint } }: { asked: Asked }) => {
  const t = useWords()
  const answer = useCall(analyticsCalls.histogram, { query: { ...one, ...range }, of: sources, enabled: one !== undefined })
  const unit = targetPoint === undefined ? (energy.circuit?.Unit ?? '') : ''
  return (
    <Answered of={answer}>
      {({ Edges, Counts, Mean, Std, P5, P50, P95, Rows, LeftOut }) => {
        const shares = Counts.map((count) => count / Rows)
        const width = (Edges.at(-1)! - Edges[0]!) / Counts.length || 1
        const figures = { mean: Mean, deviation: Std, p5: P5, median: P50, p95: P95 }
        return (
          <>
            <section className="panel">
              <Used rows={Rows} leftOut={LeftOut} />
              <Facts
                of={Object.entries(figures).map(([key, value]) => ({
                  ...{ key, label: t(`analytics.${key}`) },
                  value: <span className="figures">{`${amountText(value)} ${unit}`}</span>,
                }))}
              />
            </section>
            <ChartPanel
              title={t('analytics.question.distribution')}
              paint={(look) => paintHistogram({ name: '', unit, low: Edges[0]!, width, shares }, look)}
              table={[
                [t('analytics.from'), t('analytics.to'), t('analytics.hours')],
                ...Counts.map((count, i): Cell[] => [Edges[i]!, Edges[i + 1]!, count]),
              ]}
              help={t('analytics.distribution.help')}
            />
          </>
        )
      }}
    </Answered>
  )
}

/** Which features explain the target, with the range of nine of ten trees. */
export const Drivers = ({ asked: { target, features, range, nameOf } }: { asked: Asked }) => {
  const t = useWords()
  const answer = useCall(analyticsCalls.featureImportance, { query: { ...target, ...features, ...range }, of: sources })
  return (
    <Answered of={answer}>
      {(items) => (
        <section className="panel">
          <ol className="analytics-drivers" aria-label={t('analytics.question.drivers')}>
            {items.map(({ Feature, Importance, Low, High }) => (
              <li key={Feature}>
                <span>{nameOf(Feature)}</span>
                <span className="analytics-track">
                  <span className="analytics-bar" style={{ width: `${100 * Importance}%` }} />
                </span>
                <span className="figures">
                  {shareText(Importance)} <small className="soft">{`${shareText(Low)} – ${shareText(High)}`}</small>
                </span>
              </li>
            ))}
          </ol>
          <p className="faint">{t('analytics.drivers.help')}</p>
        </section>
      )}
    </Answered>
  )
}
