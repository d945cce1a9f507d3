import { Button, Segmented, Select, Table } from 'antd'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { namesOf } from '../../../../../console/chart/names.ts'
import { useCall } from '../../../../../console/kernel/api.ts'
import { none, timeText } from '../../../../../console/words/formats.ts'
import { useWords } from '../../../../../console/words/words.ts'
import type { Cell } from '../../../../../contract/cell.ts'
import { paintBars } from '../../../reports/bars.ts'
import { analysisCalls, type IoRow, mostRuns } from '../../../telemetry/contract.ts'
import { ChartPanel } from '../charts/ChartPanel.tsx'
import { Frame } from '../Frame.tsx'
import { durationText, percentText } from '../figures.tsx'
import { cellsOf, SaveTable } from '../SaveTable.tsx'
import { useAddress, useChoice, useExplore } from '../useExplore.ts'
import { byHour, doorSummary, type Hours, type Opening, openingsOf } from './doors.ts'

const most = 50
const clocks = Array.from({ length: 48 }, (_, i) => `${String(Math.floor(i / 2)).padStart(2, '0')}:${i % 2 ? '30' : '00'}`)
const usual = { from: '07:00', to: '19:00' }

/** The usual hours, of the address. */
const useHours = () => {
  const t = useWords()
  const { params, set } = useAddress()
  const [days, setDays] = useChoice('days', ['week', 'all'] as const)
  const clockOf = (name: 'from' | 'to') => clocks.find((clock) => clock === params.get(`work-${name}`)) ?? usual[name]
  const hours: Hours = { from: clockOf('from'), to: clockOf('to'), weekend: days === 'all' }
  const clock = (name: 'from' | 'to') => (
    <Select
      value={hours[name]}
      onChange={(value) => set({ [`work-${name}`]: value })}
      options={clocks.map((value) => ({ value, label: value }))}
      aria-label={t(`door.${name}`)}
      style={{ width: 90 }}
    />
  )
  const tools = (
    <>
      <span>{t('door.hours')}</span>
      {clock('from')}–{clock('to')}
      <Segmented
        value={days}
        onChange={setDays}
        options={(['week', 'all'] as const).map((value) => ({ value, label: t(`door.days.${value}`) }))}
        aria-label={t('door.days')}
      />
    </>
  )
  return { hours, tools }
}

type Row = { id: number; name: string; io: IoRow | undefined; openings: readonly Opening[] } & ReturnType<typeof doorSummary>

/** When doors were open, and should not have been. */
const Unusual = ({ openings, nameOf }: { openings: readonly Opening[]; nameOf: ReadonlyMap<number, string> }) => {
  const t = useWords()
  const unusual = openings.filter(({ out }) => out > 0).toSorted((a, b) => b.start - a.start)
  return (
    <>
      <h2 className="explore-head">{t('door.unusual')}</h2>
      <div className="explore-table">
        <Table<Opening>
          size="small"
          rowKey={(row) => `${row.ParaId} ${row.start}`}
          dataSource={unusual}
          pagination={{ pageSize: 20, hideOnSinglePage: true, showSizeChanger: false }}
          scroll={{ x: 640 }}
          locale={{ emptyText: t('door.noneUnusual') }}
          columns={[
            { title: t('point'), render: (_, row) => nameOf.get(row.ParaId) },
            { title: t('io.from'), width: 170, render: (_, row) => <span className="figures">{timeText(row.start)}</span> },
            { title: t('io.to'), width: 170, render: (_, row) => <span className="figures">{timeText(row.end)}</span> },
            {
              title: t('io.duration'),
              align: 'right',
              render: (_, row) => <span className="figures">{durationText(row.end - row.start)}</span>,
            },
            { title: t('door.outMs'), align: 'right', render: (_, row) => <span className="figures">{durationText(row.out)}</span> },
          ]}
        />
      </div>
    </>
  )
}

