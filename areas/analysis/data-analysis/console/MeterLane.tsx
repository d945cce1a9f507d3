import { Popover } from 'antd'
import { namesOf } from '../../../../console/chart/names.ts'
import type { Range } from '../../../../console/chart/ranges.ts'
import { useCall } from '../../../../console/kernel/api.ts'
import { timeText } from '../../../../console/words/formats.ts'
import { useWords } from '../../../../console/words/words.ts'
import type { ParaInfo } from '../../../../contract/telemetry.ts'
import { analysisCalls, type Mark } from '../../telemetry/contract.ts'
import { readingText } from './figures.tsx'
import './strip.css'

/** Falls and steep rises of the counters among these points. */
export const useMeterMarks = (points: readonly ParaInfo[], range: Range): Mark[] => {
  const counters = points.filter((p) => p.CalDataType === 1)
  const { data } = useCall(analysisCalls.statistics, {
    query: { ParaIds: counters.map((p) => p.ParaId).join(), Start: Math.round(range.start), End: Math.round(range.end) },
    of: ['point'],
    enabled: counters.length > 0,
  })
  return counters.length ? (data?.Points.flatMap(({ Marks }) => Marks) ?? []) : []
}

type LaneProps = { marks: readonly Mark[]; points: readonly ParaInfo[]; range: Range }
/** Meter events on the time axis. Open ones are highlighted. */
export const MeterLane = ({ marks, points, range }: LaneProps) => {
  const t = useWords()
  const names = namesOf(points)
  const saidOf = ({ ParaId, Kind, Time, Before, After, Open }: Mark) =>
    [
      ...[timeText(Time), names[points.findIndex((p) => p.ParaId === ParaId)], t(`meter.mark.${Kind}`)],
      ...[`${readingText(Before)} → ${readingText(After)}`, Open ? t('meter.open') : ''],
    ]
      .filter(Boolean)
      .join(' · ')
  return (
    <section className="strip-lane" aria-label={t('meter.title')}>
      {marks.map((mark) => (
        <Popover
          key={`${mark.ParaId} ${mark.Time}`}
          trigger={['hover', 'click']}
          content={<div className="strip-said">{saidOf(mark)}</div>}
        >
          <span
            role="img"
            className={mark.Open ? 'strip-mark strip-alarm' : 'strip-mark'}
            aria-label={saidOf(mark)}
            style={{ insetInlineStart: `${(100 * (mark.Time - range.start)) / (range.end - range.start)}%` }}
          />
        </Popover>
      ))}
    </section>
  )
}
