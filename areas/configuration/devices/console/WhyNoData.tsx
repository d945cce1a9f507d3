import { Skeleton } from 'antd'
import { type Shown, useCall } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { State } from '../../../../console/theme/State.tsx'
import { timeText } from '../../../../console/words/formats.ts'
import { hasWords, useWords } from '../../../../console/words/words.ts'
import { type device, deviceCalls } from '../contract.ts'
import { WhyAction } from './WhyAction.tsx'

/** Converts epoch ms among the values to local times. */
const readable = (values: object) =>
  Object.fromEntries(Object.entries(values).map(([k, v]) => [k, k === 'Since' || k === 'Last' ? timeText(v as number | null) : v]))

/** Stages after the first failure depend on it, so only that one is marked red. */
const markOf = (ok: boolean | null, isBehind: boolean) => {
  if (ok) return { is: 'normal', word: 'why.ok' } as const
  if (ok === null) return { is: 'offline', word: 'why.unknown' } as const
  return isBehind ? ({ is: 'offline', word: 'why.behind' } as const) : ({ is: 'alarm', word: 'why.broken' } as const)
}

/** The path of a reading from the field to the screen, stage by stage. The first failed stage is the cause. */
const WhyNoData = ({ row }: { row: Shown<typeof device> }) => {
  const t = useWords()
  const { data, error, refetch } = useCall(deviceCalls.whyNoData, {
    query: { Id: row.Id },
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
        {data.map((stage, at) => {
          const { Stage, Ok, Reason, Values } = stage
          const mark = markOf(Ok, broken >= 0 && at > broken)
          const key = `why.${Stage}.${Reason}`
          return (
            <li key={Stage} className={`panel ${at === broken ? 'why-here' : ''} ${broken >= 0 && at > broken ? 'why-behind' : ''}`}>
              <div className="why-stage">
                <h2>{t(`why.${Stage}`)}</h2>
                <State is={mark.is}>{t(mark.word)}</State>
              </div>
              <p>{hasWords(key) ? t(key, readable(Values)) : Reason}</p>
              <WhyAction row={row} stage={stage} isFirst={at === broken} />
            </li>
          )
        })}
      </ol>
    </div>
  )
}
export default WhyNoData
