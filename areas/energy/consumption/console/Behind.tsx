import { Link } from 'react-router'
import { Plot } from '../../../../console/chart/Plot.tsx'
import { usePointCurves } from '../../../../console/chart/usePointCurves.ts'
import { useSize } from '../../../../console/chart/useSize.ts'
import { useRow, useRows } from '../../../../console/kernel/api.ts'
import { useMay } from '../../../../console/session/session.ts'
import { SidePanel } from '../../../../console/shell/SidePanel.tsx'
import { Facts } from '../../../../console/theme/Facts.tsx'
import { State } from '../../../../console/theme/State.tsx'
import { wallToEpoch } from '../../../../console/words/formats.ts'
import { useWords } from '../../../../console/words/words.ts'
import { MeterEventsIn } from '../../../analysis/data-analysis/console/status/MeterEvents.tsx'
import { energyInfo, energySource, fromEntries, fromFormula } from '../../circuits/contract.ts'
import { energyInfoData } from '../../manual-readings/contract.ts'
import { amountText, percentText, signed } from './amounts.ts'
import { eventsAt, spanOfDays } from './eventsAt.ts'
import { type Asked, qualities } from './MadeOf.tsx'

const noLimits = () => undefined
type Between = { start: number; end: number }

/** The readings of the meters of a circuit, as they came. */
const Curves = ({ points, range }: { points: number[]; range: Between }) => {
  const t = useWords()
  const [box, width] = useSize()
  const curves = usePointCurves(points, range, width || 480, noLimits)
  return (
    <>
      <div ref={box} className="behind-plot">
        {curves && width > 0 && <Plot points={curves.points} lines={curves.lines} range={range} width={width} height={240} />}
      </div>
      <Link to={`/dataAnalysis/realTimeData?points=${points.join()}&from=${range.start}&to=${range.end}`}>{t('energy.behind.trend')}</Link>
    </>
  )
}

type MetersProps = { circuit: number; range: Between; answered: () => void }
const Meters = ({ circuit, range, answered }: MetersProps) => {
  const t = useWords()
  const mayTrend = useMay('m10301')
  const { data } = useRows(energySource, { PageIndex: 1, PageSize: 100, EnergyInfoId: circuit, OrderColumn: 'From', OrderType: 'asc' })
  const all = data?.Items ?? []
  const counted = all.filter(({ ParaId, From }, i) => {
    const next = all[i + 1]?.From
    return ParaId && wallToEpoch(From) < range.end && (!next || wallToEpoch(next) > range.start)
  })
  const names = new Map(counted.map(({ ParaId, ParaName }) => [ParaId!, String(ParaName)]))
  if (!data) return null
  if (!names.size) return <p className="soft">{t('energy.behind.noMeter')}</p>
  if (!mayTrend) return <p className="soft">{t('energy.behind.noTrend')}</p>
  return (
    <>
      <Curves points={[...names.keys()]} range={range} />
      {[...names].map(([id, name]) => (
        <MeterEventsIn key={id} paraId={id} name={name} range={range} answered={answered} />
      ))}
    </>
  )
}

const Entries = ({ circuit, from, to }: { circuit: number; from: string; to: string }) => {
  const t = useWords()
  const { data } = useRows(energyInfoData, {
    ...{ PageIndex: 1, PageSize: 100, EnergyInfoId: circuit, OrderColumn: 'DataTime', OrderType: 'asc' },
    DataTime: `${from}~${to}`,
  })
  return (
    <>
      <Facts
        of={(data?.Items ?? []).map((row) => ({
          key: String(row.Id),
          label: `${String(row.DataTime).slice(0, 16)} · ${t(`energyInfoData.CycleType.${row.CycleType}`)}`,
          value: <span className="figures">{amountText(row.Value)}</span>,
        }))}
      />
      <Link to={`/energyManagement/energyAccount?of=${from.slice(0, 7)}`}>{t('menu.m10704')}</Link>
    </>
  )
}

/** What a circuit counts from: curves of its meters, what people entered, or its formula. */
type ReadingsProps = { circuit: number; from: string; to: string; answered: () => void }
const Readings = ({ circuit, from, to, answered }: ReadingsProps) => {
  const t = useWords()
  const { data } = useRow(energyInfo, circuit)
  if (!data) return null
  const range = spanOfDays(from, to)
  return (
    <section className="stack-tight">
      <h3>{t(`energyInfo.Source.${data.Source}`)}</h3>
      {data.Source === fromFormula ? (
        <code>{data.Formula}</code>
      ) : data.Source === fromEntries ? (
        <Entries circuit={circuit} from={from} to={to} />
      ) : (
        <Meters circuit={circuit} range={range} answered={answered} />
      )}
      <Link to={`/energyManagement/energyCircuit?ProjectId=${data.ProjectId}&node=${circuit}`}>{t('energy.behind.circuit')}</Link>
    </section>
  )
}

/** What a figure is made of, and the readings behind it. */
export const Behind = ({ of, project, close }: { of: Asked; project: number | undefined; close: () => void }) => {
  const t = useWords()
  const [mayCircuits, mayEvents] = [useMay('m10702'), useMay('m10328')]
  const { Shares, Known, OpenEvents, Unpriced, Late } = of.figure
  return (
    <SidePanel width={560} title={of.name} onClose={close} mask={{ closable: true }}>
      <div className="stack">
        <p className="soft figures">{of.from === of.to ? of.from : `${of.from} – ${of.to}`}</p>
        <Facts
          of={[
            ...qualities.map((name) => ({
              key: name,
              label: (
                <>
                  <span className={`made made-${name}`} aria-hidden="true" /> {t(`energy.quality.${name}`)}
                </>
              ),
              value: <span className="figures">{percentText(Shares?.[name], 1)}</span>,
            })),
            { key: 'known', label: t('energy.made.knownLabel'), value: <span className="figures">{percentText(Known, 1)}</span> },
            ...(Unpriced
              ? [{ key: 'unpriced', label: t('energy.unpriced'), value: <span className="figures">{amountText(Unpriced)}</span> }]
              : []),
            ...(Late
              ? [{ key: 'late', label: t('energy.late'), value: <span className="figures">{signed(amountText(Late), Late)}</span> }]
              : []),
          ]}
        />
        <p className="faint">{t('energy.made.explained')}</p>
        {OpenEvents > 0 && (
          <p>
            <State is="warning">
              {mayEvents ? (
                <Link to={eventsAt(project, of.from, of.to)}>{t('energy.made.events', { count: OpenEvents })}</Link>
              ) : (
                t('energy.made.events', { count: OpenEvents })
              )}
            </State>
          </p>
        )}
        {of.circuit !== undefined && mayCircuits && <Readings circuit={of.circuit} from={of.from} to={of.to} answered={close} />}
      </div>
    </SidePanel>
  )
}
