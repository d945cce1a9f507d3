import { lazy, Suspense } from 'react'
import { useSize } from '../../../../../console/chart/useSize.ts'
import { EmptyList } from '../../../../../console/kernel/Empty.tsx'
import { To } from '../../../../../console/shell/To.tsx'
import { Waiting } from '../../../../../console/shell/Waiting.tsx'
import { State } from '../../../../../console/theme/State.tsx'
import { usePhone } from '../../../../../console/theme/useWidth.ts'
import { useWords } from '../../../../../console/words/words.ts'
import type { FlowRow } from '../../contract.ts'
import { AmountRows } from '../AmountRows.tsx'
import { costText, energyText, percentText } from '../amounts.ts'
import { MadeLegend, MadeOf } from '../MadeOf.tsx'
import { type Band, bandsOf, exceeded, treeOf, wayTo, withoutAmount } from './bands.ts'

const Sankey = lazy(() => import('./Sankey.tsx').then(({ Sankey }) => ({ default: Sankey })))

type Props = {
  rows: readonly FlowRow[]
  currency: string | null | undefined
  node: number | undefined
  choose: (id: number | undefined) => void
  days: { from: string; to: string }
}

/** Where the energy of the site goes. A click leads down, the way above leads up again. */
export const Flow = ({ rows, currency, node, choose, days }: Props) => {
  const t = useWords()
  const phone = usePhone()
  const [box, width] = useSize()
  const tree = treeOf(rows)
  const way = wayTo(tree, node)
  // A circuit with nothing below it is shown with its neighbours.
  const from = (node !== undefined && tree.below.has(node) ? node : way.at(-2)?.EnergyInfoId) ?? undefined
  const bands = bandsOf(tree, from)
  const nameOf = ({ kind, row, count }: Band) => (kind === 'circuit' ? row!.EnergyName : t(`energy.flow.${kind}`, { count: count ?? 0 }))
  const unitOf = (band: Band, parent?: Band) => band.row?.Unit ?? parent?.row?.Unit ?? ''
  const textOf = (band: Band, parent?: Band) => {
    const share = parent && parent.value > 0 ? percentText((100 * band.value) / parent.value) : undefined
    const cost = band.kind === 'circuit' && band.row?.Cost != null ? costText(band.row.Cost, currency) : undefined
    return [energyText(band.value, unitOf(band, parent)), share, cost].filter(Boolean).join(' · ')
  }
  // A single circuit at the top is the total, so the level below is shown.
  const [only] = from !== undefined || bands.length === 1 ? bands : []
  const shown = (only?.parts.length ? only.parts : bands).map((band) => ({ band, parent: only?.parts.length ? only : undefined }))
  const silent = withoutAmount(tree, from)
  const top = from === undefined && !phone ? undefined : only?.row
  return (
    <section className="panel energy-flow" aria-label={t('energy.flow')}>
      <nav className="flow-way" aria-label={t('energy.flow.way')}>
        <button type="button" onClick={() => choose(undefined)} disabled={!way.length}>
          {t('energy.flow.site')}
        </button>
        {way.map(({ EnergyInfoId, EnergyName }) => (
          <span key={EnergyInfoId}>
            <span aria-hidden="true"> › </span>
            <button type="button" onClick={() => choose(EnergyInfoId)} disabled={EnergyInfoId === node}>
              {EnergyName}
            </button>
          </span>
        ))}
      </nav>
      {top && (
        <div className="flow-top">
          <span className="figures">
            <strong>{energyText(top.Energy, top.Unit)}</strong> {top.Cost != null && costText(top.Cost, currency)}
          </span>
          <MadeOf of={{ name: top.EnergyName, figure: top, circuit: top.EnergyInfoId, ...days }} />
        </div>
      )}
      {!bands.length ? (
        <EmptyList text={t('energy.flow.nothing')} />
      ) : phone ? (
        <AmountRows
          label={t('energy.flow')}
          rows={shown.map(({ band, parent }) => ({
            ...{ key: band.key, name: nameOf(band), value: band.value, hatched: band.kind !== 'circuit' },
            text: energyText(band.value, unitOf(band, parent)),
            note: parent && percentText((100 * band.value) / parent.value),
            isChosen: band.kind === 'circuit' && band.row?.EnergyInfoId === node,
            ...(band.kind === 'circuit' && band.row
              ? {
                  asked: { name: band.row.EnergyName, figure: band.row, circuit: band.row.EnergyInfoId, ...days },
                  choose: () => choose(band.row!.EnergyInfoId),
                }
              : {}),
          }))}
        />
      ) : (
        <div ref={box} className="flow-box">
          {width > 0 && (
            <Suspense fallback={<Waiting />}>
              <Sankey bands={bands} width={width} label={t('energy.flow')} nameOf={nameOf} textOf={textOf} chosen={node} choose={choose} />
            </Suspense>
          )}
        </div>
      )}
      {exceeded(bands).map((row) => (
        <p key={row.EnergyInfoId}>
          <State is="warning">{t('energy.flow.exceeded', { name: row.EnergyName, amount: energyText(-(row.Rest ?? 0), row.Unit) })}</State>
        </p>
      ))}
      {silent.length > 0 && (
        <p className="soft">
          {t('energy.flow.silent')}{' '}
          {silent.slice(0, 12).map(({ EnergyInfoId, EnergyName }, i) => (
            <span key={EnergyInfoId}>
              {i > 0 && ', '}
              <To to={`/energyManagement/energyCircuit?node=${EnergyInfoId}`}>{EnergyName}</To>
            </span>
          ))}
        </p>
      )}
      <MadeLegend />
    </section>
  )
}
