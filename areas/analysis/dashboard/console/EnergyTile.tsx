import { useCall } from '../../../../console/kernel/api.ts'
import { costText, dayText, numberText, wallToEpoch } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { dayNumber, dayOf } from '../../../../contract/days.ts'
import { energyCalls } from '../../../energy/consumption/contract.ts'
import { Tile } from './Tile.tsx'

/** Electricity of today and of the month, and meter events that wait for an answer. */
const EnergyTile = () => {
  const t = useWords()
  const { data } = useCall(energyCalls.staticEnergy, { of: ['energyInfo', 'point'], refetchInterval: 60_000 })
  if (!data || data.MonthEnergy === null) return null
  const { Unit, TodayEnergy, MonthEnergy, MonthCost, Currency, OpenEvents } = data
  const text = (energy: number | null) => `${numberText(energy, 0, language())} ${Unit}`
  const month = MonthCost == null ? text(MonthEnergy) : `${text(MonthEnergy)} · ${costText(MonthCost, Currency, language())}`
  const today = dayText(Date.now())
  const [from, to] = [`${today.slice(0, 7)}-01`, dayOf(dayNumber(today) + 1)].map((day) => wallToEpoch(`${day} 00:00:00`))
  const name = t('dashboard.energy')
  const notes = [
    {
      key: 'events',
      is: 'warning' as const,
      count: OpenEvents,
      word: t('dashboard.meterEvents', { count: OpenEvents }),
      to: `/dataAnalysis/dataStatus?from=${from}&to=${to}`,
    },
  ]
  return (
    <Tile to="/energyManagement/energyOverView" name={name} count={text(TodayEnergy)} notes={notes}>
      {t('dashboard.energyMonth', { amount: month })}
    </Tile>
  )
}
export default EnergyTile
