import { useCall } from '../../../../console/kernel/api.ts'
import { type Condition, State } from '../../../../console/theme/State.tsx'
import { timeText } from '../../../../console/words/formats.ts'
import { language, useWords, type Words } from '../../../../console/words/words.ts'
import type { Cell } from '../../../../contract/cell.ts'
import { ChartPanel } from '../../../analysis/data-analysis/console/charts/ChartPanel.tsx'
import { paintBanded } from '../../../analysis/reports/banded.ts'
import { Answered } from '../../consumption/console/views/Answered.tsx'
import { type Model, modelCalls, type Predicted } from '../contract.ts'
import { metricsText } from './ModelList.tsx'
import { modelSources } from './useModels.ts'

const hours = 168
const refreshMs = 300_000
type Fired = NonNullable<Predicted['Fired']>[number]

const number = (value: number) => new Intl.NumberFormat(language(), { maximumSignificantDigits: 4 }).format(value)
const units: Partial<Record<Fired['Rule'], string>> = { velocity: 'mm/s', temperature: '°C', unbalance: '%', load: '%', deviation: 'σ' }

/** “Phase unbalance 6.1 %, limit 5 %”, with the point that it is about. */
const firedText = ({ Rule, Measured, Limit, ParaId }: Fired, { Points }: Model, t: Words) => {
  const point = Points.find((one) => one.ParaId === ParaId)
  const unit = units[Rule] ? ` ${units[Rule]}` : ''
  const said = t('models.rule', {
    rule: t(`models.rule.${Rule}`),
    measured: `${number(Measured)}${unit}`,
    limit: `${number(Limit)}${unit}`,
  })
  return point ? `${point.ParaName}: ${said}` : said
}
const conditionOf = ({ Fired = [] }: Predicted): Condition =>
  Fired.some(({ IsAlarm }) => IsAlarm) ? 'alarm' : Fired.length ? 'warning' : 'normal'

/** Current health score, fired rules, and the score over the last week. */
export const Health = ({ of }: { of: Model }) => {
  const t = useWords()
  const answer = useCall(modelCalls.predict, {
    body: { ModelId: of.ModelId, Horizon: hours },
    of: modelSources,
    refetchInterval: refreshMs,
  })
  return (
    <Answered of={answer}>
      {(all) => {
        const now = all.findLast(({ Value }) => Value !== null)
        const labels = all.map(({ Time }) => timeText(Time).slice(5, 16))
        const worst = all.reduce((low: number | null, { Value }) => (Value === null ? low : Math.min(low ?? Value, Value)), null)
        return (
          <>
            <div className="energy-answers">
              <section className="energy-answer" aria-label={t('models.score')}>
                <span className="soft">{`${of.Name} · ${t('models.score')}`}</span>
                <strong>{now ? <State is={conditionOf(now)}>{now.Value}</State> : '–'}</strong>
                <span className="soft">{now ? timeText(now.Time) : t('models.noValues')}</span>
              </section>
              <section className="energy-answer" aria-label={t('models.why')}>
                <span className="soft">{t('models.why')}</span>
                {now?.Fired?.length ? (
                  <ul className="model-fired">
                    {now.Fired.map((one) => (
                      <li key={`${one.Rule}${one.ParaId}`}>
                        <State is={one.IsAlarm ? 'alarm' : 'warning'}>{firedText(one, of, t)}</State>
                      </li>
                    ))}
                  </ul>
                ) : (
                  <span>{now ? t('models.nothingFired') : t('models.noValues.help')}</span>
                )}
              </section>
              <section className="energy-answer" aria-label={t('models.quality')}>
                <span className="soft">{t('models.worst')}</span>
                <strong>{worst ?? '–'}</strong>
                <span className="soft">{metricsText(of, t)}</span>
              </section>
            </div>
            <ChartPanel
              title={t('models.scoreCurve')}
              height={200}
              paint={(look) =>
                paintBanded(
                  {
                    labels,
                    curves: [{ name: t('models.score'), values: all.map(({ Value }) => Value) }],
                    titleOf: (i) =>
                      [labels[i], all[i]!.Value ?? '–', ...(all[i]!.Fired ?? []).map((one) => firedText(one, of, t))].join(' · '),
                  },
                  look,
                )
              }
              table={[
                [t('explore.period'), t('models.score'), t('models.why')],
                ...all.map((one, i): Cell[] => [labels[i]!, one.Value ?? '', (one.Fired ?? []).map((f) => firedText(f, of, t)).join('; ')]),
              ]}
              help={t('models.score.help')}
            />
          </>
        )
      }}
    </Answered>
  )
}
