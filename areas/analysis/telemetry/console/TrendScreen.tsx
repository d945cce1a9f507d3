import { DownloadOutlined } from '@ant-design/icons'
import { Button, DatePicker, Dropdown, Segmented, Select } from 'antd'
import { useCallback, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { valueAt } from '../../../../console/chart/assemble.ts'
import { saveCsv, savePng } from '../../../../console/chart/exports.ts'
import { Plot } from '../../../../console/chart/Plot.tsx'
import { spans } from '../../../../console/chart/ranges.ts'
import { useSize } from '../../../../console/chart/useSize.ts'
import { useCall } from '../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { Page } from '../../../../console/shell/Page.tsx'
import { useColours, useMode } from '../../../../console/theme/mode.ts'
import { lines as palette } from '../../../../console/theme/tokens.ts'
import { usePhone } from '../../../../console/theme/useWidth.ts'
import { numberText, timeText, userZone, wallToEpoch } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { type ParaInfo, telemetryCalls } from '../../../../contract/telemetry.ts'
import { useTrendView } from './trendView.ts'
import { useTrend } from './useTrend.ts'

/** Points in one chart (specification, section 9). */
const most = 7

const preselected = (all: readonly ParaInfo[]) => all.filter((p) => p.IsChartShow === 2).slice(0, most)

const grouped = (all: readonly ParaInfo[]) =>
  [...Map.groupBy(all, (p) => p.DeviceName)].map(([label, points]) => ({
    label,
    options: points.map((p) => ({ value: p.ParaId, label: `${p.ParaName}${p.ParaUnitName ? ` (${p.ParaUnitName})` : ''}`, device: label })),
  }))

/** Up to seven points over time, live or of any time that is kept. */
const TrendScreen = () => {
  const t = useWords()
  const phone = usePhone()
  const colours = useColours()
  const mode = useMode((s) => s.mode)
  const [params, setParams] = useSearchParams()
  const [box, width] = useSize()
  const { range, live, span, show, follow, goBack } = useTrendView()
  const [cursor, setCursor] = useState<number>()
  const [unit, setUnit] = useState<string>()
  const canvas = useRef<HTMLCanvasElement>(null)
  const all = useCall(telemetryCalls.allParaInfo, { query: {}, of: ['point', 'device'] })
  const devices = params.get('devices')
  const asked = params.get('points')

  const shown = useMemo(() => (all.data ?? []).filter((p) => p.IsChartShow !== 0), [all.data])
  const points = useMemo(() => {
    if (asked !== null) {
      const ids = asked.split(',').map(Number)
      return ids.flatMap((id) => all.data?.find((p) => p.ParaId === id) ?? []).slice(0, most)
    }
    const wanted = devices?.split(',').map(Number)
    const near = wanted ? shown.filter((p) => wanted.includes(p.DeviceId)) : shown
    const marked = preselected(near)
    return marked.length || !wanted ? marked : near.slice(0, 3)
  }, [all.data, asked, devices, shown])

  const { lines, drawn, query } = useTrend(points, range, live, width)
  const choose = (ids: number[]) =>
    setParams(
      (old) => {
        const next = new URLSearchParams(old)
        next.delete('devices')
        next.set('points', ids.join(','))
        return next
      },
      { replace: true },
    )
  const keepCanvas = useCallback((found: HTMLCanvasElement | null) => {
    canvas.current = found
  }, [])
  const wall = (text: unknown) => wallToEpoch(String(text))

  if (all.error && !all.data) return <Failure fault={all.error} retry={() => all.refetch()} />
  return (
    <Page
      title={t('menu.m10301')}
      actions={
        <Dropdown
          trigger={['click']}
          disabled={!lines.length}
          menu={{
            items: [
              { key: 'png', label: t('trend.png') },
              { key: 'csv', label: t('trend.csv') },
            ],
            onClick: ({ key }) =>
              key === 'csv'
                ? saveCsv(drawn, lines, t('trend.time', { zone: userZone() }))
                : canvas.current && savePng(canvas.current, colours.surface),
          }}
        >
          <Button icon={<DownloadOutlined />}>{t('button.export')}</Button>
        </Dropdown>
      }
    >
      <div className="search-bar">
        <Select
          mode="multiple"
          className="trend-points"
          maxCount={most}
          maxTagCount="responsive"
          loading={all.isFetching && !all.data}
          value={points.map((p) => p.ParaId)}
          options={grouped(shown)}
          onChange={choose}
          placeholder={t('trend.choose', { most })}
          aria-label={t('trend.choose', { most })}
          showSearch={{
            filterOption: (text, option) =>
              `${option?.label} ${option && 'device' in option ? option.device : ''}`
                .toLocaleLowerCase()
                .includes(text.toLocaleLowerCase()),
          }}
        />
      </div>
      <div className="search-bar">
        {phone ? (
          <Select
            value={span ?? ''}
            onChange={follow}
            options={Object.keys(spans).map((value) => ({ value, label: t(`span.${value}`) }))}
            aria-label={t('trend.range')}
            style={{ width: 140 }}
          />
        ) : (
          <Segmented<string>
            value={span ?? ''}
            onChange={follow}
            options={Object.keys(spans).map((value) => ({ value, label: t(`span.${value}`) }))}
            aria-label={t('trend.range')}
          />
        )}
        {!phone && (
          <DatePicker.RangePicker
            showTime={{ format: 'HH:mm' }}
            format="YYYY-MM-DD HH:mm"
            allowClear={false}
            onChange={(dates) => {
              const [from, to] = (dates ?? []).map((d) => wall(d?.format('YYYY-MM-DD HH:mm:00')))
              if (from && to) show({ start: from, end: to })
            }}
          />
        )}
        {!live && (
          <Button type="link" onClick={goBack}>
            {t('trend.back')}
          </Button>
        )}
        <span className="soft figures trend-span">
          {live ? t('trend.live') : `${timeText(range.start).slice(0, 16)} – ${timeText(range.end).slice(0, 16)}`} · {userZone()}
        </span>
      </div>
      <div className="panel">
        <div className="trend-labels">
          {drawn.map((p, i) => (
            <button
              key={p.ParaId}
              type="button"
              className="trend-label"
              title={t('trend.axis')}
              aria-pressed={p.ParaUnitName === (unit ?? drawn[0]?.ParaUnitName)}
              onClick={() => setUnit(p.ParaUnitName)}
            >
              <i style={{ background: palette[mode][i % palette[mode].length] }} />
              <span className="soft">{p.ParaName}</span>
              <strong className="figures">
                {numberText(valueAt(lines[i]!, cursor ?? range.end), p.DecimalDigits, language())}
                <span className="unit"> {p.ParaUnitName}</span>
              </strong>
            </button>
          ))}
          {cursor !== undefined && <span className="soft figures trend-moment">{timeText(cursor)}</span>}
        </div>
        <div ref={box}>
          {query.error && !query.data ? (
            <Failure fault={query.error} retry={() => query.refetch()} />
          ) : all.data && !points.length ? (
            <EmptyList text={t('trend.none')} />
          ) : (
            width > 0 && (
              <Plot
                points={drawn}
                lines={lines}
                range={range}
                unit={unit}
                width={width}
                height={phone ? 320 : Math.max(360, Math.min(640, window.innerHeight - 340))}
                onRange={show}
                onBack={goBack}
                onCursor={setCursor}
                canvas={keepCanvas}
              />
            )
          )}
        </div>
        <p className="faint trend-help">{t(phone ? 'trend.helpPhone' : 'trend.help')}</p>
      </div>
    </Page>
  )
}
export default TrendScreen
