import { Select } from 'antd'
import { calendarSpanOf, lengthOf } from '../../../../../console/chart/calendarSpans.ts'
import { useCall } from '../../../../../console/kernel/api.ts'
import { weekdays, weekdayText } from '../../../../../console/words/weekdays.ts'
import { useWords } from '../../../../../console/words/words.ts'
import { dayNumber } from '../../../../../contract/days.ts'
import { energyCalls, mostCompared, periods } from '../../contract.ts'
import { Choose, CircuitChoice, EnergyPage } from '../EnergyPage.tsx'
import { earlierOf, stepsBefore } from '../earlier.ts'
import { divisionOf, partText } from '../parts.ts'
import { sources, useEnergy } from '../useEnergy.ts'
import { Answered } from '../views/Answered.tsx'
import { Compared } from './Compared.tsx'

const aligns = ['date', 'weekday'] as const
type Align = (typeof aligns)[number]
const counts = Array.from({ length: mostCompared - 2 }, (_, i) => i + 1)

/** A circuit in this period, in those just before it and in that of last year. */
const Periods = () => {
  const t = useWords()
  const energy = useEnergy()
  const { address, put, period, circuit } = energy
  const { of, days } = period
  const count = counts.find((one) => one === Number(address.get('count'))) ?? 1
  const align: Align = aligns.find((one) => one === address.get('align')) ?? 'date'
  const lastYear = calendarSpanOf(of) === 'year' ? undefined : earlierOf(of, days, 'year')
  const all = [days, ...Array.from({ length: count }, (_, i) => stepsBefore(of, days, i + 1)), ...(lastYear ? [lastYear] : [])]
  const ranges = [...new Map(all.map((one) => [one.from, one])).values()].map(({ from, to }) => ({ DateFrom: from, DateTo: to }))
  const by = divisionOf(days)
  const answer = useCall(energyCalls.compare, {
    body: { EnergyInfoIds: [circuit?.EnergyInfoId ?? 0], Ranges: ranges, Align: align, Division: by },
    of: sources,
    enabled: circuit !== undefined,
  })
  const labelOf = (start: number, i: number, zone: string) => {
    if (by !== 'day' || lengthOf(days) > 7) return by === 'day' ? String(i + 1) : partText(start, by, zone)
    // 1 January 1970 was a Thursday; weekdays begin with Monday.
    return weekdayText(weekdays[(dayNumber(days.from) + i + 3) % 7]!)
  }
  return (
    <EnergyPage
      code={periods}
      energy={energy}
      tools={
        <>
          <CircuitChoice energy={energy} />
          <Select
            value={count}
            onChange={(next) => put({ count: next })}
            options={counts.map((value) => ({ value, label: t('energy.compare.before', { count: value }) }))}
            popupMatchSelectWidth={false}
            aria-label={t('energy.with')}
          />
          {lengthOf(days) > 1 && (
            <Choose<Align>
              value={align}
              choose={(next) => put({ align: next })}
              options={aligns.map((value) => ({ value, label: t(`energy.align.${value}`) }))}
              label={t('energy.align')}
            />
          )}
        </>
      }
    >
      <Answered of={answer}>
        {({ Items, Currency, Zone }) => (
          <Compared
            title={`${circuit?.EnergyName ?? ''} · ${t('energy.compare.periods')}`}
            items={Items}
            currency={Currency}
            nameOf={({ DateFrom, DateTo }) => (DateFrom === DateTo ? DateFrom : `${DateFrom} – ${DateTo}`)}
            labels={(Items[0]?.Parts ?? []).map(({ Start }, i) => labelOf(Start, i, Zone))}
            head={t('explore.period')}
          />
        )}
      </Answered>
    </EnergyPage>
  )
}
export default Periods
