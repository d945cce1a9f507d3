// Checks the presence of a person in a shift: late, early, missing or outside the area. Pure.

const [minute, hour] = [60_000, 3_600_000]
/** Margin before and after a shift in which readings count for it, unless another shift of the person is nearer. */
const margin = 4 * hour

export type Place = { Longitude: number; Latitude: number; RadiusM: number }
/** A shift of an assigned person, epoch ms. Readings in [from, to) count for it. */
export type Duty = {
  UserId: number
  /** The day on which the shift begins, in the company's time zone. */
  Day: string
  ShiftName: string
  start: number
  end: number
  from: number
  to: number
  grace: number
  place: Place | null
  /** Whether absence is recorded: only if the person was assigned before the shift began. */
  isWatched: boolean
}
export type Reading = { at: number; RfidId: number | null; Longitude: number | null; Latitude: number | null }

export const punchStatus = { normal: 0, late: 1, early: 2, outside: 3, missing: 4, corrected: 5 } as const
export const [onDuty, offDuty] = [1, 2] as const
export type Punch = {
  PunchType: typeof onDuty | typeof offDuty
  Status: number
  at: number
  planned: number
  RfidId: number | null
  metres: number | null
}

/** Merges several shifts of a person on a day into one duty, from the first start to the last end. Gaps between duties are split in half. */
export const withWindows = (duties: readonly Omit<Duty, 'from' | 'to'>[]): Duty[] => {
  const ofDay = Map.groupBy(
    duties.toSorted((a, b) => a.UserId - b.UserId || a.start - b.start),
    ({ UserId, Day }) => `${UserId} ${Day}`,
  )
  const merged = [...ofDay.values()].map((all) => ({
    ...all[0]!,
    end: Math.max(...all.map(({ end }) => end)),
    ShiftName: [...new Set(all.map(({ ShiftName }) => ShiftName))].join(', '),
  }))
  const half = (a: number, b: number) => Math.floor((a + b) / 2)
  return merged.map((duty, i) => {
    const [before, after] = [merged[i - 1], merged[i + 1]]
    const from = Math.max(duty.start - margin, before?.UserId === duty.UserId ? half(before.end, duty.start) : Number.NEGATIVE_INFINITY)
    const to = Math.min(duty.end + margin, after?.UserId === duty.UserId ? half(duty.end, after.start) : Number.POSITIVE_INFINITY)
    return { ...duty, from, to }
  })
}

const radians = (degrees: number) => (degrees * Math.PI) / 180
/** Great-circle distance, m. Null if either position is missing. */
export const metresBetween = (place: Place | null, { Longitude, Latitude }: Pick<Reading, 'Longitude' | 'Latitude'>): number | null => {
  if (!place || Longitude === null || Latitude === null) return null
  const [a, b] = [radians(place.Latitude), radians(Latitude)]
  const h = Math.sin((b - a) / 2) ** 2 + Math.cos(a) * Math.cos(b) * Math.sin(radians(Longitude - place.Longitude) / 2) ** 2
  return Math.round(2 * 6_371_000 * Math.asin(Math.min(1, Math.sqrt(h))))
}

/**
 * Returns the punches of a duty from the readings in its window, in order of time. The first reading is the arrival and the last one the
 * departure; a single reading counts for the nearer end. Arrival is set immediately, departure shortly before the shift ends, absence after the
 * grace period.
 */
export const judgeDuty = (duty: Duty, readings: readonly Reading[], now: number): Punch[] => {
  const { start, end, grace, place } = duty
  const middle = (start + end) / 2
  const [first, last] = [readings[0], readings.at(-1)]
  const isOver = now >= duty.to
  const came = first && (readings.length > 1 || first.at < middle) ? first : undefined
  const left = last && (readings.length > 1 || last.at >= middle) && (isOver || last.at >= end - grace) ? last : undefined
  const punch = (PunchType: Punch['PunchType'], { at, RfidId, ...position }: Reading, isOff: boolean): Punch => {
    const metres = metresBetween(place, position)
    const isOutside = metres !== null && metres > place!.RadiusM
    const off = PunchType === onDuty ? punchStatus.late : punchStatus.early
    const Status = isOutside ? punchStatus.outside : isOff ? off : punchStatus.normal
    return { PunchType, Status, at, planned: PunchType === onDuty ? start : end, RfidId, metres }
  }
  const missing = (PunchType: Punch['PunchType'], planned: number): Punch[] =>
    duty.isWatched ? [{ PunchType, Status: punchStatus.missing, at: planned, planned, RfidId: null, metres: null }] : []
  return [
    ...(came ? [punch(onDuty, came, came.at > start + grace)] : now > start + grace ? missing(onDuty, start) : []),
    ...(left ? [punch(offDuty, left, left.at < end - grace)] : isOver ? missing(offDuty, end) : []),
  ]
}

export const graceOf = (minutes: number) => minutes * minute
