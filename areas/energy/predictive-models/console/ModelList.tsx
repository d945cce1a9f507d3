import { Button } from 'antd'
import { useMay } from '../../../../console/session/session.ts'
import { State } from '../../../../console/theme/State.tsx'
import { dayText, timeText } from '../../../../console/words/formats.ts'
import { language, useWords, type Words } from '../../../../console/words/words.ts'
import { type Model, modelStatus, publishesModels, removesModels, trainsModels } from '../contract.ts'
import { useModelActs } from './useModels.ts'

const amount = (value: number) => new Intl.NumberFormat(language(), { maximumSignificantDigits: 3 }).format(value)
const percent = (share: number) => new Intl.NumberFormat(language(), { style: 'percent', maximumFractionDigits: 1 }).format(share)

/** Model quality on the test set, the last tenth of its data. */
export const metricsText = ({ Metrics, Unit }: Model, t: Words) => {
  if (!Metrics) return undefined
  if ('Mae' in Metrics)
    return t('models.errors', { error: amount(Metrics.Mae), day: amount(Metrics.NaiveDay), week: amount(Metrics.NaiveWeek), unit: Unit })
  return t('models.fired', { hours: Metrics.TestHours, watch: percent(Metrics.Watch), alarm: percent(Metrics.Alarm) })
}

const Condition = ({ of }: { of: Model }) => {
  const t = useWords()
  const text = t(`models.status.${of.Status}`)
  if (of.Status === modelStatus.failed) return <State is="warning">{of.Reason ?? text}</State>
  return of.Status === modelStatus.training ? <State is="notice">{text}</State> : <span>{text}</span>
}

type Props = { of: readonly Model[]; shown: number | undefined; show: (id: number) => void }
/** Models of a circuit or machine type with their quality. */
export const ModelList = ({ of, shown, show }: Props) => {
  const t = useWords()
  const acts = useModelActs()
  const [mayTrain, mayPublish, mayRemove] = [useMay(trainsModels), useMay(publishesModels), useMay(removesModels)]
  if (!of.length) return null
  return (
    <section className="panel" aria-label={t('models.all')}>
      <h2>{t('models.all')}</h2>
      <ul className="model-list">
        {of.map((model) => {
          const isDone = model.Status === modelStatus.trained || model.Status === modelStatus.published
          return (
            <li key={model.ModelId} aria-current={model.ModelId === shown}>
              <div>
                <strong>{model.Name}</strong> <Condition of={model} />
                <p className="soft">
                  {t('models.data', { from: dayText(model.Start), to: dayText(model.End - 1) })}
                  {model.TrainTime !== null &&
                    ` · ${t('models.trainedAt', { time: timeText(model.TrainTime), by: model.TrainedBy ?? '' })}`}
                </p>
                {metricsText(model, t) && <p className="soft">{metricsText(model, t)}</p>}
              </div>
              <span className="button-row">
                {isDone && model.ModelId !== shown && (
                  <Button size="small" onClick={() => show(model.ModelId)}>
                    {t('models.show')}
                  </Button>
                )}
                {model.Status === modelStatus.training && mayTrain && (
                  <Button size="small" onClick={() => acts.stop(model)}>
                    {t('models.stop')}
                  </Button>
                )}
                {model.Status === modelStatus.trained && mayPublish && (
                  <Button size="small" onClick={() => acts.publish(model)}>
                    {t('models.publish')}
                  </Button>
                )}
                {mayRemove && (
                  <Button size="small" danger onClick={() => acts.remove(model)}>
                    {t('button.remove')}
                  </Button>
                )}
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
