import { App, Button, Drawer, InputNumber, Radio } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Range } from '../../../../../console/chart/ranges.ts'
import { useCall, useCommand } from '../../../../../console/kernel/api.ts'
import { Failure } from '../../../../../console/kernel/Empty.tsx'
import { useMay } from '../../../../../console/session/session.ts'
import { Waiting } from '../../../../../console/shell/Waiting.tsx'
import { State } from '../../../../../console/theme/State.tsx'
import { usePhone } from '../../../../../console/theme/useWidth.ts'
import { none, numberText, timeText } from '../../../../../console/words/formats.ts'
import { language, useWords } from '../../../../../console/words/words.ts'
import type { Answer } from '../../../../../contract/call.ts'
import { analysisCalls, type Mark, type PointStatus } from '../../../telemetry/contract.ts'
import { TypeDialog } from './TypeDialog.tsx'
import './status.css'

type Meaning = Answer<typeof analysisCalls.meaning>
const figure = (value: number | null) => (value === null ? none : numberText(value, 0, language(), 3))

type AnswerProps = { mark: Mark; paraId: number; done: () => void }
/** What a person says about a fall or a steep rise. */
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

type EventsProps = { data: Meaning; paraId: number; mayEdit: boolean }
/** The falls and steep rises of a counter, and what was said of them, by whom. */
const Events = ({ data, paraId, mayEdit }: EventsProps) => {
  const t = useWords()
  const [asked, ask] = useState<number>()
  if (!data.Marks.length && !data.Answers.length) return <p className="soft">{t('meter.none')}</p>
  const answers = new Map(data.Answers.map((one) => [one.Time, one]))
  const marks = [...data.Marks].sort((a, b) => b.Time - a.Time)
  const apart = data.Answers.filter(({ Time }) => !marks.some((mark) => mark.Time === Time))
  const said = (one: Meaning['Answers'][number]) =>
    [
      t(`meter.kind.${one.Kind}`),
      one.OldEnd !== null && one.NewStart !== null && `${figure(one.OldEnd)} → ${figure(one.NewStart)}`,
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
                {figure(mark.Before)} → {figure(mark.After)}
              </span>
            </div>
            {answer ? <div className="soft">{said(answer)}</div> : mark.Open === 1 && <State is="warning">{t('meter.open')}</State>}
            {mayEdit && (mark.Open === 1 || answer) && asked !== mark.Time && (
              <Button size="small" onClick={() => ask(mark.Time)}>
                {t(answer ? 'meter.change' : 'meter.answer')}
              </Button>
            )}
            {asked === mark.Time && <AnswerForm mark={mark} paraId={paraId} done={() => ask(undefined)} />}
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

/** What the values of one point are, and the events of its counter in a period. */
export const MeaningDrawer = ({ row, range, close }: { row: PointStatus; range: Range; close: () => void }) => {
  const t = useWords()
  const phone = usePhone()
  const mayEdit = useMay('m10104.edit')
  const [isTyping, type] = useState(false)
  const { data, error, refetch } = useCall(analysisCalls.meaning, {
    query: { ParaId: row.ParaId, Start: range.start, End: range.end },
    of: ['point'],
  })
  return (
    <Drawer
      open
      onClose={close}
      placement={phone ? 'bottom' : 'right'}
      size={phone ? '92%' : 520}
      title={`${row.DeviceName} · ${row.ParaName}`}
    >
      {error && !data ? (
        <Failure fault={error} retry={() => refetch()} />
      ) : !data ? (
        <Waiting />
      ) : (
        <>
          <dl className="meaning-facts">
            <dt>{t('point.CalDataType')}</dt>
            <dd>{t(`point.CalDataType.${data.CalDataType}`)}</dd>
            {data.CalDataType === 1 &&
              (['MaxReading', 'HourlyHigh', 'Tolerance'] as const).map((name) => [
                <dt key={`${name} title`}>{t(`meaning.${name}`)}</dt>,
                <dd key={name} className="figures">
                  {figure(data[name])}
                </dd>,
              ])}
          </dl>
          <div className="search-bar">
            {mayEdit && <Button onClick={() => type(true)}>{t('meaning.change')}</Button>}
            <Link to={`/dataAnalysis/realTimeData?points=${row.ParaId}`}>
              <Button>{t('device.trend')}</Button>
            </Link>
          </div>
          {data.CalDataType === 1 && (
            <>
              <h3>{t('meter.title')}</h3>
              <Events data={data} paraId={row.ParaId} mayEdit={mayEdit} />
              <p className="faint">{t('meter.help')}</p>
            </>
          )}
        </>
      )}
      {isTyping && data && <TypeDialog ids={[row.ParaId]} begin={data} close={() => type(false)} />}
    </Drawer>
  )
}
