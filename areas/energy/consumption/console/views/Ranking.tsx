import { useCall } from '../../../../../console/kernel/api.ts'
import { EmptyList } from '../../../../../console/kernel/Empty.tsx'
import { useWords } from '../../../../../console/words/words.ts'
import { energyCalls, type RankBy, rankings } from '../../contract.ts'
import { AmountRows } from '../AmountRows.tsx'
import { costText, energyText, percentText } from '../amounts.ts'
import { Choose } from '../EnergyPage.tsx'
import { MadeLegend } from '../MadeOf.tsx'
import { type Energy, freshMs, sources } from '../useEnergy.ts'
import { Answered } from './Answered.tsx'

const nothing: Partial<Record<RankBy, string>> = { region: 'energy.noRegions', costCentre: 'energy.noCostCentres' }

/** Circuits, regions, projects or cost centres, the largest first. */
export const Ranking = ({ energy: { address, put, period, projectId, kind, isOneProject } }: { energy: Energy }) => {
  const t = useWords()
  const { days } = period
  const by = rankings.find((one) => one === address.get('by')) ?? 'circuit'
  const answer = useCall(energyCalls.ranking, {
    query: {
      ...{ DateFrom: days.from, DateTo: days.to, RankBy: by },
      ...(kind ? { EnergyType: kind } : {}),
      ...(by !== 'project' && projectId ? { ProjectId: projectId } : {}),
    },
    of: sources,
    refetchInterval: freshMs,
  })
  const offered = rankings.filter((value) => value !== 'project' || !isOneProject)
  return (
    <section className="panel chart-panel">
      <div className="chart-head">
        <h2>{t('energy.view.ranking')}</h2>
        <Choose<RankBy>
          value={by}
          choose={(next) => put({ by: next === 'circuit' ? undefined : next })}
          options={offered.map((value) => ({ value, label: t(`energy.rank.${value}`) }))}
          label={t('energy.rank')}
        />
      </div>
      <Answered of={answer}>
        {({ Items, Currency }) =>
          Items.length ? (
            <AmountRows
              label={t('energy.view.ranking')}
              rows={Items.map((item, i) => {
                const { RankId, Name, Energy, Unit, Cost, Share, PerArea } = item
                const isCircuit = by === 'circuit' && RankId !== null
                return {
                  ...{ key: `${RankId} ${i}`, name: Name, value: Energy, text: energyText(Energy, Unit) },
                  note: [
                    Share !== null && percentText(Share, 1),
                    Cost != null && costText(Cost, Currency),
                    PerArea !== null && `${energyText(PerArea, Unit)}/m²`,
                  ]
                    .filter(Boolean)
                    .join(' · '),
                  asked: { name: Name, figure: item, ...days, ...(isCircuit ? { circuit: RankId } : {}) },
                  choose: isCircuit ? () => put({ node: RankId, view: 'time' }) : undefined,
                }
              })}
            />
          ) : (
            <EmptyList text={t(nothing[by] ?? 'energy.flow.nothing')} />
          )
        }
      </Answered>
      <MadeLegend />
    </section>
  )
}
