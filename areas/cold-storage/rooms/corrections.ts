// Offsets of calibrations, each of which counts from its date on.

/** Offsets with their start times. */
export type From = { at: number; offset: number }

export const offsetAt = (steps: readonly From[], at: number): number => steps.findLast((step) => step.at <= at)?.offset ?? 0

/** A corrected reading, rounded to remove floating-point noise. */
export const corrected = (value: number, offset: number): number => (offset === 0 ? value : Math.round((value + offset) * 1e9) / 1e9)
