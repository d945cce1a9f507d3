const channels = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
const hex = (rgb: readonly number[]) => `#${rgb.map((c) => Math.round(c).toString(16).padStart(2, '0')).join('')}`
const clamped = (share: number) => Math.min(1, Math.max(0, Number.isFinite(share) ? share : 0))

/** Relative luminance, WCAG 2.2. */
const luminance = (colour: string) => {
  const [r = 0, g = 0, b = 0] = channels(colour).map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Contrast ratio of two `#rrggbb` colours, 1 to 21 (WCAG 2.2, 1.4.3). */
export const contrast = (a: string, b: string) => {
  const [high = 1, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (high + 0.05) / (low + 0.05)
}

/** Blends a share of one colour over another. */
export const mix = (colour: string, over: string, share: number) => {
  const ground = channels(over)
  return hex(channels(colour).map((c, i) => c * clamped(share) + ground[i]! * (1 - clamped(share))))
}

/** The colour darkened by a ratio, which is clamped between 0 and 1 (specification, section 5). */
export const shade = (colour: string, ratio: number) => mix(colour, '#000000', 1 - clamped(ratio))

const until = (colour: string, to: string, ground: string, ratio: number): string => {
  let share = 1
  while (share > 0 && contrast(mix(colour, to, share), ground) < ratio) share -= 0.02
  return mix(colour, to, share)
}

/** The colour, darkened in small steps to at least the given contrast with the background (ruling 44). */
export const readable = (colour: string, ground: string, ratio: number): string => until(colour, '#000000', ground, ratio)

/** The same on a dark background: lightened. */
export const readableLight = (colour: string, ground: string, ratio: number): string => until(colour, '#ffffff', ground, ratio)

/** Black or white, whichever has more contrast; the worst case over all backgrounds is 4.58:1. */
export const textOn = (ground: string): string => (contrast('#ffffff', ground) >= contrast('#000000', ground) ? '#ffffff' : '#000000')
