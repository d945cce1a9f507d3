// How much a report holds in all: thirty blocks about a hundred points would be millions of figures, on more than a thousand pages.
import type { Language } from '../../../../contract/languages.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import type { BlockType, Part } from '../blocks.ts'

/** Cells of tables, some 250 pages of a table with nine columns; values of curves and histograms; characters of pictures. */
const [mostCells, mostValues, mostDrawn] = [100_000, 100_000, 3_000_000]

type Table = Extract<Part, { Is: 'table' }>
/**
 * Rows that count. The template decides how many rows a table over time has, so the rows it leaves out count as well. Lists such as alarms are
 * cut with a note: a bad week must not prevent a report.
 */
const rowsOf = ({ Rows, More }: Table, type: BlockType) => Rows.length + (type === 'timeTable' ? More : 0)

/**
 * Limits parts to the remaining size of a report. @throws FieldFaults for the block whose table exceeds it. Curves get fewer points; histograms
 * and pictures that are too large get a note.
 */
export const openRoom = (language: Language) => {
  let [cells, values, drawn] = [mostCells, mostValues, mostDrawn]
  return (part: Part, type: BlockType): Part => {
    if (part.Is === 'picture') {
      drawn -= part.Size
      return drawn < 0 ? { Is: 'text', Title: part.Title, Text: word(language, 'report.pictureTooLarge') } : part
    }
    if (part.Is === 'table') {
      cells -= rowsOf(part, type) * part.Columns.length
      if (cells < 0) throw new FieldFaults([{ field: 'Type', rule: 'reportTooLong', values: { max: mostCells } }], 'reportTooLong')
      return part
    }
    if (part.Is === 'histogram') {
      const Spreads = part.Spreads.filter(({ Shares }) => {
        const fits = Shares.length <= values
        if (fits) values -= Shares.length
        return fits
      })
      return { ...part, Spreads, More: part.More + part.Spreads.length - Spreads.length }
    }
    if (part.Is !== 'chart') return part
    const count = part.Curves.reduce((sum, { Value }) => sum + Value.length, 0)
    const every = count > values ? Math.ceil(count / Math.max(1, values)) : 1
    const stays = <T>(all: readonly T[]) => (every === 1 ? [...all] : all.filter((_, i) => i % every === 0))
    const Curves = part.Curves.map((curve) => ({ ...curve, Time: stays(curve.Time), Value: stays(curve.Value) }))
    values = Math.max(0, values - Curves.reduce((sum, { Value }) => sum + Value.length, 0))
    return { ...part, Curves }
  }
}
