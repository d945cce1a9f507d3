const channels = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))

/** Relative luminance, WCAG 2.2. */
const luminance = (hex: string) => {
  const [r = 0, g = 0, b = 0] = channels(hex).map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Contrast ratio of two `#rrggbb` colours, 1 to 21 (WCAG 2.2, 1.4.3). */
export const contrast = (a: string, b: string) => {
  const [high = 1, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (high + 0.05) / (low + 0.05)
}

/** The colour, darkened in small steps until it reads on the ground with at least the given ratio (ruling 44). */
export const readable = (colour: string, ground: string, ratio: number): string => {
  let factor = 1
  const shade = () =>
    `#${channels(colour)
      .map((c) =>
        Math.round(c * factor)
          .toString(16)
          .padStart(2, '0'),
      )
      .join('')}`
  while (factor > 0 && contrast(shade(), ground) < ratio) factor -= 0.02
  return shade()
}
