import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'

const [every, day] = [300_000, 86_400_000]

/** Readings of a past every five minutes, of one UTC day after the other. */
export const loadLevels = async (telemetry: Telemetry, points: readonly number[], from: number, to: number) => {
  const midnight = Math.ceil((from + 1) / day) * day
  for (const [lo, hi] of [
    [from, Math.min(to, midnight)],
    [midnight, to],
  ] as const) {
    const moments = Array.from({ length: Math.max(0, Math.floor((hi - lo) / every)) }, (_, i) => ({
      time: lo + i * every,
      value: 20 + (i % 7),
    }))
    const rows = points.flatMap((point) => moments.map((of) => ({ point, ...of, quality: 0 })))
    if (!rows.length) continue
    await telemetry.load(
      (async function* () {
        yield rows
      })(),
    )
  }
}
