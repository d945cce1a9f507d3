import { describe, expect, test } from 'vitest'
import { contrast } from '../../../../console/theme/contrast.ts'
import { colours, lines } from '../../../../console/theme/tokens.ts'
import { paperColours } from '../drawing.ts'

type Three = readonly [number, number, number]
/** Linear sRGB, 0 to 1. */
const linearOf = (hex: string) =>
  [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)) as unknown as Three
const times = (rows: readonly Three[], of: Three) => rows.map((row) => row[0] * of[0] + row[1] * of[1] + row[2] * of[2]) as unknown as Three
/** Complete deuteranopia (Machado, Oliveira and Fernandes, 2009), on linear sRGB. */
const deuteranopia: Three[] = [
  [0.367322, 0.860646, -0.227968],
  [0.280085, 0.672501, 0.047413],
  [-0.01182, 0.04294, 0.968881],
]
/** CIE L*a*b* under D65. */
const labOf = (rgb: Three): Three => {
  const xyz: Three[] = [
    [0.4124 / 0.95047, 0.3576 / 0.95047, 0.1805 / 0.95047],
    [0.2126, 0.7152, 0.0722],
    [0.0193 / 1.08883, 0.1192 / 1.08883, 0.9505 / 1.08883],
  ]
  const [x, y, z] = times(xyz, rgb).map((t) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116)) as unknown as Three
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}
const apart = (a: Three, b: Three) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
const pairs = <T>(all: readonly T[]) => all.flatMap((a, i) => all.slice(i + 1).map((b) => [a, b] as const))

describe.each([
  ['light', lines.light, colours.light.surface],
  ['dark', lines.dark, colours.dark.surface],
  ['paper', paperColours, '#ffffff'],
] as const)('colours of charts, %s', (_, all, ground) => {
  test('are seen on their ground', () => {
    for (const colour of all) expect(contrast(colour, ground), colour).toBeGreaterThanOrEqual(3)
  })
  test('are distinct for readers with deuteranopia', () => {
    const seen = all.map((colour) =>
      labOf(times(deuteranopia, linearOf(colour)).map((c) => Math.min(1, Math.max(0, c))) as unknown as Three),
    )
    for (const [a, b] of pairs(all.map((colour, i) => ({ colour, lab: seen[i]! }))))
      expect(apart(a.lab, b.lab), `${a.colour} ${b.colour}`).toBeGreaterThan(15)
  })
  test('are distinct in grey', () => {
    for (const [a, b] of pairs(all)) expect(Math.abs(labOf(linearOf(a))[0] - labOf(linearOf(b))[0]), `${a} ${b}`).toBeGreaterThan(5)
  })
})
