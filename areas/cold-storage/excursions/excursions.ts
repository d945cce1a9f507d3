// When a room was too warm or too cold, worked out from readings alone. A reading holds until the next one, but no longer than `holdMs`: a gap
// is unknown, never within the band.

/** Maximum time a value is held. Rules for medicine require a record every 30 minutes. */
export const holdMs = 1_800_000
/** Excursions that are less than this apart are one. */
export const apartMs = 300_000
/** kJ/mol, and kJ/(mol K). */
export const activationEnergy = 83.144
const gasConstant = 8.3144e-3
const kelvin = 273.15

/** A corrected value; null is no value. */
export type Reading = { time: number; value: number | null }
export type Band = { low: number | null; high: number | null }
/** 1 above the band, 2 below. */
export type Side = 1 | 2
/** 0 not over, 1 back within the band, 2 the readings ended. */
export type Ended = 0 | 1 | 2
export type Excursion = {
  side: Side
  begin: number
  end: number
  ended: Ended
  peak: number
  peakAt: number
  limit: number
  /** ms outside the band that readings prove. */
  outsideMs: number
  degreeMinutes: number
  mkt: number
}

/** Mean kinetic temperature, °C, of values with weights such as durations. */
export const meanKinetic = (values: readonly { value: number; weight: number }[], energy = activationEnergy): number | null => {
  const k = energy / gasConstant
  let [weights, sum] = [0, 0]
  for (const { value, weight } of values) {
    weights += weight
    sum += weight * Math.exp(-k / (value + kelvin))
  }
  return weights > 0 ? k / -Math.log(sum / weights) - kelvin : null
}

const thousandths = (value: number) => Math.round(value * 1000) / 1000

type Open = Omit<Excursion, 'side' | 'degreeMinutes' | 'mkt'> & { degreeMs: number; held: { value: number; weight: number }[] }
const closed = ({ degreeMs, held, ...of }: Open, side: Side): Excursion => ({
  ...of,
  side,
  degreeMinutes: thousandths(degreeMs / 60_000),
  mkt: thousandths(meanKinetic(held)!),
})

/** How far a value is outside a limit; 0 within. */
const beyond = (value: number, limit: number, side: Side) => Math.max(0, side === 1 ? value - limit : limit - value)

/** Excursions of one side. `bandAt` is the band that counts at a moment; nothing is known from `until` on. */
const ofSide = (readings: readonly Reading[], bandAt: (time: number) => Band, side: Side, until: number): Excursion[] => {
  const found: Excursion[] = []
  let open: Open | undefined
  const close = () => {
    if (open) found.push(closed(open, side))
    open = undefined
  }
  for (const [i, { time, value }] of readings.entries()) {
    if (time >= until) break
    const next = readings[i + 1]?.time ?? Number.POSITIVE_INFINITY
    const end = Math.min(next, time + holdMs, until)
    const { low, high } = bandAt(time)
    const limit = side === 1 ? high : low
    const excess = value === null || limit === null ? 0 : beyond(value, limit, side)
    if (open && time - open.end >= apartMs) close()
    if (!excess) {
      if (open && open.end === time && value !== null) open.ended = 1
      continue
    }
    open ??= { begin: time, end, ended: 2, peak: value!, peakAt: time, limit: limit!, outsideMs: 0, degreeMs: 0, held: [] }
    open.end = end
    open.ended = end === until && next > until && time + holdMs > until ? 0 : 2
    open.outsideMs += end - time
    open.degreeMs += excess * (end - time)
    open.held.push({ value: value!, weight: end - time })
    if (beyond(value!, limit!, side) > beyond(open.peak, limit!, side)) [open.peak, open.peakAt] = [value!, time]
  }
  close()
  return found
}

/** Excursions of readings in order of time, by their begin. */
export const excursionsOf = (readings: readonly Reading[], bandAt: (time: number) => Band, until: number): Excursion[] =>
  [...ofSide(readings, bandAt, 1, until), ...ofSide(readings, bandAt, 2, until)].sort((a, b) => a.begin - b.begin || a.side - b.side)
