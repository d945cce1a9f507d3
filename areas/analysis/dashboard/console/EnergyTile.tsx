import { useCall } from '../../../../console/kernel/api.ts'
import { costText, numberText } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
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
  const name = t('dashboard.energy')
  const notes = [
    {
      key: 'events',
      is: 'warning' as const,
      count: OpenEvents,
      word: t('dashboard.meterEvents', { count: OpenEvents }),
      to: '/dataAnalysis/dataStatus',
    },
  ]
  return (
    <Tile to="/energyManagement/energyOverView" name={name} count={text(TodayEnergy)} notes={notes}>
      {t('dashboard.energyMonth', { amount: month })}
    </Tile>
  )
}
export default EnergyTile
