/** Numbers in [0, 1), the same for the same seed (mulberry32). */
export type Random = () => number
export const seeded = (seed: number): Random => {
  let a = seed >>> 0
  return () => {
    a = (a + 0x6d2b79f5) >>> 0
    let t = Math.imul(a ^ (a >>> 15), a | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** About normally distributed around 0, deviation 1. */
export const noise = (random: Random) => (random() + random() + random() + random() - 2) * 1.7320508

/** `from` on its way to `to` with a time constant, after dt (both s). */
export const approach = (from: number, to: number, dt: number, tau: number) => to + (from - to) * Math.exp(-dt / tau)

/**
 * The same with noise around it, whose deviation does not depend on dt: live steps are short, those of the past long. An Ornstein-Uhlenbeck
 * process.
 */
export const fluctuate = (from: number, to: number, dt: number, tau: number, deviation: number, random: Random) => {
  const left = Math.exp(-dt / tau)
  return to + (from - to) * left + noise(random) * deviation * Math.sqrt(1 - left * left)
}

export const clamp = (x: number, low: number, high: number) => Math.min(high, Math.max(low, x))
