import { useMemo } from 'react'
import { useCall } from '../../../../../console/kernel/api.ts'
import { EmptyList } from '../../../../../console/kernel/Empty.tsx'
import { useWords } from '../../../../../console/words/words.ts'
import { comparison, energyCalls, mostCompared } from '../../contract.ts'
import { CircuitsChoice, EnergyPage } from '../EnergyPage.tsx'
import { divisionOf, partText } from '../parts.ts'
import { sources, useEnergy } from '../useEnergy.ts'
import { Answered } from '../views/Answered.tsx'
import { Compared } from './Compared.tsx'

/** Two to six circuits beside each other. */
const Circuits = () => {
  const t = useWords()
  const energy = useEnergy()
  const { address, put, period, here } = energy
  const { days } = period
  const text = address.get('circuits')
  const ids = useMemo(() => {
    const known = new Set(here.map(({ EnergyInfoId }) => EnergyInfoId))
    if (text !== null)
      return text
        .split(',')
        .map(Number)
        .filter((id) => known.has(id))
        .slice(0, mostCompared)
    // To begin with: parts of the first kind, such as the boards below the main meter.
    const kind = Math.min(...here.map(({ EnergyType }) => EnergyType))
    const same = here.filter(({ EnergyType, ParentId }) => EnergyType === kind && ParentId !== null)
    return same.slice(0, 3).map(({ EnergyInfoId }) => EnergyInfoId)
  }, [text, here])
  const by = divisionOf(days)
  const answer = useCall(energyCalls.compare, {
    body: { EnergyInfoIds: ids, Ranges: [{ DateFrom: days.from, DateTo: days.to }], Division: by },
    of: sources,
    enabled: ids.length > 1,
  })
  return (
    <EnergyPage
      code={comparison}
      energy={energy}
      oneKind={false}
      tools={
        <CircuitsChoice
          of={here}
          value={ids}
          choose={(next) => put({ circuits: next.join() || '0' })}
          most={mostCompared}
          label={t('energy.compare.choose', { most: mostCompared })}
        />
      }
    >
      {ids.length < 2 ? (
        <EmptyList text={t('energy.compare.two')} />
      ) : (
        <Answered of={answer}>
          {({ Items, Currency, Zone }) => (
            <Compared
              title={t('energy.compare.circuits')}
              items={Items}
              currency={Currency}
              nameOf={({ EnergyName }) => EnergyName}
              labels={(Items[0]?.Parts ?? []).map(({ Start }) => partText(Start, by, Zone))}
              head={t('explore.period')}
            />
          )}
        </Answered>
      )}
    </EnergyPage>
  )
}
export default Circuits
