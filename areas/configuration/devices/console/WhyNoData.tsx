import { Skeleton } from 'antd'
import { useCall } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { State } from '../../../../console/theme/State.tsx'
import { timeText } from '../../../../console/words/formats.ts'
import { hasWords, useWords } from '../../../../console/words/words.ts'
import { deviceCalls } from '../contract.ts'

/** Moments among the values are epoch ms; people read wall times. */
const readable = (values: object) =>
  Object.fromEntries(Object.entries(values).map(([k, v]) => [k, k === 'Since' || k === 'Last' ? timeText(v as number | null) : v]))

const condition = (ok: boolean | null) => (ok === null ? 'offline' : ok ? 'normal' : 'alarm')

/** The way of a reading from the wire to the screen, stage by stage; the first that fails is where to look. */
const WhyNoData = ({ row: { Id: deviceId } }: { row: { Id: number } }) => {
  const t = useWords()
  const { data, error, refetch } = useCall(deviceCalls.whyNoData, {
    query: { Id: deviceId },
    of: ['device', 'gateway'],
    refetchInterval: 5000,
  })
  if (error && !data) return <Failure fault={error} retry={() => refetch()} />
  if (!data) return <Skeleton active />
  const broken = data.findIndex((stage) => stage.Ok === false)
  return (
    <div className="stack">
      <p>{broken < 0 ? t('why.allWell') : t('why.look', { stage: t(`why.${data[broken]!.Stage}`) })}</p>
      <ol className="why">
        {data.map(({ Stage, Ok, Reason, Values }, at) => {
          const key = `why.${Stage}.${Reason}`
          return (
            <li key={Stage} className={`panel ${at === broken ? 'why-here' : ''} ${broken >= 0 && at > broken ? 'why-behind' : ''}`}>
              <div className="why-stage">
                <h2>{t(`why.${Stage}`)}</h2>
                <State is={condition(Ok)}>{t(Ok === null ? 'why.unknown' : Ok ? 'why.ok' : 'why.broken')}</State>
              </div>
              <p>{hasWords(key) ? t(key, readable(Values)) : Reason}</p>
            </li>
          )
        })}
      </ol>
    </div>
  )
}
export default WhyNoData
