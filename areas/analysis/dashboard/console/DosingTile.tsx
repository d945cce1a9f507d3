import { useCall } from '../../../../console/kernel/api.ts'
import { numberText } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { dosingCalls } from '../../../dosing/consumption/contract.ts'
import { Tile } from './Tile.tsx'

const path = '/drugManagement/medicineOverView'
/** The chemical that runs out first, with its band, and what is to be ordered or confirmed. */
const DosingTile = () => {
  const t = useWords()
  const { data } = useCall(dosingCalls.staticDrug, {
    of: ['drugInfo', 'drugInfoData', 'drugDelivery', 'mtnComponent', 'point'],
    refetchInterval: 60_000,
  })
  const first = data?.Items[0]
  if (!data || !first || first.DaysLeft === null) return null
  const days = (value: number) => numberText(Math.floor(value), 0, language())
  const notes = [
    { key: 'order', is: 'alarm' as const, count: data.OrderNow, word: t('dashboard.chemicalsOrder', { count: data.OrderNow }), to: path },
    {
      ...{ key: 'proposed', is: 'warning' as const, count: data.Proposed },
      ...{ word: t('dashboard.chemicalsProposed', { count: data.Proposed }), to: '/drugManagement/deliveries?Status=0' },
    },
  ]
  return (
    <Tile
      to={`${path}?ProjectId=${first.ProjectId}`}
      name={t('dashboard.chemicals')}
      count={t('dosing.days', { count: Math.floor(first.DaysLeft) })}
      notes={notes}
    >
      {first.DaysLow === null || first.DaysHigh === null
        ? first.DrugName
        : t('dashboard.chemicalFirst', { name: first.DrugName, low: days(first.DaysLow), high: days(first.DaysHigh) })}
    </Tile>
  )
}
export default DosingTile
