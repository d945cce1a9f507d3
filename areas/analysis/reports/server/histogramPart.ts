import type { ParaInfo } from '../../../../contract/telemetry.ts'
import { Fault } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import { ownTurn } from '../../../../server/jobs/ownTurn.ts'
import type { Meaning } from '../../../../server/telemetry/meaning/statistics.ts'
import { mostSpread } from '../../telemetry/contract.ts'
import { distributionOf } from '../../telemetry/server/service.ts'
import type { Part, Spread } from '../blocks.ts'
import { momentText } from '../text.ts'
import { type Making, shortNames, taken } from './making.ts'

/** One point at a time, so that each has the room for readings that a question has. */
const spreadOf = async (making: Making, point: ParaInfo, meaning: Meaning, Name: string): Promise<Spread> => {
  const { span, now, statistics, language, zone } = making
  const none = { Name, Unit: point.ParaUnitName, Low: 0, Width: 1, Shares: [] }
  const edges = [span.start, Math.min(span.end, now)]
  const whole = { periods: { edges }, nameOf: () => null, partialOf: () => 0 }
  try {
    const [found] = await distributionOf(statistics, [meaning], whole)
    if (!found?.HeldMs) return { ...none, Note: word(language, 'explore.noData') }
    const { Bins, HeldMs, ReadingsSince: since } = found
    const Note = since === null ? '' : word(language, 'chart.readingsSince', { time: momentText(since, zone) })
    return { ...none, Low: Bins.Low, Width: Bins.Width, Shares: Bins.Ms.map((ms) => ms / HeldMs), Note }
  } catch (error) {
    if (error instanceof Fault && error.key === 'rangeTooLong') return { ...none, Note: word(language, 'report.tooManyReadings') }
    throw error
  }
}

/** Histograms of levels and rates. Running counters have no distribution worth showing, and states have times on and off. */
export const histogramPart = async (making: Making, Title: string): Promise<Part> => {
  const { points, meanings } = taken(making, { Points: 'levels' })
  const names = shortNames(points)
  const Spreads: Spread[] = []
  for (const [i, point] of points.slice(0, mostSpread).entries()) {
    await ownTurn()
    Spreads.push(await spreadOf(making, point, meanings[i]!, names[i]!))
  }
  return { Is: 'histogram', Title, Spreads, More: Math.max(0, points.length - mostSpread) }
}
