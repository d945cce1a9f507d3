/** Maximum difference between the clocks of a source and the gateway, ms. */
const farthest = 5 * 60_000

/**
 * The time of a reading: the source's, if it is near the gateway's clock and after the point's last reading. Otherwise the gateway's time, and
 * the reading is doubtful.
 */
export const timeOf = (source: number, now: number, last: number | undefined): { T: number; isDoubtful: boolean } => {
  const isGood = Number.isFinite(source) && Math.abs(source - now) <= farthest && (last === undefined || source > last)
  if (isGood) return { T: Math.round(source), isDoubtful: false }
  // One reading per millisecond, unless the clock was set back.
  return { T: last !== undefined && now <= last && last - now < 1000 ? last + 1 : now, isDoubtful: true }
}
