import { Button, Popover, Table } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { plotMargins } from '../../../../console/chart/options.ts'
import type { Range } from '../../../../console/chart/ranges.ts'
import { useCall } from '../../../../console/kernel/api.ts'
import { useMay } from '../../../../console/session/session.ts'
import { timeText } from '../../../../console/words/formats.ts'
import { useWords, type Words } from '../../../../console/words/words.ts'
import type { ParaInfo } from '../../../../contract/telemetry.ts'
import { type OverlayCount, type OverlayItem, type OverlayKind, overlayCalls, overlayKinds } from '../../notes/contract.ts'
import { MeterLane, useMeterMarks } from './MeterLane.tsx'
import './strip.css'

const shortTime = (at: number) => timeText(at).slice(0, 16)

const textOf = (item: OverlayItem, t: Words) => {
  if (item.Kind === 'write') return t('overlay.wrote', { value: item.Value ?? '', name: item.Text })
  if (item.Kind === 'config') return [t('overlay.version', { version: item.Subject }), item.Text].filter(Boolean).join(' · ')
  return item.Text
}
const saidOf = (item: OverlayItem, t: Words) => {
  const until = item.End ? ` ${t('overlay.until', { time: shortTime(item.End) })}` : ''
  return [`${timeText(item.Time)}${until}`, item.Name, textOf(item, t), item.UserName].filter(Boolean).join(' · ')
}

type LaneProps = {
  kind: OverlayKind
  items: readonly OverlayItem[]
  counts: readonly OverlayCount[]
  step: number
  range: Range
}
/** Events of one kind along the time axis of the plot. The list below is its accessible equivalent. */
const Lane = ({ kind, items, counts, step, range }: LaneProps) => {
  const t = useWords()
  const span = range.end - range.start
  const share = (ms: number) => `${(100 * Math.max(0, ms)) / span}%`
  const most = Math.max(1, ...counts.map((one) => one.Count))
  return (
    <section className="strip-lane" aria-label={t(`overlay.${kind}`)}>
      {items.map((item) => (
        <Popover key={item.Id} trigger={['hover', 'click']} content={<div className="strip-said">{saidOf(item, t)}</div>}>
          <span
            role="img"
            className={`strip-mark strip-${kind}${item.Level === 3 ? ' strip-high' : ''}`}
            aria-label={saidOf(item, t)}
            style={{
              insetInlineStart: share(item.Time - range.start),
              width: `max(5px, ${share(Math.min(item.End ?? item.Time, range.end) - Math.max(item.Time, range.start))})`,
            }}
          />
        </Popover>
      ))}
      {counts.map((one) => (
        <span
          key={one.Time}
          role="img"
          className="strip-count"
          title={t('overlay.count', { count: one.Count, time: shortTime(one.Time) })}
          aria-label={t('overlay.count', { count: one.Count, time: shortTime(one.Time) })}
          style={{
            insetInlineStart: share(one.Time - range.start),
            width: share(step),
            height: `${Math.max(20, (100 * one.Count) / most)}%`,
          }}
        />
      ))}
    </section>
  )
}

type Props = {
  points: readonly ParaInfo[]
  drawn: readonly ParaInfo[]
  range: Range
  width: number
  addNote: () => void
}

/** What happened in the time of a plot, below it and at its scale. */
export const EventStrip = ({ points, drawn, range, width, addNote }: Props) => {
  const t = useWords()
  const mayAdd = useMay('m10314.add')
  const mayNotes = useMay('m10314')
  const [isList, showList] = useState(false)
  const { data } = useCall(overlayCalls.overlay, {
    body: { ParaIds: points.map((p) => p.ParaId), Start: Math.round(range.start), End: Math.round(range.end) },
    of: ['chartNote', 'alarmInfo'],
    enabled: points.length > 0,
  })
  const marks = useMeterMarks(points, range)
  const { marginLeft, marginRight } = plotMargins(width, drawn)
  const items = Map.groupBy(data?.Items ?? [], (item) => item.Kind)
  const counts = Map.groupBy(data?.Counts ?? [], (one) => one.Kind)
  const kinds = overlayKinds.filter((kind) => items.has(kind) || counts.has(kind))
  return (
    <section className="strip" aria-label={t('overlay')}>
      {kinds.map((kind) => (
        <div key={kind}>
          <span className="soft strip-title">{t(`overlay.${kind}`)}</span>
          <div style={{ marginInlineStart: marginLeft, marginInlineEnd: marginRight }}>
            <Lane kind={kind} items={items.get(kind) ?? []} counts={counts.get(kind) ?? []} step={data?.Step ?? 1} range={range} />
          </div>
        </div>
      ))}
      {marks.length > 0 && (
        <div>
          <span className="soft strip-title">{t('meter.title')}</span>
          <div style={{ marginInlineStart: marginLeft, marginInlineEnd: marginRight }}>
            <MeterLane marks={marks} points={points} range={range} />
          </div>
        </div>
      )}
      {data?.TotalCount === 0 && !marks.length && <p className="soft">{t('overlay.none')}</p>}
      {counts.size > 0 && <p className="faint">{t('overlay.tooMany')}</p>}
      <div className="search-bar">
        {mayAdd && <Button onClick={addNote}>{t('overlay.addNote')}</Button>}
        {(data?.Items.length ?? 0) > 0 && (
          <Button type="link" aria-expanded={isList} onClick={() => showList(!isList)}>
            {t('overlay.list')}
          </Button>
        )}
        {mayNotes && (
          <Link to="/dataAnalysis/notes">
            <Button type="link">{t('overlay.all')}</Button>
          </Link>
        )}
      </div>
      {isList && (
        <Table<OverlayItem>
          size="small"
          rowKey={(row) => `${row.Kind} ${row.Id}`}
          dataSource={data?.Items ?? []}
          pagination={{ pageSize: 20, hideOnSinglePage: true, showSizeChanger: false }}
          scroll={{ x: 640 }}
          columns={[
            { title: t('explore.time'), width: 170, render: (_, row) => <span className="figures">{timeText(row.Time)}</span> },
            { title: t('overlay'), width: 180, render: (_, row) => t(`overlay.${row.Kind}`) },
            { title: t('chartNote.Text'), render: (_, row) => [row.Name, textOf(row, t), row.UserName].filter(Boolean).join(' · ') },
          ]}
        />
      )}
    </section>
  )
}
