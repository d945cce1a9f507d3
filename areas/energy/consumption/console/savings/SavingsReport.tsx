import type { ReactNode } from 'react'
import { EmptyList } from '../../../../../console/kernel/Empty.tsx'
import { State } from '../../../../../console/theme/State.tsx'
import { none, numberText } from '../../../../../console/words/formats.ts'
import { language, useWords } from '../../../../../console/words/words.ts'
import type { Answer } from '../../../../../contract/call.ts'
import type { Cell } from '../../../../../contract/cell.ts'
import { ChartPanel } from '../../../../analysis/data-analysis/console/charts/ChartPanel.tsx'
import { paintBanded } from '../../../../analysis/reports/banded.ts'
import type { savingsCalls } from '../../savings.ts'
import { costText, energyText, percentText } from '../amounts.ts'

type Of = Answer<typeof savingsCalls.report>

const Figure = ({ label, value, note }: { label: string; value: ReactNode; note?: ReactNode }) => (
  <section className="energy-answer" aria-label={label}>
    <span className="soft">{label}</span>
    <strong>{value}</strong>
    <span className="soft figures">{note}</span>
  </section>
)

/** Whether the saving is larger than its uncertainty. */
const Proof = ({ of: { Saving, IsProven, Method } }: { of: Of }) => {
  const t = useWords()
  if (Saving === null) return null
  if (IsProven === null) return t(Method === 'lastYear' ? 'energy.savings.noBand' : 'energy.savings.unknown')
  if (!IsProven) return <State is="notice">{t('energy.savings.notProven')}</State>
  return Saving < 0 ? <State is="warning">{t('energy.savings.provenMore')}</State> : t('energy.savings.proven')
}

const Answers = ({ of }: { of: Of }) => {
  const t = useWords()
  const { Actual, Expected, Saving, Uncertainty, Unit, Method, Cost, Currency, Kgco2e } = of
  const share = Saving === null || !Expected ? null : (100 * Saving) / Expected
  const worth = [
    ...(Cost === undefined || Cost === null ? [] : [t('energy.savings.worth', { money: costText(Cost, Currency) })]),
    ...(Kgco2e === null ? [] : [energyText(Kgco2e, 'kg CO₂')]),
  ]
  return (
    <div className="energy-answers">
      <Figure
        label={t('energy.savings.saving')}
        value={
          <>
            {energyText(Saving, Unit)}
            {Uncertainty !== null && <small>{` ± ${energyText(Uncertainty, Unit)}`}</small>}
          </>
        }
        note={<Proof of={of} />}
      />
      <Figure label={t('energy.savings.share')} value={share === null ? none : percentText(share, 1)} note={worth.join(' · ')} />
      <Figure
        label={t('energy.savings.actual')}
        value={energyText(Actual, Unit)}
        note={t(Method === 'baseline' ? 'energy.savings.byBaseline' : 'energy.savings.byLastYear', { amount: energyText(Expected, Unit) })}
      />
    </div>
  )
}

/** What a circuit used against what was expected of it, day by day, and what that adds up to. */
export const SavingsReport = ({ of, name }: { of: Of; name: string }) => {
  const t = useWords()
  const { Days, LeftOut, Unit, Method, Baseline } = of
  if (Method === 'baseline' && !Baseline) return <EmptyList text={t('energy.savings.noBaseline')} />
  if (!Days.length) return <EmptyList text={t('energy.savings.noDays')} />
  const number = (value: number) => numberText(value, 1, language())
  const outside = Days.filter(({ IsInRange }) => !IsInRange).length
  const hasBand = Days.some(({ Low }) => Low !== null)
  const labels = Days.map(({ Day }) => Day.slice(5))
  const expected = t(Method === 'baseline' ? 'energy.savings.expected' : 'energy.savings.lastYear')
  const actual = t('energy.savings.actual')
  return (
    <>
      <Answers of={of} />
      <ChartPanel
        title={`${name} · ${t('energy.savings.days', { unit: Unit })}`}
        height={280}
        paint={(look) =>
          paintBanded(
            {
              labels,
              curves: [
                { name: actual, values: Days.map(({ Actual }) => Actual) },
                { name: expected, values: Days.map(({ Expected }) => Expected), dash: '5 3' },
              ],
              ...(hasBand ? { band: { low: Days.map(({ Low }) => Low), high: Days.map(({ High }) => High) } } : {}),
              titleOf: (i) => `${Days[i]!.Day} · ${actual} ${number(Days[i]!.Actual)} · ${expected} ${number(Days[i]!.Expected)} ${Unit}`,
            },
            look,
          )
        }
        table={[
          [
            t('period.day'),
            actual,
            expected,
            t('energy.savings.low'),
            t('energy.savings.high'),
            t('energy.savings.cusum'),
            t('energy.savings.inRange'),
          ],
          ...Days.map(({ Day, Actual, Expected, Low, High, Cusum, IsInRange }): Cell[] => [
            ...[Day, Actual, Expected, Low ?? '', High ?? '', Cusum, IsInRange],
          ]),
        ]}
        help={[
          ...(hasBand ? [t('energy.savings.band')] : []),
          ...(outside ? [t('energy.savings.outside', { count: outside })] : []),
          ...(LeftOut ? [t('energy.savings.leftOut', { count: LeftOut })] : []),
        ].join(' ')}
      />
      <ChartPanel
        title={`${t('energy.savings.cusum')} (${Unit})`}
        height={200}
        paint={(look) =>
          paintBanded(
            {
              labels,
              curves: [{ name: t('energy.savings.cusum'), values: Days.map(({ Cusum }) => Cusum) }],
              titleOf: (i) => `${Days[i]!.Day} · ${number(Days[i]!.Cusum)} ${Unit}`,
            },
            look,
          )
        }
        table={[[t('period.day'), t('energy.savings.cusum')], ...Days.map(({ Day, Cusum }): Cell[] => [Day, Cusum])]}
        help={t('energy.savings.cusumHelp')}
      />
    </>
  )
}
