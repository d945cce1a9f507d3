/** How far everything that turns or flows has moved, and whether what blinks is on. */
export type Moving = { angle: number; offset: number; blinkOn: boolean }

/** How far dashes have flowed: the sign is the direction, and up to 1 the share of the full speed. */
export const flowed = (flow: number, offset: number) => -Math.sign(flow) * Math.max(0.15, Math.min(1, Math.abs(flow))) * offset
