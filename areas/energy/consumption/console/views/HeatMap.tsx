import { lengthOf } from '../../../../../console/chart/calendarSpans.ts'
import { none } from '../../../../../console/words/formats.ts'
import { weekdays, weekdayText } from '../../../../../console/words/weekdays.ts'
import { useWords } from '../../../../../console/words/words.ts'
import type { Cell } from '../../../../../contract/cell.ts'
import { dayNumber, dayOf } from '../../../../../contract/days.ts'
import { ChartPanel } from '../../../../analysis/data-analysis/console/charts/ChartPanel.tsx'
import { paintGrid } from '../../../../analysis/reports/maps.ts'
import { energyText, powerUnit } from '../amounts.ts'
import type { Energy } from '../useEnergy.ts'
import { Answered } from './Answered.tsx'
import { useChart } from './useChart.ts'

const hours = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'))

/** Mean power of each hour of the week. */
export const HeatMap = ({ energy: { period, circuit } }: { energy: Energy }) => {
  const t = useWords()
  const { from, to } = period.days
  // Hours of today that are yet to come would make those of its weekday look small.
  const days = to === period.today && from < to ? { from, to: dayOf(dayNumber(to) - 1) } : { from, to }
  const answer = useChart(circuit?.EnergyInfoId, days, 'weekday-hour')
  const rows = weekdays.map((weekday) => weekdayText(weekday))
  const times = rows.map(
    (_, r) => Array.from({ length: lengthOf(days) }, (__, i) => (dayNumber(from) + i + 3) % 7).filter((weekday) => weekday === r).length,
  )
  return (
    <Answered of={answer}>
      {({ Series: { Parts, Unit, EnergyName } }) => {
        const unit = powerUnit(Unit)
        const at = new Map(Parts.map((part) => [part.Start, part.Energy]))
        const value = (r: number, c: number) => {
          const energy = at.get(24 * r + c)
          return energy == null || !times[r] ? null : energy / times[r]!
        }
        const title = (r: number, c: number) => `${rows[r]} ${hours[c]}:00 · ${value(r, c) === null ? none : energyText(value(r, c), unit)}`
        const cells = rows.map((_, r) => hours.map((__, c) => ({ value: value(r, c), title: title(r, c) })))
        return (
          <ChartPanel
            title={`${EnergyName} · ${t('energy.load.title', { unit })}`}
            height={260}
            paint={(look) => paintGrid({ rows, columns: hours, cells }, look)}
            table={[['', ...hours], ...rows.map((row, r): Cell[] => [row, ...hours.map((_, c) => value(r, c) ?? '')])]}
            help={t('energy.heat.help')}
          />
        )
      }}
    </Answered>
  )
}
