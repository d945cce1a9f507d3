import { language, useWords } from '../../../../console/words/words.ts'
import type { Cell } from '../../../../contract/cell.ts'
import './plainTable.css'

const cellText = (cell: Cell) =>
  typeof cell === 'number' ? new Intl.NumberFormat(language(), { maximumFractionDigits: 4 }).format(cell) : String(cell ?? '')

const mostShown = 200
type Props = { table: readonly (readonly Cell[])[]; label: string; isLastFirst?: boolean }
/** The keyboard scrolls the focused element. */
const focusable = (element: HTMLElement | null) => {
  if (element) element.tabIndex = 0
}
/** The table behind a chart, titles first; a file has the rows beyond those shown. */
export const PlainTable = ({ table, label, isLastFirst = false }: Props) => {
  const t = useWords()
  const [head = [], ...given] = table
  const rows = isLastFirst ? given.toReversed() : given
  return (
    <section ref={focusable} className="chart-table" aria-label={label}>
      <table aria-label={label}>
        <thead>
          <tr>
            {head.map((cell, i) => (
              <th key={i}>{cellText(cell)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, mostShown).map((row, i) => (
            <tr key={i}>
              {row.map((cell, k) => (
                <td key={k} className={typeof cell === 'number' ? 'figures chart-number' : undefined}>
                  {cellText(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > mostShown && <p className="soft">{t('chart.more', { count: rows.length - mostShown })}</p>}
    </section>
  )
}