/** How often and how long doors were open, and when they should not have been. */
const DoorScreen = () => {
  const t = useWords()
  const explore = useExplore(most, { standard: '7d', codes: 'state.door' })
  const { points, ids, range, view } = explore
  const { hours, tools } = useHours()
  const answer = useCall(analysisCalls.io, {
    body: { ParaIds: ids, Start: range.start, End: range.end, PageIndex: 1, PageSize: mostRuns },
    enabled: ids.length > 0,
  })
  const { data } = answer
  const { from, to, weekend } = hours
  const openings = useMemo(() => (data ? openingsOf(data.Runs.Items, { from, to, weekend }, data.TimeZone) : []), [data, from, to, weekend])
  const zone = data?.TimeZone ?? 'UTC'
  const names = namesOf(points)
  const rows = points.map((p, i): Row => {
    const own = openings.filter(({ ParaId }) => ParaId === p.ParaId)
    return { id: p.ParaId, name: names[i]!, io: data?.Rows.find((row) => row.ParaId === p.ParaId), openings: own, ...doorSummary(own) }
  })
  const share = ({ io }: Row) => {
    const known = (io?.OnMs ?? 0) + (io?.OffMs ?? 0)
    return known ? (io?.OnMs ?? 0) / known : null
  }
  const moment = (at: number | undefined) => (at === undefined ? none : timeText(at).slice(0, 16))
  const lengthOf = (opening: Opening | undefined) => (opening ? durationText(opening.end - opening.start) : none)
  const columns: [title: string, text: (row: Row) => string, width: number][] = [
    [t('door.count'), (row) => String(row.count), 90],
    [t('door.open'), (row) => durationText(row.io?.OnMs), 100],
    [t('door.share'), (row) => percentText(share(row)), 90],
    [t('door.longest'), (row) => lengthOf(row.longest), 100],
    [t('door.longestAt'), (row) => moment(row.longest?.start), 145],
    [t('door.outCount'), (row) => String(row.outCount), 95],
    [t('door.outMs'), (row) => durationText(row.outMs), 110],
    [t('door.last'), (row) => moment(row.last?.start), 145],
    [t('io.UnknownMs'), (row) => durationText(row.io?.UnknownMs), 110],
  ]
  const hourLabels = Array.from({ length: 24 }, (_, i) => String(i).padStart(2, '0'))
  const counts = byHour(openings, zone)
  const table: Cell[][] = [[t('door.hour'), t('door.count')], ...hourLabels.map((hour, i): Cell[] => [hour, counts[i]!])]
  const nameOf = new Map(rows.map((row) => [row.id, row.name]))
  return (
    <Frame
      code="m10322"
      explore={explore}
      answer={answer}
      none={t('door.none')}
      tools={tools}
      actions={
        <>
          <Link to={`/dataAnalysis/deviceState?points=${ids.slice(0, 20)}&range=${view.span ?? '7d'}`}>
            <Button>{t('menu.m10307')}</Button>
          </Link>
          <SaveTable name={t('menu.m10322')} rows={cellsOf(t('point'), columns, rows)} />
        </>
      }
    >
      <div className="explore-table">
        <Table<Row>
          size="small"
          rowKey="id"
          dataSource={rows}
          pagination={false}
          scroll={{ x: 1150 }}
          columns={[
            { title: t('point'), width: 160, fixed: 'start', dataIndex: 'name' },
            ...columns.map(([title, text, width]) => ({
              ...{ title, width, align: 'right' as const },
              render: (_: unknown, row: Row) => <span className="figures">{text(row)}</span>,
            })),
          ]}
        />
      </div>
      {(data?.Runs.TotalCount ?? 0) > mostRuns && <p className="soft">{t('door.cut', { most: mostRuns })}</p>}
      <p className="faint">{t('door.help', { zone })}</p>
      <ChartPanel
        title={t('door.byHour')}
        paint={(look) => paintBars({ names: [t('door.count')], labels: hourLabels, values: [counts], unit: '', whole: true }, look)}
        table={table}
        height={220}
      />
      <Unusual openings={openings} nameOf={nameOf} />
    </Frame>
  )
}
export default DoorScreen
