const known = new Map<string, boolean>()

/** True for a name of the IANA time zone database that this run-time knows. */
export const isZone = (name: string): boolean => {
  const cached = known.get(name)
  if (cached !== undefined) return cached
  let good = true
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
  } catch {
    good = false
  }
  if (known.size < 2000) known.set(name, good)
  return good
}

/** Minutes east of UTC at a moment. */
export const offsetMinutes = (zone: string, at: Date): number => {
  const name = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
    .formatToParts(at)
    .find((p) => p.type === 'timeZoneName')!.value
  const [, sign, h, m] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? []
  return sign ? (sign === '-' ? -1 : 1) * (Number(h) * 60 + Number(m)) : 0
}

/** What the wall shows, as minutes since midnight. */
export const wallMinutes = (zone: string, at: Date): number => {
  const minute = Math.floor(at.getTime() / 60_000) + offsetMinutes(zone, at)
  return ((minute % 1440) + 1440) % 1440
}
