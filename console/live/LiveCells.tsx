import { Tooltip } from 'antd'
import type { ParaInfo } from '../../contract/telemetry.ts'
import { Shape, State } from '../theme/State.tsx'
import { ageText, none, timeText, userZone } from '../words/formats.ts'
import { language, useWords } from '../words/words.ts'
import { useNow } from './clock.ts'
import { useLatest } from './points.ts'
import { readingOf } from './reading.ts'
import { valueText } from './valueText.ts'

type Props = { point: ParaInfo }

/** The newest value with its unit; beyond a limit with shape and colour, stale in grey with its age. */
export const LiveValue = ({ point }: Props) => {
  const t = useWords()
  const now = useNow()
  const latest = useLatest(point.ParaId)
  const { is, word } = readingOf(point, latest, now)
  return (
    <span className={`value state-${is}`}>
      <Shape is={is} label={t(`reading.${word}`)} />{' '}
      <span key={latest?.Value} className="value-tint">
        {valueText(latest?.Value, point, t)}
      </span>
      {latest && latest.Value !== null && point.ParaUnitName && <span className="unit"> {point.ParaUnitName}</span>}
    </span>
  )
}

/** What the value is worth, in a word. */
export const LiveState = ({ point }: Props) => {
  const t = useWords()
  const now = useNow()
  const { is, word } = readingOf(point, useLatest(point.ParaId), now)
  return word === 'good' ? <span className="soft">{t('reading.good')}</span> : <State is={is}>{t(`reading.${word}`)}</State>
}

/** How old the value is; the moment on hover. */
export const LiveAge = ({ point }: Props) => {
  const now = useNow()
  const latest = useLatest(point.ParaId)
  if (!latest) return <span className="faint">{none}</span>
  const stale = readingOf(point, latest, now).word === 'stale'
  return (
    <Tooltip title={`${timeText(latest.Time)} (${userZone()})`}>
      <span className={`figures ${stale ? 'value-stale' : 'soft'}`}>{ageText(now - latest.Time, language())}</span>
    </Tooltip>
  )
}
