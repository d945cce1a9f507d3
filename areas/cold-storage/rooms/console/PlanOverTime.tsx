import { Slider } from 'antd'
import { useMemo, useState } from 'react'
import { Facts } from '../../../../console/theme/Facts.tsx'
import { none, numberText, timeText } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { svgText } from '../../../../contract/picture/tree.ts'
import type { PlanCourse } from '../calls.ts'
import { colourOf, planOf } from '../plan.ts'
import './cold.css'

const degrees = (value: number | null) => (value === null ? none : `${numberText(value, 1, language())} °C`)

/** The latest time with a known value. */
const lastKnown = ({ Points }: PlanCourse) => Math.max(0, ...Points.map(({ Values }) => Values.findLastIndex((value) => value !== null)))

/** Floor plan with points coloured by temperature at the time selected by a slider. The colour scale is fixed over time. */
export const PlanOverTime = ({ of }: { of: PlanCourse }) => {
  const t = useWords()
  const [chosen, choose] = useState<number>()
  const at = chosen ?? lastKnown(of)
  const { Start, Step, Points } = of
  const known = useMemo(() => Points.flatMap(({ Values }) => Values.filter((value) => value !== null)), [Points])
  const [low, high] = useMemo(
    () => known.reduce(([least, most], value) => [Math.min(least, value), Math.max(most, value)], [Infinity, -Infinity]),
    [known],
  )
  const moment = timeText(Start + at * Step)
  const now = Points.map((point) => ({ ...point, Value: point.Values[at] ?? null }))
  const drawn = planOf(
    now.map(({ SensorName, X, Y, Value }) => ({ Name: SensorName, X, Y, Value, Text: degrees(Value) })),
    [low, high],
  )
  if (!drawn || !known.length) return <p className="soft">{t('cold.plan.none')}</p>
  const between = { low: degrees(low), high: degrees(high) }
  return (
    <section className="cold-plan" aria-label={t('cold.plan')}>
      <div className="cold-plan-time">
        <Slider
          min={0}
          max={Math.max(...Points.map(({ Values }) => Values.length)) - 1}
          value={at}
          tooltip={{ open: false }}
          ariaLabelForHandle={t('cold.plan.moment')}
          ariaValueTextFormatterForHandle={(value) => timeText(Start + value * Step)}
          onChange={choose}
        />
        <time className="figures">{moment}</time>
      </div>
      <img src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(drawn))}`} alt={t('cold.plan.at', { moment })} />
      <p className="soft cold-plan-scale">
        {[low, (low + high) / 2, high].map((value, i) => (
          <span key={i} className="cold-plan-colour" style={{ background: colourOf(value, low, high) }} />
        ))}
        {t('cold.plan.scale', between)}
      </p>
      <Facts
        of={now.map(({ SensorBindId, SensorName, Value }) => ({ key: `${SensorBindId}`, label: SensorName, value: degrees(Value) }))}
      />
    </section>
  )
}
