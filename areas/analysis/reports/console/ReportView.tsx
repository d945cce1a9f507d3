import { useMemo } from 'react'
import { useSize } from '../../../../console/chart/useSize.ts'
import { useMode } from '../../../../console/theme/mode.ts'
import { lines } from '../../../../console/theme/tokens.ts'
import { numberText, shareText } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { svgText } from '../../../../contract/picture/tree.ts'
import type { Part, ReportDocument, Spread } from '../blocks.ts'
import { isWithoutReadings, namesOf, paint } from '../chart.ts'
import { paintSpread } from '../spread.ts'
import { cellText, momentText } from '../text.ts'
import { Drawing } from './Drawing.tsx'
import './reports.css'

const dayMs = 86_400_000

const Chart = ({ part, zone }: { part: Extract<Part, { Is: 'chart' }>; zone: string }) => {
  const [box, width] = useSize()
  const colours = lines[useMode((s) => s.mode)]
  const time = (at: number, ms: number) => momentText(at, zone).slice(ms > 3 * dayMs ? 0 : 5, ms > 3 * dayMs ? 10 : 16)
  const number = (value: number) => new Intl.NumberFormat(language(), { maximumFractionDigits: 4 }).format(value)
  const look = { width: Math.max(200, width), height: 210, colours, text: 'var(--text)', grid: 'var(--line)', time, number }
  return (
    <div ref={box}>
      <Drawing size={look} label={part.Title} shapes={width > 0 ? paint(part, look) : []} />
    </div>
  )
}

const Histogram = ({ of }: { of: Spread }) => {
  const t = useWords()
  const [box, width] = useSize()
  const colours = lines[useMode((s) => s.mode)]
  const number = (value: number) => new Intl.NumberFormat(language(), { maximumFractionDigits: 4 }).format(value)
  const look = { width: Math.max(200, width), height: 170, colours, text: 'var(--text)', grid: 'var(--line)', number }
  const title = [of.Name, of.Unit && `(${of.Unit})`, `· ${t('chart.shareOfTime')}`].filter(Boolean).join(' ')
  return (
    <div ref={box}>
      <p className="report-spread">{title}</p>
      {of.Shares.length > 0 && <Drawing size={look} label={title} shapes={width > 0 ? paintSpread(of, look) : []} />}
      {of.Note && <p className="soft">{of.Note}</p>}
    </div>
  )
}

const Histograms = ({ part: { Spreads, More } }: { part: Extract<Part, { Is: 'histogram' }> }) => {
  const t = useWords()
  return (
    <>
      <div className="report-spreads">
        {Spreads.map((of, i) => (
          <Histogram key={i} of={of} />
        ))}
      </div>
      {!Spreads.length && !More && <p className="soft">{t('report.nothing')}</p>}
      {More > 0 && <p className="soft">{t('report.morePoints', { count: More })}</p>}
    </>
  )
}

const NoReadings = ({ part }: { part: Extract<Part, { Is: 'chart' }> }) => (
  <p className="soft">
    {namesOf(part)}
    {useWords()('explore.noData')}
  </p>
)

const Table = ({ part, zone }: { part: Extract<Part, { Is: 'table' }>; zone: string }) => {
  const t = useWords()
  const of = { TimeZone: zone, language: language() }
  if (!part.Rows.length) return <p className="soft">{t('report.nothing')}</p>
  const end = part.Columns.map(({ Is }) => (['number', 'percent', 'duration'].includes(Is) ? 'report-end' : undefined))
  return (
    <div className="report-scroll">
      <table className="report-table">
        <thead>
          <tr>
            {part.Columns.map(({ Title }, i) => (
              <th key={i} className={end[i]}>
                {Title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {part.Rows.slice(0, 50).map((row, i) => (
            <tr key={i}>
              {row.map((cell, k) => (
                <td key={k} className={end[k]}>
                  {cellText(cell, part.Columns[k]!, of)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {part.Rows.length + part.More > 50 && <p className="soft">{t('report.more', { count: part.Rows.length + part.More - 50 })}</p>}
    </div>
  )
}

const Figures = ({ part }: { part: Extract<Part, { Is: 'figures' }> }) => {
  const t = useWords()
  if (!part.Figures.length) return <p className="soft">{t('report.nothing')}</p>
  return (
    <div className="report-figures">
      {part.Figures.map(({ Name, Unit, Digits, Value, Coverage }, i) => (
        <div key={i}>
          <span className="soft">{Name}</span>
          <strong>
            {Value === null ? '–' : numberText(Value, Digits, language())} {Unit}
          </strong>
          {Coverage !== null && <span className="faint">{t('report.covered', { share: shareText(Coverage, language()) })}</span>}
        </div>
      ))}
    </div>
  )
}

/** A static image. */
const Picture = ({ part: { Title, Drawn } }: { part: Extract<Part, { Is: 'picture' }> }) => {
  const src = useMemo(() => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(Drawn))}`, [Drawn])
  return <img className="report-picture" src={src} alt={Title} />
}

const PartView = ({ part, zone }: { part: Part; zone: string }) => {
  if (part.Is === 'title') return part.Text ? <h3>{part.Text}</h3> : null
  if (part.Is === 'break') return <hr />
  return (
    <section>
      {part.Title && <h4>{part.Title}</h4>}
      {part.Is === 'text' && <p className="report-text">{part.Text}</p>}
      {part.Is === 'figures' && <Figures part={part} />}
      {part.Is === 'picture' && <Picture part={part} />}
      {part.Is === 'table' && <Table part={part} zone={zone} />}
      {part.Is === 'histogram' && <Histograms part={part} />}
      {part.Is === 'chart' && (isWithoutReadings(part) ? <NoReadings part={part} /> : <Chart part={part} zone={zone} />)}
    </section>
  )
}

/** A report as it will be, on the screen. */
export const ReportView = ({ report }: { report: ReportDocument }) => (
  <article className="report-view">
    <p className="faint">
      {momentText(report.Start, report.TimeZone)} – {momentText(report.End, report.TimeZone)} ({report.TimeZone})
    </p>
    {report.Parts.map((part, i) => (
      <PartView key={i} part={part} zone={report.TimeZone} />
    ))}
  </article>
)
