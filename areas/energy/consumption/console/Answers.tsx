import type { ReactNode } from 'react'
import { useCall } from '../../../../console/kernel/api.ts'
import { none } from '../../../../console/words/formats.ts'
import { useWords } from '../../../../console/words/words.ts'
import { dayNumber, dayOf } from '../../../../contract/days.ts'
import { energyCalls, type KindMonth } from '../contract.ts'
import { changeText, costText, energyText, signed } from './amounts.ts'
import { MadeOf } from './MadeOf.tsx'
import { type Energy, freshMs, sources } from './useEnergy.ts'

type AnswerProps = { label: string; value: ReactNode; note?: ReactNode; children?: ReactNode }
const Answer = ({ label, value, note, children }: AnswerProps) => (
  <section className="energy-answer" aria-label={label}>
    <span className="soft">{label}</span>
    <strong>{value}</strong>
    {children}
    <span className="soft figures">{note}</span>
  </section>
)

const withMoney = (energy: string, cost: number | null | undefined, currency: string | null | undefined) => (
  <>
    {energy}
    {cost != null && <small> {costText(cost, currency)}</small>}
  </>
)

/** What yesterday came to; a click shows it. */
const Yesterday = ({ energy: { period, projectId, kind } }: { energy: Energy }) => {
  const t = useWords()
  const day = dayOf(dayNumber(period.today) - 1)
  const { data } = useCall(energyCalls.ranking, {
    query: {
      DateFrom: day,
      DateTo: day,
      RankBy: 'project',
      ...(projectId ? { ProjectId: projectId } : {}),
      ...(kind ? { EnergyType: kind } : {}),
    },
    of: sources,
  })
  const item = data?.Items[0]
  if (!item) return null
  const text = [energyText(item.Energy, item.Unit), ...(item.Cost != null ? [costText(item.Cost, data.Currency)] : [])].join(' · ')
  return (
    <button type="button" className="plain" onClick={() => period.set(day)}>
      {t('energy.yesterday', { amount: text })}
    </button>
  )
}

type MonthProps = { of: KindMonth; currency: string | null | undefined; energy: Energy }
/** Money against last year; without the right to see money, energy. */
const AgainstLastYear = ({ of: { Month, LastYear, LastYearCost, Unit }, currency }: MonthProps) => {
  const t = useWords()
  const hasCost = Month.Cost != null && LastYearCost != null
  const [now, before] = hasCost ? [Month.Cost, LastYearCost] : [Month.Energy, LastYear]
  const textOf = (value: number | null | undefined) => (hasCost ? costText(value, currency) : energyText(value, Unit))
  const label = t(hasCost ? 'energy.moneyLastYear' : 'energy.energyLastYear')
  if (now == null || before == null) return <Answer label={label} value={none} note={t('energy.noLastYear')} />
  return (
    <Answer
      label={label}
      value={
        <>
          {signed(textOf(now - before), now - before)}
          <small> {changeText(now, before)}</small>
        </>
      }
      note={t('energy.lastYear', { now: textOf(now), before: textOf(before) })}
    />
  )
}

/** Below this coverage, percent, there is no forecast for the month. */
const enough = 90

/** The three questions of every morning: today, this month, and against last year. */
export const Answers = ({ energy }: { energy: Energy }) => {
  const t = useWords()
  const { projectId, kind, period } = energy
  const { data } = useCall(energyCalls.monthStatistics, {
    query: projectId ? { ProjectId: projectId } : {},
    of: sources,
    enabled: projectId !== undefined,
    refetchInterval: freshMs,
  })
  const of = data?.Kinds.find(({ EnergyType }) => EnergyType === kind)
  if (!data || !of) return null
  const { Today, Month, Forecast, ForecastCost, Unit, Kgco2e } = of
  const { Currency } = data
  const forecast = [energyText(Forecast, Unit), ...(ForecastCost != null ? [costText(ForecastCost, Currency)] : [])].join(' · ')
  const shown = { of, currency: Currency, energy }
  return (
    <div className="energy-answers">
      <Answer
        label={t('energy.today')}
        value={withMoney(energyText(Today.Energy, Unit), Today.Cost, Currency)}
        note={<Yesterday energy={energy} />}
      >
        <MadeOf of={{ name: t('energy.today'), figure: Today, from: period.today, to: period.today }} />
      </Answer>
      <Answer
        label={t('energy.month')}
        value={withMoney(energyText(Month.Energy, Unit), Month.Cost, Currency)}
        note={
          <>
            {Forecast === null || Month.Known < enough ? t('energy.noForecast') : t('energy.forecast', { amount: forecast })}
            {Kgco2e !== null && ` · ${energyText(Kgco2e, 'kg CO₂')}`}
          </>
        }
      >
        <MadeOf of={{ name: t('energy.month'), figure: Month, from: `${data.Month}-01`, to: period.today }} />
      </Answer>
      <AgainstLastYear {...shown} />
    </div>
  )
}
