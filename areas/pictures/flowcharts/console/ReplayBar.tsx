import { CaretRightOutlined, PauseOutlined, StepBackwardOutlined, StepForwardOutlined } from '@ant-design/icons'
import { Button, Select, Slider } from 'antd'
import { levelCondition, Shape } from '../../../../console/theme/State.tsx'
import { timeText } from '../../../../console/words/formats.ts'
import { useWords } from '../../../../console/words/words.ts'
import type { Past } from '../contract.ts'
import { type Replay, type ReplaySpan, replaySpans } from './useReplay.ts'

const mostMarks = 60
/** Alarms at their start time, by shape and colour. */
const Marks = ({ of: { range, past, go } }: { of: Replay }) => {
  const t = useWords()
  const share = (moment: number) => (100 * (Math.max(moment, range.start) - range.start)) / (range.end - range.start)
  const shown = (past?.Alarms ?? []).slice(0, mostMarks)
  return (
    <div className="replay-marks">
      {shown.map(({ ParaId, Level, Start }: Past['Alarms'][number]) => (
        <button
          key={`${ParaId} ${Start}`}
          type="button"
          tabIndex={-1}
          style={{ insetInlineStart: `${share(Start)}%` }}
          title={`${t(`alarmInfo.AlarmLevel.${Level}`)}, ${timeText(Start)}`}
          onClick={() => go(Start)}
        >
          <Shape is={levelCondition(Level)} />
        </button>
      ))}
    </div>
  )
}

type Props = { of: Replay; span: ReplaySpan; setSpan: (span: ReplaySpan) => void; close: () => void }
/** Timeline of a replay: position, alarms, and play button. */
export const ReplayBar = ({ of, span, setSpan, close }: Props) => {
  const t = useWords()
  const { at, go, range, step, isPlaying, play, past } = of
  return (
    <section className="replay" aria-label={t('pictures.replay')}>
      <Select
        aria-label={t('pictures.replaySpan')}
        value={span}
        options={replaySpans.map((value) => ({ value, label: t(`span.${value}`) }))}
        onChange={setSpan}
      />
      <Button icon={<StepBackwardOutlined />} aria-label={t('pictures.back')} onClick={() => go(at - step)} />
      <Button
        type="primary"
        icon={isPlaying ? <PauseOutlined /> : <CaretRightOutlined />}
        aria-label={t(isPlaying ? 'pictures.pause' : 'pictures.play')}
        loading={!past && !of.error}
        onClick={() => {
          if (at >= range.end) go(range.start)
          play(!isPlaying)
        }}
      />
      <Button icon={<StepForwardOutlined />} aria-label={t('pictures.forward')} onClick={() => go(at + step)} />
      <div className="replay-line">
        <Slider
          min={range.start}
          max={range.end}
          step={step}
          value={at}
          tooltip={{ formatter: (value) => timeText(value ?? at) }}
          ariaLabelForHandle={t('pictures.time')}
          onChange={go}
        />
        <Marks of={of} />
      </div>
      <time className="figures">{timeText(at)}</time>
      {past && <span className="soft">{t('pictures.pastAlarms', { count: past.Alarms.length })}</span>}
      <Button onClick={close}>{t('pictures.live')}</Button>
      {of.error && <p role="alert">{of.error.message}</p>}
    </section>
  )
}
