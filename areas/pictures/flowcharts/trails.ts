// Lines over time, from stored readings and those received since. Pure except for its buffers.
import { numberText, timeIn } from '../../../contract/formats.ts'
import type { Curve, Places } from '../../../contract/picture/look.ts'
import { type Span, spanMs } from '../../../contract/picture/scene.ts'
import type { ParaInfo } from '../../../contract/telemetry.ts'
import type { Curves, Past } from './contract.ts'

/** Readings of a point in a range; if there are many, minimum and maximum of each part. */
type Values = readonly (number | null)[]
type Stored = { step: number; time: readonly number[]; low: Values; high: Values; mean: Values }
/** A reading, or an interval of readings: time, mean, minimum and maximum. */
export type Reading = readonly [time: number, value: number, low: number, high: number]
type Range = { start: number; end: number }
const mostKept = 2000

/** The value range of an axis; without configured limits, from the lowest to the highest displayed value. */
export type Scale = { low: number; high: number }

export class Trails {
  #stored = new Map<string, Stored>()
  readonly #since = new Map<number, [time: number, value: number | null][]>()
  #past: { of: Past; range: Range } | undefined

  setCurves(curves: Curves) {
    this.#stored = new Map(
      curves.flatMap(({ Span, Step, Points }) =>
        Points.map(
          ({ ParaId, Time, Low, High, Mean }) =>
            [`${Span} ${ParaId}`, { step: Step, time: Time, low: Low, high: High, mean: Mean }] as const,
        ),
      ),
    )
  }
  /** A range in the past instead of the present. */
  setPast(past: { of: Past; range: Range } | undefined) {
    this.#past = past
  }
  /** Adds a new reading of a point. */
  take(id: number, time: number, value: number | null) {
    const own = this.#since.get(id) ?? []
    if ((own.at(-1)?.[0] ?? Number.NEGATIVE_INFINITY) >= time) return
    own.push([time, value])
    if (own.length > mostKept) own.splice(0, mostKept / 2)
    this.#since.set(id, own)
  }

  rangeOf(span: Span, now: number): Range {
    return this.#past?.range ?? { start: now - spanMs[span], end: now }
  }

  /** Its readings in order of time; null marks a gap. */
  readings({ ParaId, ExpectedMs }: Pick<ParaInfo, 'ParaId' | 'ExpectedMs'>, span: Span, now: number): (Reading | null)[] {
    const past = this.#past?.of
    const of = past?.Points.find((point) => point.ParaId === ParaId)
    const stored = past
      ? of && { step: past.Step, time: of.Time, low: of.Value, high: of.Value, mean: of.Value }
      : this.#stored.get(`${span} ${ParaId}`)
    const { start } = this.rangeOf(span, now)
    const found: (Reading | null)[] = []
    const silence = Math.max(3 * ExpectedMs, 2.5 * (stored?.step ?? 0)) + 1000
    let last: number | undefined
    const add = (time: number, value: number | null | undefined, low = value, high = value) => {
      if (time < start || time > now) return
      if (value === null || value === undefined || (last !== undefined && time - last > silence)) found.push(null)
      if (value !== null && value !== undefined) found.push([time, value, low ?? value, high ?? value])
      last = time
    }
    for (const [i, time] of (stored?.time ?? []).entries()) add(time, stored?.mean[i], stored?.low[i], stored?.high[i])
    const until = stored?.time.at(-1) ?? Number.NEGATIVE_INFINITY
    if (!past) for (const [time, value] of this.#since.get(ParaId) ?? []) if (time > until) add(time, value)
    return found
  }
}

/** From the lowest to the highest value, with a margin; configured limits take precedence. */
export const scaleOf = (lines: readonly (readonly (Reading | null)[])[], low?: number, high?: number): Scale => {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const line of lines)
    for (const place of line) {
      if (!place) continue
      if (place[2] < least) least = place[2]
      if (place[3] > most) most = place[3]
    }
  if (least > most) return { low: low ?? 0, high: high ?? 1 }
  const room = (most - least || Math.abs(most) || 1) * 0.05
  return { low: low ?? least - room, high: high ?? most + room }
}

const sharesOf = ({ start, end }: Range, { low, high }: Scale) => ({
  x: (time: number) => (time - start) / (end - start),
  y: (value: number) => (high === low ? 0.5 : (value - low) / (high - low)),
})
export const placesIn = (line: readonly (Reading | null)[], range: Range, scale: Scale): Places => {
  const { x, y } = sharesOf(range, scale)
  return line.map((place) => place && [x(place[0]), y(place[1])])
}
/** The area between minimum and maximum, section by section. */
export const bandIn = (line: readonly (Reading | null)[], range: Range, scale: Scale): NonNullable<Curve['band']> => {
  const { x, y } = sharesOf(range, scale)
  const pieces: Reading[][] = [[]]
  for (const place of line) {
    if (place) pieces.at(-1)!.push(place)
    else if (pieces.at(-1)!.length) pieces.push([])
  }
  return pieces
    .filter((piece) => piece.length > 1 && piece.some(([, , low, high]) => low !== high))
    .map((piece) => [
      ...piece.map(([time, , , high]) => [x(time), y(high)] as const),
      ...piece.toReversed().map(([time, , low]) => [x(time), y(low)] as const),
    ])
}

/** An axis label, with as many decimals as its range needs. */
export const axisText = (value: number, { low, high }: Scale, locale: string) => {
  const size = Math.abs(high - low) || 1
  return numberText(value, size >= 100 ? 0 : size >= 10 ? 1 : 2, locale)
}
/** A time label of an axis: the time of day, or the day if the axis is long. */
export const momentText = (epoch: number, { start, end }: Range, zone: string) => {
  const text = timeIn(epoch, zone)
  return end - start > 2 * spanMs['24h'] ? text.slice(5, 16) : text.slice(11, 16)
}
