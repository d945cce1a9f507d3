import { Table } from 'antd'
import { type CalendarSpan, daysOf } from '../../../../console/chart/calendarSpans.ts'
import { PeriodPicker } from '../../../../console/chart/PeriodPicker.tsx'
import { type Shown, useCall } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { useAddress } from '../../../../console/shell/useAddress.ts'
import { dayText, none, numberText, wallToEpoch } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { dayNumber, dayOf } from '../../../../contract/days.ts'
import type { coldStorage } from '../../rooms/contract.ts'
import { coldEnergyCalls, phaseTypes } from '../contract.ts'
import './energy.css'

const number = (value: number | null, digits: number) => (
  <span className="figures">{value === null ? none : numberText(value, digits, language())}</span>
)
const spans: readonly CalendarSpan[] = ['day', 'week', 'month']
const changed = ['coldCircuit', 'energyInfo', 'coldSensorBind', 'electricityPriceStandard']
type Row = { key: string; name: string; cells: [value: number | null, digits: number][] }

const Figures = ({ title, columns, rows }: { title: string; columns: readonly string[]; rows: readonly Row[] }) => (
  <section className="panel cold-energy">
    <h2>{title}</h2>
    <Table
      size="small"
      rowKey="key"
      pagination={false}
      dataSource={[...rows]}
      columns={[
        { key: 'name', title: columns[0], render: (_, row) => row.name },
        ...columns.slice(1).map((name, i) => ({
          ...{ key: name, title: name, align: 'right' as const },
          render: (_: unknown, row: Row) => number(...row.cells[i]!),
        })),
      ]}
    />
  </section>
)

type Asked = { ColdStorageId: number; Start: number; End: number }
const ByType = ({ asked }: { asked: Asked }) => {
  const t = useWords()
  const { data, error, refetch } = useCall(coldEnergyCalls.types, { query: asked, of: changed })
  if (error) return <Failure fault={error} retry={() => refetch()} />
  const rows = (data?.Items ?? []).map(({ EnergyUse, Energy, Percent, PerVolumeDay }) => ({
    ...{ key: String(EnergyUse), name: t(`cold.energy.use.${EnergyUse}`) },
    cells: [
      [Energy, 1],
      [Percent, 1],
      [PerVolumeDay, 3],
    ] as Row['cells'],
  }))
  return <Figures title={t('cold.energy.types')} columns={[t('coldCircuit.Use'), 'kWh', '%', t('cold.energy.perVolume')]} rows={rows} />
}

const ByPhase = ({ asked, type }: { asked: Asked; type: 1 | 2 | 3 }) => {
  const t = useWords()
  const { data } = useCall(coldEnergyCalls.phases, { query: { ...asked, PhaseType: type }, of: changed })
  const rows = (data?.Items ?? []).map(({ Phase, Minutes, Energy }) => ({
    ...{
      key: String(Phase),
      name: type === 3 ? `L${Phase}` : t(type === 2 && Phase ? `tariff.level.${Phase}` : `cold.energy.phase.${type}.${Phase}`),
    },
    cells: [...(type === 1 ? [[Minutes, 0]] : []), [Energy, 1]] as Row['cells'],
  }))
  if (!rows.some(({ cells }) => cells.some(([value]) => value !== null))) return null
  const columns = [t(`cold.energy.by.${type}`), ...(type === 1 ? ['min'] : []), 'kWh']
  return <Figures title={t(`cold.energy.by.${type}`)} columns={columns} rows={rows} />
}

/** Energy of a room by consumer, operating stage, price level and electrical phase. */
const RoomEnergy = ({ row }: { row: Shown<typeof coldStorage> }) => {
  const t = useWords()
  const [params, put] = useAddress()
  const may = useMay('m10733')
  const today = dayText(Date.now())
  const given = params.get('of') ?? ''
  const of = daysOf(given) ? given : dayOf(dayNumber(today) - 1)
  const days = daysOf(of)!
  const last = dayOf(Math.min(dayNumber(days.to), dayNumber(today)) + 1)
  const asked = { ColdStorageId: row.Id, Start: wallToEpoch(`${days.from} 00:00:00`), End: wallToEpoch(`${last} 00:00:00`) }
  if (!may) return <p className="soft">{t('cold.energy.noRight')}</p>
  return (
    <div className="stack">
      <PeriodPicker of={of} spans={spans} today={today} set={(next) => put({ of: next })} />
      <ByType asked={asked} />
      {phaseTypes.map((type) => (
        <ByPhase key={type} asked={asked} type={type} />
      ))}
      <p className="soft">{t('cold.energy.shared')}</p>
    </div>
  )
}
export default RoomEnergy
