/** Position of rotation and flow, and whether blinking items are visible. */
export type Moving = { angle: number; offset: number; blinkOn: boolean }

/** Offset of flowing dashes: the sign is the direction, and the amount up to 1 the share of full speed. */
export const flowed = (flow: number, offset: number) => -Math.sign(flow) * Math.max(0.15, Math.min(1, Math.abs(flow))) * offset
