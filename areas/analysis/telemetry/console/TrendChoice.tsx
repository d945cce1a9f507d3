import { Button, DatePicker, Segmented, Select } from 'antd'
import { type Range, spans } from '../../../../console/chart/ranges.ts'
import type { useTrendView } from '../../../../console/chart/trendView.ts'
import { usePhone } from '../../../../console/theme/useWidth.ts'
import { timeText, userZone, wallToEpoch } from '../../../../console/words/formats.ts'
import { useWords } from '../../../../console/words/words.ts'
import { mostPreselected } from '../../../../contract/point-rules.ts'

/** Points in one chart (specification, section 9). */
export const most = mostPreselected

const shortTime = (at: number) => timeText(at).slice(0, 16)
/** Leaves out the day if it is today. */
const momentText = (at: number, now: number) =>
  shortTime(at).slice(0, 10) === shortTime(now).slice(0, 10) ? shortTime(at).slice(11) : shortTime(at)

type RangeProps = { view: ReturnType<typeof useTrendView>; since: number | undefined }

/** The time that is drawn: until now, or from there to there. */
export const TrendRange = ({ view: { range, live, span, show, follow, goBack }, since }: RangeProps) => {
  const t = useWords()
  const phone = usePhone()
  const options = Object.keys(spans).map((value) => ({ value, label: t(`span.${value}`) }))
  const wall = (text: unknown) => wallToEpoch(String(text))
  const chosen = ({ start, end }: Range) => `${shortTime(start)} – ${shortTime(end)}`
  const said = !live ? chosen(range) : since ? t('trend.since', { time: momentText(since, range.end) }) : t('trend.live')
  return (
    <div className="search-bar">
      {phone ? (
        <Select value={span ?? ''} onChange={follow} options={options} aria-label={t('trend.range')} style={{ width: 140 }} />
      ) : (
        <Segmented<string> value={span ?? ''} onChange={follow} options={options} aria-label={t('trend.range')} />
      )}
      {!phone && (
        <DatePicker.RangePicker
          showTime={{ format: 'HH:mm' }}
          format="YYYY-MM-DD HH:mm"
          allowClear={false}
          // Tab leaves an empty field only where it may stay empty.
          allowEmpty={[true, true]}
          onChange={(dates) => {
            const [from, to] = (dates ?? []).map((d) => wall(d?.format('YYYY-MM-DD HH:mm:00')))
            if (from && to) show({ start: from, end: to })
          }}
        />
      )}
      {!live && (
        <Button type="link" onClick={goBack}>
          {t('trend.back')}
        </Button>
      )}
      <span className="soft figures trend-span">
        {said} · {userZone()}
      </span>
    </div>
  )
}
