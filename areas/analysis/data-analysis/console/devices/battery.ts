// How fast a battery loses its charge, and how long it will last. Pure.

export type Level = { time: number; value: number }
const dayMs = 86_400_000

/** Student's t for 95 %, two-sided, by degrees of freedom. */
const quantiles = [12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23]
const quantileOf = (freedom: number) => quantiles[freedom - 1] ?? (freedom < 30 ? 2.1 : 1.98)

/** A straight line through levels: slope per day, and how far it may be off (95 %), since neighbouring levels resemble each other. */
export const slopeOf = (levels: readonly Level[]): { slope: number; spread: number } | null => {
  const n = levels.length
  if (n < 3) return null
  const x = levels.map(({ time }) => (time - levels[0]!.time) / dayMs)
  const y = levels.map(({ value }) => value)
  const mean = (of: readonly number[]) => of.reduce((a, b) => a + b, 0) / of.length
  const [mx, my] = [mean(x), mean(y)]
  const wide = x.reduce((sum, at) => sum + (at - mx) ** 2, 0)
  if (!wide) return null
  const slope = x.reduce((sum, at, i) => sum + (at - mx) * (y[i]! - my), 0) / wide
  const rest = y.map((value, i) => value - my - slope * (x[i]! - mx))
  const squares = rest.reduce((sum, r) => sum + r * r, 0)
  const follows = squares ? rest.slice(1).reduce((sum, r, i) => sum + r * rest[i]!, 0) / squares : 0
  const kept = Math.min(0.95, Math.max(0, follows))
  const error = Math.sqrt((squares / (n - 2) / wide) * ((1 + kept) / (1 - kept)))
  return { slope, spread: quantileOf(n - 2) * error }
}

/** From where the level rose by more than a twentieth of its highest: it was charged or changed. */
export const sinceCharge = (levels: readonly Level[]): { levels: readonly Level[]; charged: number | null } => {
  const jump = levels.reduce((most, { value }) => Math.max(most, Math.abs(value)), 0) / 20
  for (let i = levels.length - 1; i > 0; i--)
    if (levels[i]!.value - levels[i - 1]!.value > jump) return { levels: levels.slice(i), charged: levels[i]!.time }
  return { levels, charged: null }
}

/** `falling`: days until it is empty at the likely slope, and at the ends of what the slope may be. `steady`: no clear direction. */
export type Outlook = { is: 'unknown' | 'rising' | 'steady' | 'empty' } | { is: 'falling'; days: number; earliest: number; latest: number }

export const outlookOf = (level: number | null, empty: number | null, line: ReturnType<typeof slopeOf>): Outlook => {
  if (level !== null && empty !== null && level <= empty) return { is: 'empty' }
  if (level === null || empty === null || !line) return { is: 'unknown' }
  const { slope, spread } = line
  if (slope - spread > 0) return { is: 'rising' }
  if (slope + spread >= 0) return { is: 'steady' }
  const rest = level - empty
  return { is: 'falling', days: rest / -slope, earliest: rest / (spread - slope), latest: rest / -(slope + spread) }
}
