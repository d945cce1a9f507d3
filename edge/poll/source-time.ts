/** How far the clock of a source may be from the gateway's, ms. */
const farthest = 5 * 60_000

/**
 * The time of a reading: that of its source, if it is near the gateway's clock and after the point's last. Otherwise the gateway's, and
 * the reading is doubtful.
 */
export const timeOf = (source: number, now: number, last: number | undefined): { T: number; isDoubtful: boolean } => {
  const isGood = Number.isFinite(source) && Math.abs(source - now) <= farthest && (last === undefined || source > last)
  if (isGood) return { T: Math.round(source), isDoubtful: false }
  // One reading a millisecond, unless the clock was set back.
  return { T: last !== undefined && now <= last && last - now < 1000 ? last + 1 : now, isDoubtful: true }
}
