import { App, Button, InputNumber, Radio } from 'antd'
import { useState } from 'react'
import { useCall, useCommand } from '../../../../../console/kernel/api.ts'
import { useMay } from '../../../../../console/session/session.ts'
import { State } from '../../../../../console/theme/State.tsx'
import { none, timeText } from '../../../../../console/words/formats.ts'
import { useWords } from '../../../../../console/words/words.ts'
import type { Answer } from '../../../../../contract/call.ts'
import { analysisCalls, type Mark } from '../../../telemetry/contract.ts'
import { readingText } from '../figures.tsx'
import './status.css'

type Meaning = Answer<typeof analysisCalls.meaning>

type AnswerProps = { mark: Mark; paraId: number; done: () => void }
/** Form for answering a meter event. */
const AnswerForm = ({ mark, paraId, done }: AnswerProps) => {
  const t = useWords()
  const { message } = App.useApp()
  const kinds = mark.Kind === 'outlier' ? [4, 3] : [1, 2, 3]
  const [kind, setKind] = useState(kinds[0]!)
  const [ends, setEnds] = useState<{ OldEnd: number | null; NewStart: number | null }>({ OldEnd: mark.Before, NewStart: mark.After })
  const answer = useCommand(analysisCalls.answerEvent, ['point'], { meta: { quiet: true } })
  const isMissing = kind === 2 && (ends.OldEnd === null || ends.NewStart === null)
  const send = () =>
    answer.mutate(
      { body: { ParaId: paraId, Time: mark.Time, Kind: kind, ...(kind === 2 ? { OldEnd: ends.OldEnd!, NewStart: ends.NewStart! } : {}) } },
      {
        onSuccess: () => {
          void message.success(t('meter.answered'))
          done()
        },
      },
    )
  return (
    <div className="meter-answer">
      <Radio.Group
        value={kind}
        onChange={({ target }) => setKind(target.value)}
        options={kinds.map((value) => ({ value, label: t(`meter.kind.${value}`) }))}
        aria-label={t('meter.what')}
      />
      {kind === 2 &&
        (['OldEnd', 'NewStart'] as const).map((name) => (
          <div key={name} className="meter-end">
            <span>{t(`meter.${name}`)}</span>
            <InputNumber
              aria-label={t(`meter.${name}`)}
              value={ends[name]}
              min={0}
              max={1e15}
              onChange={(value) => setEnds((old) => ({ ...old, [name]: value }))}
            />
          </div>
        ))}
      {answer.error && <p role="alert">{answer.error.message}</p>}
      <Button type="primary" disabled={isMissing} loading={answer.isPending} onClick={send}>
        {t('meter.send')}
      </Button>
    </div>
  )
}

type EventsProps = { data: Pick<Meaning, 'Marks' | 'Answers'>; paraId: number; answered?: () => void }
/** Meter events of a counter with their answers. */
export const MeterEvents = ({ data, paraId, answered }: EventsProps) => {
  const t = useWords()
  const mayEdit = useMay('m10104.edit')
  const [asked, ask] = useState<number>()
  if (!data.Marks.length && !data.Answers.length) return <p className="soft">{t('meter.none')}</p>
  const answers = new Map(data.Answers.map((one) => [one.Time, one]))
  const marks = [...data.Marks].sort((a, b) => b.Time - a.Time)
  const apart = data.Answers.filter(({ Time }) => !marks.some((mark) => mark.Time === Time))
  const said = (one: Meaning['Answers'][number]) =>
    [
      t(`meter.kind.${one.Kind}`),
      one.OldEnd !== null && one.NewStart !== null && `${readingText(one.OldEnd)} → ${readingText(one.NewStart)}`,
      t('meter.by', { name: one.UserName || none, time: timeText(one.UpdateTime).slice(0, 16) }),
    ]
      .filter(Boolean)
      .join(' · ')
  return (
    <ul className="meter-events">
      {marks.map((mark) => {
        const answer = answers.get(mark.Time)
        return (
          <li key={mark.Time}>
            <div>
              <span className="figures">{timeText(mark.Time)}</span> · {t(`meter.mark.${mark.Kind}`)}{' '}
              <span className="figures">
                {readingText(mark.Before)} → {readingText(mark.After)}
              </span>
            </div>
            {answer ? <div className="soft">{said(answer)}</div> : mark.Open === 1 && <State is="warning">{t('meter.open')}</State>}
            {mayEdit && (mark.Open === 1 || answer) && asked !== mark.Time && (
              <Button size="small" onClick={() => ask(mark.Time)}>
                {t(answer ? 'meter.change' : 'meter.answer')}
              </Button>
            )}
            {asked === mark.Time && (
              <AnswerForm
                mark={mark}
                paraId={paraId}
                done={() => {
                  ask(undefined)
                  answered?.()
                }}
              />
            )}
          </li>
        )
      })}
      {apart.map((one) => (
        <li key={one.Time}>
          <span className="figures">{timeText(one.Time)}</span> <span className="soft">· {said(one)}</span>
        </li>
      ))}
    </ul>
  )
}

/** The events of a counter in a range; nothing for a counter without any. */
export const MeterEventsIn = ({
  paraId,
  name,
  range: { start, end },
  answered,
}: {
  paraId: number
  name: string
  range: { start: number; end: number }
  answered: () => void
}) => {
  const t = useWords()
  const { data } = useCall(analysisCalls.meaning, { query: { ParaId: paraId, Start: start, End: end }, of: ['point'] })
  if (data?.CalDataType !== 1 || !(data.Marks.length || data.Answers.length)) return null
  return (
    <section className="stack-tight" aria-label={`${t('meter.title')}: ${name}`}>
      <h3>
        {t('meter.title')} <span className="soft">{name}</span>
      </h3>
      <MeterEvents data={data} paraId={paraId} answered={answered} />
      <p className="faint">{t('meter.help')}</p>
    </section>
  )
}
