import { Button, Select } from 'antd'
import { useMemo } from 'react'
import { Link as RouterLink } from 'react-router'
import { namesOf } from '../../../../../console/chart/names.ts'
import { Plot } from '../../../../../console/chart/Plot.tsx'
import { paneCount } from '../../../../../console/chart/panes.ts'
import type { Range } from '../../../../../console/chart/ranges.ts'
import { useSize } from '../../../../../console/chart/useSize.ts'
import { useCall } from '../../../../../console/kernel/api.ts'
import { none, numberText, timeText } from '../../../../../console/words/formats.ts'
import { language, useWords, type Words } from '../../../../../console/words/words.ts'
import type { Cell } from '../../../../../contract/cell.ts'
import { type ParaInfo, type SeriesAnswer, telemetryCalls } from '../../../../../contract/telemetry.ts'
import { paintScatter } from '../../../reports/spread.ts'
import { ChartPanel } from '../charts/ChartPanel.tsx'
import { curvesOf } from '../curves.ts'
import { Frame } from '../Frame.tsx'
import { durationText, withUnit } from '../figures.tsx'
import { SaveTable } from '../SaveTable.tsx'
import { useAddress, useChoice, useExplore } from '../useExplore.ts'
import { type Column, columnOf, type Link, lineOf, linksOf, pairsOf, widthOf } from './correlation.ts'
import './links.css'

const most = 20
const lags = { none: 0, near: 12, far: 96 } as const
const lagNames = ['none', 'near', 'far'] as const
const rText = (r: number) => numberText(r, 2, language())

/** Of counters and amounts what was added, of others the mean. */
const ofPoint = (data: SeriesAnswer | undefined, p: ParaInfo) => {
  const s = data?.Series.find(({ ParaId }) => ParaId === p.ParaId)
  return s && (p.CalDataType === 1 || p.CalDataType === 2) ? { ...s, Mean: s.Sum } : s
}

/** Which of both follows, and by how much. */
const lagText = (a: string, b: string, lag: number, width: number, t: Words) =>
  lag
    ? t('link.follows', { first: lag > 0 ? a : b, second: lag > 0 ? b : a, time: durationText(Math.abs(lag) * width) })
    : t('link.sameTime')

