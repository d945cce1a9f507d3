import { Button, Table } from 'antd'
import { useRef } from 'react'
import { fullName } from '../../../../console/chart/names.ts'
import type { Range } from '../../../../console/chart/ranges.ts'
import { useCall } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { valueText } from '../../../../console/live/valueText.ts'
import { timeText } from '../../../../console/words/formats.ts'
import { useWords } from '../../../../console/words/words.ts'
import { type ParaInfo, Quality } from '../../../../contract/telemetry.ts'
import { analysisCalls, type Reading } from '../../telemetry/contract.ts'
import { useAddress } from './useExplore.ts'

const size = 100
const qualities = ['good', 'uncertain', 'timeout', 'exception', 'notConfigured'] as const
const moment = (at: number) => (at % 1000 ? `${timeText(at)}.${String(at % 1000).padStart(3, '0')}` : timeText(at))

/** Single readings, page by page; the page is in the address. */
export const ReadingTable = ({ points, range }: { points: readonly ParaInfo[]; range: Range }) => {
  const t = useWords()
  const { params, set } = useAddress()
  const before = useRef<string[]>([])
  const after = params.get('after') ?? ''
  const [time, point] = after.split('.').map(Number)
  const { data, error, refetch } = useCall(analysisCalls.readings, {
    body: {
      ...{ ParaIds: points.map((p) => p.ParaId), Start: range.start, End: range.end, PageSize: size },
      ...(after ? { AfterTime: time, AfterPoint: point } : {}),
    },
    enabled: points.length > 0,
  })
  const known = new Map(points.map((p) => [p.ParaId, p]))
  const last = data?.Items.at(-1)
  if (error && !data) return <Failure fault={error} retry={() => refetch()} />
  return (
    <div className="explore-table">
      <Table<Reading>
        size="small"
        rowKey={(row) => `${row.Time}.${row.ParaId}`}
        loading={!data}
        dataSource={data?.Items ?? []}
        pagination={false}
        scroll={{ y: 420, x: 750 }}
        locale={{ emptyText: t('explore.noData') }}
        columns={[
          { title: t('explore.time'), width: 190, render: (_, row) => <span className="figures">{moment(row.Time)}</span> },
          { title: t('point'), width: 240, render: (_, row) => (known.has(row.ParaId) ? fullName(known.get(row.ParaId)!) : '') },
          {
            title: t('explore.value'),
            width: 150,
            align: 'right',
            render: (_, row) => {
              const p = known.get(row.ParaId)
              const unit = p?.ParaUnitName && row.Value !== null ? ` ${p.ParaUnitName}` : ''
              return <span className="figures">{p ? `${valueText(row.Value, p, t)}${unit}` : ''}</span>
            },
          },
          {
            title: t('explore.quality'),
            width: 170,
            render: (_, row) => (row.Quality === Quality.good ? '' : t(`reading.${qualities[row.Quality] ?? 'uncertain'}`)),
          },
        ]}
      />
      <div className="search-bar">
        <Button disabled={!after} onClick={() => set({ after: before.current.pop() })}>
          {t(before.current.length || !after ? 'explore.back' : 'explore.first')}
        </Button>
        <Button
          disabled={!data?.More || !last}
          onClick={() => {
            before.current.push(after)
            set({ after: `${last!.Time}.${last!.ParaId}` })
          }}
        >
          {t('explore.next')}
        </Button>
      </div>
    </div>
  )
}
