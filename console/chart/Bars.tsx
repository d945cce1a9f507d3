import { Link } from 'react-router'
import './bars.css'

export type Bar = { key: string; label: string; count: number; to: string; title: string }

/** Counts as columns, such as by day; each links to the counted rows. */
export const Columns = ({ bars, label }: { bars: readonly Bar[]; label: string; of?: number | undefined }) => {
  const most = Math.max(1, ...bars.map((b) => b.count))
  // Show fewer labels, so that they do not overlap.
  const every = Math.ceil(bars.length / 7)
  return (
    <ol className="bar-columns" aria-label={label}>
      {bars.map((b, i) => (
        <li key={b.key}>
          {b.count > 0 && (
            <Link to={b.to} title={b.title} aria-label={b.title}>
              <span className="bar-columns-count">{b.count}</span>
              <span className="bar-columns-bar" style={{ height: `${(b.count / most) * 100}%` }} />
            </Link>
          )}
          <span className="bar-columns-label">{(bars.length - 1 - i) % every === 0 ? b.label : ''}</span>
        </li>
      ))}
    </ol>
  )
}

/** Counts as rows with a label. Bars are relative to `of`, or to the largest; a single bar would carry no information. */
export const Rows = ({ bars, label, of }: { bars: readonly Bar[]; label: string; of?: number | undefined }) => {
  const most = of ?? Math.max(1, ...bars.map((b) => b.count))
  return (
    <ol className="bar-rows" aria-label={label}>
      {bars.map((b) => (
        <li key={b.key}>
          <Link to={b.to} title={b.title}>
            <span className="bar-rows-label">{b.label}</span>
            <span className={bars.length > 1 ? 'bar-rows-track' : undefined}>
              {bars.length > 1 && <span className="bar-rows-bar" style={{ width: `${(b.count / most) * 100}%` }} />}
            </span>
            <span className="figures">{b.count}</span>
          </Link>
        </li>
      ))}
    </ol>
  )
}
