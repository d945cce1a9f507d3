// How much a report holds in all: thirty blocks about a hundred points would be millions of figures.
import type { Language } from '../../../../contract/languages.ts'
import { word } from '../../../../server/http/words.ts'
import type { Part } from '../blocks.ts'

/** Cells of tables and values of curves; characters of pictures. */
const [mostCells, mostDrawn] = [100_000, 3_000_000]

/** Cuts parts to the remaining size of a report: tables get fewer rows and a note, curves fewer points. */
export const openRoom = (language: Language) => {
  let [left, drawn] = [mostCells, mostDrawn]
  return (part: Part): Part => {
    if (part.Is === 'picture') {
      drawn -= part.Size
      return drawn < 0 ? { Is: 'text', Title: part.Title, Text: word(language, 'report.pictureTooLarge') } : part
    }
    if (part.Is === 'table') {
      const Rows = part.Rows.slice(0, Math.floor(left / Math.max(1, part.Columns.length)))
      left -= Rows.length * part.Columns.length
      return { ...part, Rows, More: part.More + part.Rows.length - Rows.length }
    }
    if (part.Is === 'histogram') {
      const Spreads = part.Spreads.filter(({ Shares }) => {
        const fits = Shares.length <= left
        if (fits) left -= Shares.length
        return fits
      })
      return { ...part, Spreads, More: part.More + part.Spreads.length - Spreads.length }
    }
    if (part.Is !== 'chart') return part
    const values = part.Curves.reduce((sum, { Value }) => sum + Value.length, 0)
    const every = values > left ? Math.ceil(values / Math.max(1, left)) : 1
    const stays = <T>(all: readonly T[]) => (every === 1 ? [...all] : all.filter((_, i) => i % every === 0))
    const Curves = part.Curves.map((curve) => ({ ...curve, Time: stays(curve.Time), Value: stays(curve.Value) }))
    left = Math.max(0, left - Curves.reduce((sum, { Value }) => sum + Value.length, 0))
    return { ...part, Curves }
  }
}
