import { periodsOf } from '../../../../server/telemetry/meaning/periods.ts'
import type { Block, Curve, Part } from '../blocks.ts'
import { isWithoutReadings } from '../chart.ts'
import { digitsOf, type Making, shortNames, shownOf, taken, unitOf } from './making.ts'

/** Curves of one chart, all of one unit; buckets of a curve. */
const most = { curves: 5, buckets: 400, bars: 120 }

const unitOfBars = ({ Unit = 'day' }: Block) => (Unit === 'shift' ? 'day' : Unit)

/** Points by their unit, some at a time. */
const inCharts = (curves: readonly Curve[]) =>
  [...Map.groupBy(curves, ({ Unit }) => Unit).values()].flatMap((of) =>
    Array.from({ length: Math.ceil(of.length / most.curves) }, (_, i) => of.slice(i * most.curves, (i + 1) * most.curves)),
  )

const lines = async (making: Making, block: Block): Promise<Curve[]> => {
  const { points } = taken(making, block)
  if (!points.length) return []
  const names = shortNames(points)
  const { start, end } = making.span
  const answer = await making.query.series({ ids: points.map((p) => p.ParaId), start, end, zone: making.zone, buckets: most.buckets })
  return answer.Series.map(({ Time, Avg }, i) => ({
    ...{ Name: names[i]!, Unit: points[i]!.ParaUnitName, Digits: points[i]!.DecimalDigits, Time, Value: Avg },
  }))
}

const bars = async (making: Making, block: Block): Promise<Curve[]> => {
  const { points, meanings } = taken(making, block)
  const names = shortNames(points)
  const { start, end } = making.span
  const edges = periodsOf(unitOfBars(block), start, end, making.zone).edges
  // More bars than fit on a page cannot be read.
  if (edges.length - 1 > most.bars) return lines(making, block)
  const found = await making.figures(meanings, { edges })
  return points.map((p, i) => ({
    ...{ Name: names[i]!, Unit: unitOf(p, making.language), Digits: digitsOf(p), Time: edges.slice(0, -1) },
    Value: found[i]!.parts.map((part) => shownOf(p, part)),
  }))
}

export const chartParts = async (making: Making, block: Block, Title: string): Promise<Part[]> => {
  const { start: Start, end: End } = making.span
  const isBars = block.Type === 'bars' && periodsOf(unitOfBars(block), Start, End, making.zone).edges.length - 1 <= most.bars
  const curves = await (isBars ? bars : lines)(making, block)
  // One message replaces all charts if no point has readings.
  const isEmpty = curves.length > 0 && isWithoutReadings({ Curves: curves })
  return (isEmpty ? [curves] : inCharts(curves)).map(
    (Curves, i): Part => ({ Is: 'chart', Title: i ? '' : Title, Bars: isBars, Start, End, Curves }),
  )
}
