// Pages of a report: sizes in points of 1/72 inch.
import type { Paper, ReportDocument } from '../../blocks.ts'

const sizes: Record<Paper, { width: number; height: number }> = {
  A3: { width: 841.89, height: 1190.55 },
  A4: { width: 595.28, height: 841.89 },
  A5: { width: 419.53, height: 595.28 },
  Letter: { width: 612, height: 792 },
  Legal: { width: 612, height: 1008 },
}
/** Margins at the sides, and at the top and the bottom together. */
const [beside, aboveAndBelow] = [80, 104]
/** Small pages take smaller letters. */
const narrow = 400
const tileWidth = 128

type Of = Pick<ReportDocument, 'Paper' | 'Landscape'>
export const pageOf = ({ Paper = 'A4', Landscape }: Of) => {
  const { width, height } = sizes[Paper]
  return { pageSize: { width, height }, pageOrientation: Landscape ? ('landscape' as const) : ('portrait' as const) }
}

/** What a page has room for: two charts one above the other, a picture with its heading, tiles in a row. */
export const roomOf = ({ Paper = 'A4', Landscape }: Of) => {
  const { width: short, height: long } = sizes[Paper]
  const [pageWidth, pageHeight] = Landscape ? [long, short] : [short, long]
  const [width, height] = [Math.round(pageWidth - beside), pageHeight - aboveAndBelow]
  return {
    chart: { width, height: Math.floor(Math.min(width * 0.408, (height - 80) / 2)) },
    picture: [width, Math.round(height - 61)] as [number, number],
    tiles: Math.max(2, Math.min(6, Math.floor(width / tileWidth))),
    fontSize: width < narrow ? 7.5 : 9,
    tableFontSize: (columns: number) => (width < narrow ? (columns > 8 ? 5.5 : 7.5) : 9),
  }
}
