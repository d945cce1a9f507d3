/** Values from `low` to `high`, both included. */
export type Span = readonly [low: number, high: number]
export const every: Span = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
export const none: Span = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]

/** The next representable number or a slightly larger one; values in between are not prefiltered. */
export const next = (x: number) => x + Math.abs(x) * Number.EPSILON + Number.MIN_VALUE
export const last = (x: number) => x - Math.abs(x) * Number.EPSILON - Number.MIN_VALUE
export const from = (low: number): Span => [low, Number.POSITIVE_INFINITY]
export const upTo = (high: number): Span => [Number.NEGATIVE_INFINITY, high]
