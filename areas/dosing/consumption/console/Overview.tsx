import { PeriodPicker } from '../../../../console/chart/PeriodPicker.tsx'
import { useCall } from '../../../../console/kernel/api.ts'
import { EmptyList } from '../../../../console/kernel/Empty.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { useGo } from '../../../../console/shell/To.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { Answered } from '../../../energy/consumption/console/views/Answered.tsx'
import { dosingCalls, overview } from '../contract.ts'
import { DoseChart } from './DoseChart.tsx'
import { DosingPage } from './DosingPage.tsx'
import { StockCards } from './StockCards.tsx'
import { StockFacts } from './StockFacts.tsx'
import { freshMs, sources, useDosing } from './useDosing.ts'

/** How long each chemical lasts, the first to run out first; below it, what was dosed of the chosen one. */
const Overview = () => {
  const t = useWords()
  const go = useGo()
  const mayAdd = useMay('m10722.add')
  const dosing = useDosing()
  const { address, projectId, put, of, set, today } = dosing
  const answer = useCall(dosingCalls.statistics, {
    query: projectId ? { ProjectId: projectId } : {},
    of: sources,
    enabled: dosing.isReady,
    refetchInterval: freshMs,
  })
  return (
    <DosingPage code={overview} dosing={dosing} period={false}>
      <Answered of={answer}>
        {({ Items, Currency }) => {
          const chosen = Items.find(({ DrugInfoId }) => DrugInfoId === Number(address.get('node'))) ?? Items[0]
          if (!chosen)
            return (
              <EmptyList
                text={t('empty.drugInfo')}
                action={mayAdd && { label: t('menu.m10722'), run: () => go('/drugManagement/drugRecord') }}
              />
            )
          return (
            <div className="stack">
              <StockCards of={Items} chosen={chosen.DrugInfoId} choose={(node) => put({ node })} />
              <StockFacts of={chosen} currency={Currency} />
              <div className="search-bar">
                <PeriodPicker of={of} spans={['day', 'week', 'month', 'year', 'range']} today={today} set={set} />
              </div>
              <DoseChart id={chosen.DrugInfoId} days={dosing.days} />
            </div>
          )
        }}
      </Answered>
    </DosingPage>
  )
}
export default Overview
