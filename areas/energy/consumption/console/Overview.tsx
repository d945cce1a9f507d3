import { useCall } from '../../../../console/kernel/api.ts'
import { useMay } from '../../../../console/session/session.ts'
import { To } from '../../../../console/shell/To.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { energyCalls, type FlowRow, overview, report } from '../contract.ts'
import { Answers } from './Answers.tsx'
import { Choose, CircuitChoice, EnergyPage } from './EnergyPage.tsx'
import { Flow } from './flow/Flow.tsx'
import { Hints } from './Hints.tsx'
import { type Energy, freshMs, sources, useEnergy } from './useEnergy.ts'
import { Answered } from './views/Answered.tsx'
import { ByLevel } from './views/ByLevel.tsx'
import { HeatMap } from './views/HeatMap.tsx'
import { LoadCurve } from './views/LoadCurve.tsx'
import { OverTime } from './views/OverTime.tsx'
import { Ranking } from './views/Ranking.tsx'

const views = ['flow', 'time', 'levels', 'load', 'ranking', 'heat'] as const
type View = (typeof views)[number]

const FlowView = ({ energy: { period, projectId, kind, node, put } }: { energy: Energy }) => {
  const { days } = period
  const answer = useCall(energyCalls.list, {
    query: {
      ...{ DateFrom: days.from, DateTo: days.to, PageIndex: 1, PageSize: 1000 },
      ...(projectId ? { ProjectId: projectId } : {}),
      ...(kind ? { EnergyType: kind } : {}),
    },
    of: sources,
    enabled: projectId !== undefined,
    refetchInterval: freshMs,
  })
  return (
    <Answered of={answer}>
      {({ Items, Currency }) => (
        <Flow rows={Items as FlowRow[]} currency={Currency} node={node?.EnergyInfoId} choose={(id) => put({ node: id })} days={days} />
      )}
    </Answered>
  )
}

const shown: Record<View, (props: { energy: Energy }) => React.ReactNode> = {
  ...{ flow: FlowView, time: OverTime, levels: ByLevel, load: LoadCurve, ranking: Ranking, heat: HeatMap },
}

/** Where energy and money go: three answers, the flow, and the ways to look closer. */
const Overview = () => {
  const t = useWords()
  const energy = useEnergy()
  const mayReport = useMay(report)
  const view = views.find((one) => one === energy.address.get('view')) ?? 'flow'
  const Shown = shown[view]
  return (
    <EnergyPage
      code={overview}
      energy={energy}
      actions={mayReport && <To to={`/energyManagement/energyReport?of=${energy.period.of}`}>{t(`menu.${report}`)}</To>}
    >
      <Answers energy={energy} />
      <Hints energy={energy} />
      <div className="search-bar energy-views">
        <Choose<View>
          value={view}
          choose={(next) => energy.put({ view: next === 'flow' ? undefined : next })}
          options={views.map((value) => ({ value, label: t(`energy.view.${value}`) }))}
          label={t('energy.view')}
        />
        {view !== 'flow' && view !== 'ranking' && <CircuitChoice energy={energy} />}
      </div>
      <Shown energy={energy} />
    </EnergyPage>
  )
}
export default Overview
