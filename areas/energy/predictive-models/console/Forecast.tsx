import { useCall } from '../../../../console/kernel/api.ts'
import { timeText } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import type { Cell } from '../../../../contract/cell.ts'
import { ChartPanel } from '../../../analysis/data-analysis/console/charts/ChartPanel.tsx'
import { paintBanded } from '../../../analysis/reports/banded.ts'
import { Answered } from '../../consumption/console/views/Answered.tsx'
import { type Model, modelCalls, type Predicted } from '../contract.ts'
import { metricsText } from './ModelList.tsx'
import { modelSources } from './useModels.ts'

/** Hours ahead and hours of history in the chart. */
const [ahead, past] = [48, 168]
const hoursOfDay = 24
const refreshMs = 600_000

const sum = (of: readonly Predicted[], value: (one: Predicted) => number | null | undefined) =>
  of.every((one) => value(one) != null) ? of.reduce((total, one) => total + value(one)!, 0) : null

/** Forecast of the next hours, the error over the last week, and both as a chart. */
export const Forecast = ({ of }: { of: Model }) => {
  const t = useWords()
  const answer = useCall(modelCalls.predict, {
    body: { ModelId: of.ModelId, Horizon: ahead, Past: past },
    of: modelSources,
    refetchInterval: refreshMs,
  })
  const amount = (value: number | null | undefined) =>
    value == null ? '–' : `${new Intl.NumberFormat(language(), { maximumSignificantDigits: 4 }).format(value)} ${of.Unit}`
  return (
    <Answered of={answer}>
      {(hours) => {
        const next = hours.filter(({ Actual }) => Actual === undefined)
        const before = hours.filter(({ Actual, Value }) => Actual != null && Value !== null)
        const error = before.length
          ? before.reduce((total, { Actual, Value }) => total + Math.abs(Actual! - Value!), 0) / before.length
          : null
        const inside = before.filter(({ Actual, Low, High }) => Actual! >= Low! && Actual! <= High!).length
        const day = next.slice(0, hoursOfDay)
        const labels = hours.map(({ Time }) => timeText(Time).slice(5, 16))
        const column = (value: (one: Predicted) => number | null | undefined) => hours.map((one) => value(one) ?? null)
        return (
          <>
            <div className="energy-answers">
              <section className="energy-answer" aria-label={t('models.nextDay')}>
                <span className="soft">{t('models.nextDay')}</span>
                <strong>{amount(sum(day, ({ Value }) => Value))}</strong>
                <span className="soft figures">
                  {t('models.peak', {
                    amount: amount(
                      day.reduce((most: number | null, { Value }) => (Value === null ? most : Math.max(most ?? Value, Value)), null),
                    ),
                  })}
                </span>
              </section>
              <section className="energy-answer" aria-label={t('models.lastWeek')}>
                <span className="soft">{t('models.lastWeek')}</span>
                <strong>{amount(error)}</strong>
                <span className="soft">{t('models.inside', { count: inside, of: before.length })}</span>
              </section>
              <section className="energy-answer" aria-label={t('models.quality')}>
                <span className="soft">{t('models.quality')}</span>
                <strong>{of.Name}</strong>
                <span className="soft">{metricsText(of, t)}</span>
              </section>
            </div>
            <ChartPanel
              title={t('models.curve')}
              paint={(look) =>
                paintBanded(
                  {
                    labels,
                    curves: [
                      { name: t('models.actual'), values: column(({ Actual }) => Actual) },
                      { name: t('models.forecast'), values: column(({ Value }) => Value), dash: '5 3' },
                    ],
                    band: { low: column(({ Low }) => Low), high: column(({ High }) => High) },
                    titleOf: (i) => {
                      const { Actual, Value, Low, High } = hours[i]!
                      const said = `${t('models.forecast')} ${amount(Value)} (${amount(Low)} – ${amount(High)})`
                      return [labels[i], ...(Actual == null ? [] : [`${t('models.actual')} ${amount(Actual)}`]), said].join(' · ')
                    },
                  },
                  look,
                )
              }
              table={[
                [t('explore.period'), t('models.actual'), t('models.forecast'), t('models.low'), t('models.high')],
                ...hours.map((one, i): Cell[] => [labels[i]!, one.Actual ?? '', one.Value ?? '', one.Low ?? '', one.High ?? '']),
              ]}
              help={t('models.curve.help')}
            />
          </>
        )
      }}
    </Answered>
  )
}
