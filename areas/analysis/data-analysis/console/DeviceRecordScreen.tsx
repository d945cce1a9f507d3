import { Segmented, Table } from 'antd'
import { useState } from 'react'
import { fullName, namesOf } from '../../../../console/chart/names.ts'
import { useCall } from '../../../../console/kernel/api.ts'
import { valueText } from '../../../../console/live/valueText.ts'
import { none, timeText } from '../../../../console/words/formats.ts'
import { useWords } from '../../../../console/words/words.ts'
import { analysisCalls, type IoRow, type IoRun } from '../../telemetry/contract.ts'
import { Frame } from './Frame.tsx'
import { durationText, percentText } from './figures.tsx'
import { useChoice, useExplore } from './useExplore.ts'

const most = 100
const size = 50
const divisions = ['none', 'shift', 'day', 'week', 'month'] as const

/** When points were on and off, and how often they switched. */
const DeviceRecordScreen = () => {
  const t = useWords()
  const explore = useExplore(most)
  const { points, ids, range } = explore
  const [by, setBy] = useChoice('by', divisions)
  const [page, setPage] = useState(1)
  const answer = useCall(analysisCalls.io, {
    body: { ParaIds: ids, Start: range.start, End: range.end, By: by, PageIndex: page, PageSize: size },
    enabled: ids.length > 0,
  })
  const names = new Map(namesOf(points).map((name, i) => [ids[i], name]))
  const known = new Map(points.map((p) => [p.ParaId, p]))
  const { data } = answer
  const whole = data && `${timeText(data.Start).slice(0, 16)} – ${timeText(data.End).slice(0, 16)}`
  return (
    <Frame
      code="m10305"
      explore={explore}
      answer={answer}
      tools={
        <Segmented
          value={by}
          onChange={setBy}
          options={divisions.map((value) => ({ value, label: t(`explore.per.${value}`) }))}
          aria-label={t('explore.per')}
        />
      }
    >
      <h2 className="explore-head">
        {t('io.times')} {by === 'none' && <span className="soft figures">{whole}</span>}
      </h2>
      <div className="explore-table">
        <Table<IoRow>
          size="small"
          rowKey={(row) => `${row.ParaId} ${row.Start}`}
          dataSource={data?.Rows ?? []}
          pagination={false}
          scroll={{ x: by === 'none' ? 960 : 1120, y: 360 }}
          columns={[
            { title: t('point'), width: 180, fixed: 'start', render: (_, row) => names.get(row.ParaId) },
            ...(by === 'none'
              ? []
              : [
                  {
                    title: t('explore.period'),
                    width: 160,
                    render: (_: unknown, row: IoRow) => (
                      <span className="figures">
                        {row.Shift ? `${row.Day} ${row.Shift}` : timeText(row.Start, data?.TimeZone).slice(0, 10)}{' '}
                        {row.Partial === 1 && <span className="soft">({t('explore.partial')})</span>}
                      </span>
                    ),
                  },
                ]),
            ...(['OnMs', 'OffMs', 'UnknownMs'] as const).map((name) => ({
              title: t(`io.${name}`),
              width: 100,
              align: 'right' as const,
              render: (_: unknown, row: IoRow) => (
                <span className="figures" title={percentText(row[name] / Math.max(1, row.OnMs + row.OffMs + row.UnknownMs))}>
                  {durationText(row[name])}
                </span>
              ),
            })),
            { title: t('io.Switchings'), width: 110, align: 'right', dataIndex: 'Switchings', className: 'figures' },
            {
              title: t('io.LongestOnMs'),
              width: 120,
              align: 'right',
              render: (_, row) => <span className="figures">{durationText(row.LongestOnMs)}</span>,
            },
            ...(['FirstChange', 'LastChange'] as const).map((name) => ({
              title: t(`io.${name}`),
              width: 155,
              render: (_: unknown, row: IoRow) => (
                <span className="figures">{row[name] === null ? none : timeText(row[name]).slice(0, 16)}</span>
              ),
            })),
          ]}
        />
      </div>
      <h2 className="explore-head">{t('io.runs')}</h2>
      <div className="explore-table">
        <Table<IoRun>
          size="small"
          rowKey={(row) => `${row.ParaId} ${row.Start}`}
          dataSource={data?.Runs.Items ?? []}
          scroll={{ x: 640 }}
          locale={{ emptyText: t('explore.noData') }}
          pagination={{ current: page, pageSize: size, total: data?.Runs.TotalCount ?? 0, showSizeChanger: false, onChange: setPage }}
          columns={[
            { title: t('point'), render: (_, row) => (known.has(row.ParaId) ? fullName(known.get(row.ParaId)!) : '') },
            {
              title: t('io.state'),
              render: (_, row) =>
                row.Value === null ? t('io.unknown') : known.has(row.ParaId) ? valueText(row.Value, known.get(row.ParaId)!, t) : '',
            },
            { title: t('io.from'), width: 170, render: (_, row) => <span className="figures">{timeText(row.Start)}</span> },
            { title: t('io.to'), width: 170, render: (_, row) => <span className="figures">{timeText(row.End)}</span> },
            {
              title: t('io.duration'),
              align: 'right',
              render: (_, row) => <span className="figures">{durationText(row.End - row.Start)}</span>,
            },
          ]}
        />
      </div>
    </Frame>
  )
}
export default DeviceRecordScreen
