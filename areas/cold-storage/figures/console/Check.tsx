import { Table } from 'antd'
import { type CalendarSpan, daysOf } from '../../../../console/chart/calendarSpans.ts'
import { PeriodPicker } from '../../../../console/chart/PeriodPicker.tsx'
import { useCall } from '../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { Page } from '../../../../console/shell/Page.tsx'
import { useAddress } from '../../../../console/shell/useAddress.ts'
import { Waiting } from '../../../../console/shell/Waiting.tsx'
import { Facts } from '../../../../console/theme/Facts.tsx'
import { State } from '../../../../console/theme/State.tsx'
import { usePhone } from '../../../../console/theme/useWidth.ts'
import { dayText, none, numberText, timeText, wallToEpoch } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import type { Answer } from '../../../../contract/call.ts'
import { dayNumber, dayOf } from '../../../../contract/days.ts'
import { coldStorage } from '../../rooms/contract.ts'
import { coldFigureCalls, mostDays } from '../contract.ts'

type Checked = Answer<typeof coldFigureCalls.check>
const number = (value: number | null, digits: number, unit = '') => (
  <span className="figures">{value === null ? none : `${numberText(value, digits, language())}${unit}`}</span>
)

const Points = ({ of: { Points: rows } }: { of: Checked }) => {
  const t = useWords()
  const phone = usePhone()
  const figures = (row: Checked['Points'][number]) => [
    { key: 'min', label: t('cold.figures.min'), value: number(row.Min, 1, ' °C') },
    { key: 'max', label: t('cold.figures.max'), value: number(row.Max, 1, ' °C') },
    { key: 'avg', label: t('cold.figures.avg'), value: number(row.Avg, 2, ' °C') },
    { key: 'mkt', label: t('cold.figures.mkt'), value: number(row.Mkt, 2, ' °C') },
    { key: 'inBand', label: t('cold.figures.inBand'), value: number(row.InBandPercent, 1, ' %') },
    { key: 'outside', label: t('cold.figures.outside'), value: number(row.OutsideMinutes, 0, ' min') },
    { key: 'known', label: t('cold.figures.known'), value: number(row.KnownPercent, 1, ' %') },
  ]
  if (phone)
    return rows.map((row) => (
      <section key={`${row.SensorBindId}`} className="panel">
        <h2>{row.SensorName}</h2>
        <Facts of={figures(row)} />
      </section>
    ))
  return (
    <Table
      size="small"
      rowKey="SensorBindId"
      pagination={false}
      dataSource={rows}
      columns={[
        { key: 'name', title: t('cold.figures.point'), render: (_, row) => row.SensorName },
        ...['min', 'max', 'avg', 'mkt', 'inBand', 'outside', 'known'].map((key) => ({
          key,
          title: t(`cold.figures.${key}`),
          render: (_: unknown, row: Checked['Points'][number]) => figures(row).find((one) => one.key === key)!.value,
        })),
      ]}
    />
  )
}

const Shown = ({ of }: { of: Checked }) => {
  const t = useWords()
  const { Room, Standard: standard, Result, Reasons } = of
  const nameOf = (id: number | null) => of.Points.find(({ SensorBindId }) => SensorBindId === id)?.SensorName ?? none
  return (
    <div className="stack">
      <section className="panel stack-tight">
        <h2>
          <State is={Result === 1 ? 'normal' : Result === 2 ? 'alarm' : 'warning'}>{t(`cold.figures.result.${Result}`)}</State>
        </h2>
        {Reasons.map(({ Code, SensorName, Text, IsShort }) => (
          <State key={`${Code} ${SensorName}`} is={IsShort ? 'notice' : 'warning'}>
            {Text}
          </State>
        ))}
        <p className="soft">
          {t('cold.figures.standard', {
            ...{ name: standard.StandardName, points: standard.MinPoints, hours: standard.MinHours, minutes: standard.IntervalMin },
          })}
        </p>
      </section>
      <Facts
        of={[
          { key: 'avg', label: t('cold.figures.avg'), value: number(Room.Avg, 2, ' °C') },
          { key: 'deviation', label: t('cold.figures.deviation'), value: number(Room.Deviation, 2, ' °C') },
          { key: 'uniformity', label: t('cold.figures.uniformity'), value: number(Room.Uniformity, 2, ' °C') },
          { key: 'fluctuation', label: t('cold.figures.fluctuation'), value: number(Room.Fluctuation, 2, ' °C') },
          { key: 'hottest', label: t('cold.figures.hottest'), value: nameOf(Room.Hottest) },
          { key: 'coldest', label: t('cold.figures.coldest'), value: nameOf(Room.Coldest) },
        ]}
      />
      {of.Points.length > 0 && <Points of={of} />}
      <p className="soft">
        {`${t('cold.figures.uniformity')}: ${t('cold.figures.uniformity.help')} ${t('cold.figures.fluctuation')}: ${t('cold.figures.fluctuation.help')}`}
      </p>
    </div>
  )
}

const spans: readonly CalendarSpan[] = ['day', 'week', 'month', 'range']

/** Whether a room meets its standard over some days, with the numbers behind it. Nothing is stored. */
const Check = () => {
  const t = useWords()
  const [params, put] = useAddress()
  const today = dayText(Date.now())
  const asked = params.get('of') ?? ''
  const of = daysOf(asked) ? asked : dayOf(dayNumber(today) - 1)
  const days = daysOf(of)!
  const ColdStorageId = Number(params.get('ColdStorageId')) || undefined
  const [Start, End] = [
    wallToEpoch(`${days.from} 00:00:00`),
    wallToEpoch(`${dayOf(Math.min(dayNumber(days.to), dayNumber(today)) + 1)} 00:00:00`),
  ]
  const { data, error, refetch } = useCall(coldFigureCalls.check, {
    body: { ColdStorageId: ColdStorageId ?? 0, Start, End },
    of: ['coldStorage', 'coldSensorBind', 'coldCalibration'],
    enabled: ColdStorageId !== undefined,
  })
  return (
    <Page title={t('menu.m10733')}>
      <search className="search-bar">
        <span className="search-filter">
          <RefInput
            to={coldStorage}
            value={ColdStorageId ?? null}
            placeholder={t('coldStorage')}
            aria-label={t('coldStorage')}
            onChange={(id) => put({ ColdStorageId: id })}
          />
        </span>
        <PeriodPicker of={of} spans={spans} today={today} set={(next) => put({ of: next })} />
      </search>
      {!ColdStorageId ? (
        <EmptyList text={t('cold.figures.choose', { days: mostDays })} />
      ) : error ? (
        <Failure fault={error} retry={() => refetch()} />
      ) : !data ? (
        <Waiting />
      ) : (
        <>
          <p className="soft figures">{`${data.StorageName} · ${timeText(data.Start)} – ${timeText(data.End)}`}</p>
          <Shown of={data} />
        </>
      )}
    </Page>
  )
}
export default Check