type MatrixProps = {
  points: readonly ParaInfo[]
  names: readonly string[]
  links: readonly (readonly (Link | null)[])[]
  width: number
  chosen: readonly [number, number] | undefined
  choose: (a: number, b: number) => void
}
/** Each pair of points: how closely they move together, and at which lag. */
const Matrix = ({ points, names, links, width, chosen, choose }: MatrixProps) => {
  const t = useWords()
  return (
    <div className="link-scroll">
      <table className="link-matrix" aria-label={t('link.matrix')}>
        <thead>
          <tr>
            <td />
            {names.slice(0, -1).map((name, i) => (
              <th key={points[i]!.ParaId} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {names.slice(1).map((name, r) => (
            <tr key={points[r + 1]!.ParaId}>
              <th scope="row">{name}</th>
              {names.slice(0, -1).map((other, c) => {
                if (c > r) return <td key={points[c]!.ParaId} />
                const link = links[c]![r + 1]
                if (!link)
                  return (
                    <td key={points[c]!.ParaId} className="soft" title={t('link.tooFew')}>
                      {none}
                    </td>
                  )
                const said = `${other} / ${name}: ${rText(link.r)}, ${lagText(other, name, link.lag, width, t)}`
                const isChosen = chosen?.[0] === c && chosen[1] === r + 1
                return (
                  <td key={points[c]!.ParaId}>
                    <button
                      type="button"
                      title={said}
                      aria-label={said}
                      aria-pressed={isChosen}
                      className={link.r < 0 ? 'link-cell link-against' : 'link-cell'}
                      style={{ '--share': `${Math.round(70 * Math.abs(link.r))}%` } as object}
                      onClick={() => choose(c, r + 1)}
                    >
                      <span className="figures">{rText(link.r)}</span>
                      {link.lag !== 0 && <small>{durationText(Math.abs(link.lag) * width)}</small>}
                    </button>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type PairProps = {
  points: readonly [ParaInfo, ParaInfo]
  names: readonly [string, string]
  columns: readonly [Column, Column]
  lag: number
  start: number
  width: number
}
/** Both points against each other, with the line through them. */
const PairChart = ({ points: [a, b], names: [first, second], columns: [x, y], lag, start, width }: PairProps) => {
  const t = useWords()
  const pairs = pairsOf(x, y, lag)
  const line = lineOf(pairs)
  const [xTitle, yTitle] = [withUnit(first, a.ParaUnitName), withUnit(second, b.ParaUnitName)]
  const length = Math.max(1, x.length - 1)
  const said = line
    ? t('link.line', {
        ...{ second, first, slope: new Intl.NumberFormat(language(), { maximumSignificantDigits: 4 }).format(line.slope) },
        ...{ offset: new Intl.NumberFormat(language(), { maximumSignificantDigits: 4 }).format(line.offset) },
        ...{ r: rText(line.r), share: numberText(100 * line.r ** 2, 0, language()), count: line.count.toLocaleString(language()) },
      })
    : t('link.tooFew')
  const dots = pairs.map((p) => ({
    x: p.x,
    y: p.y,
    age: p.i / length,
    title: `${timeText(start + p.i * width).slice(0, 16)} · ${first} ${numberText(p.x, a.DecimalDigits, language())} · ${second} ${numberText(p.y, b.DecimalDigits, language())}`,
  }))
  return (
    <ChartPanel
      title={`${first} / ${second}`}
      height={360}
      paint={(look) => paintScatter({ dots, xTitle, yTitle, ...(line ? { line } : {}) }, look)}
      table={[[t('explore.time'), xTitle, yTitle], ...pairs.map((p): Cell[] => [timeText(start + p.i * width).slice(0, 16), p.x, p.y])]}
      help={`${said} ${lagText(first, second, lag, width, t)} ${t('link.dots')}`}
      tools={
        <RouterLink to={`/dataAnalysis/realTimeData?points=${a.ParaId},${b.ParaId}&from=${start}&to=${start + x.length * width}&plots=own`}>
          <Button size="small">{t('link.both')}</Button>
        </RouterLink>
      }
    />
  )
}

const Curves = ({ data, points, range }: { data: SeriesAnswer; points: readonly ParaInfo[]; range: Range }) => {
  const [box, width] = useSize()
  const { drawn, lines } = useMemo(() => curvesOf(data, points, data.Step), [data, points])
  return (
    <div className="panel trend-panel" ref={box}>
      {width > 0 && <Plot points={drawn} lines={lines} range={range} width={width - 24} height={Math.max(240, paneCount(drawn) * 110)} />}
    </div>
  )
}

/** Correlation between points, with or without a time lag. */
const LinkScreen = () => {
  const t = useWords()
  const { params, set } = useAddress()
  const explore = useExplore(most, { standard: '24h' })
  const { points, ids, range } = explore
  const [lagName, setLag] = useChoice('lag', lagNames)
  const width = widthOf(range.end - range.start)
  // Buckets of all points begin together.
  const start = Math.floor(range.start / width) * width
  const length = Math.max(1, Math.ceil((range.end - start) / width))
  const answer = useCall(telemetryCalls.data, {
    body: {
      ParaIds: ids,
      Start: start,
      End: start + length * width,
      Width: width,
      Columns: ['Min', 'Max', 'Avg', 'Mean', 'Count', 'Sum'],
      Brief: 1,
    },
    enabled: ids.length > 0,
  })
  const { data } = answer
  const columns = useMemo(() => points.map((p) => columnOf(ofPoint(data, p), start, width, length)), [data, points, start, width, length])
  const links = useMemo(() => linksOf(columns, lags[lagName]), [columns, lagName])
  const names = namesOf(points)
  const asked = (params.get('pair') ?? '').split('-').map((id) => ids.indexOf(Number(id)))
  const strongest = useMemo(() => {
    const all = links.flatMap((row, i) => row.flatMap((link, k) => (link ? [{ i, k, r: Math.abs(link.r) }] : [])))
    return all.toSorted((a, b) => b.r - a.r)[0]
  }, [links])
  const isAsked = asked.length === 2 && asked[0]! >= 0 && asked[1]! > asked[0]!
  const pair = isAsked ? ([asked[0]!, asked[1]!] as const) : strongest && ([strongest.i, strongest.k] as const)
  const [first, second] = pair ?? []
  const chosen = useMemo(
    () => (first === undefined || second === undefined ? [] : [points[first]!, points[second]!]),
    [points, first, second],
  )
  const rows = links.flatMap((row, i) =>
    row.flatMap((link, k): Cell[][] =>
      k > i ? [[names[i]!, names[k]!, link && Number(link.r.toFixed(4)), link && (link.lag * width) / 60_000]] : [],
    ),
  )
  return (
    <Frame
      code="m10318"
      explore={explore}
      answer={answer}
      none={t('link.none')}
      tools={
        <>
          <Select
            value={lagName}
            onChange={setLag}
            options={lagNames.map((value) => ({
              value,
              label: value === 'none' ? t('link.lag.none') : t('link.lag', { time: durationText(lags[value] * width) }),
            }))}
            aria-label={t('link.lagLabel')}
            style={{ minWidth: 230 }}
          />
          <span className="soft">{t('link.width', { width: durationText(width) })}</span>
        </>
      }
      actions={<SaveTable name={t('menu.m10318')} rows={[[t('link.first'), t('link.second'), 'r', t('link.lagMinutes')], ...rows]} />}
    >
      {points.length < 2 ? (
        <p className="soft">{t('link.two')}</p>
      ) : (
        <>
          <Matrix
            points={points}
            names={names}
            links={links}
            width={width}
            chosen={pair}
            choose={(a, b) => set({ pair: `${ids[a]}-${ids[b]}` })}
          />
          <p className="faint">{t('link.help')}</p>
          {pair && data && (
            <>
              <PairChart
                points={[points[pair[0]]!, points[pair[1]]!]}
                names={[names[pair[0]]!, names[pair[1]]!]}
                columns={[columns[pair[0]]!, columns[pair[1]]!]}
                lag={links[pair[0]]![pair[1]]?.lag ?? 0}
                start={start}
                width={width}
              />
              <Curves data={data} points={chosen} range={range} />
            </>
          )}
        </>
      )}
    </Frame>
  )
}
export default LinkScreen
