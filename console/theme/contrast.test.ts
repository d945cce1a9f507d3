import { describe, expect, it } from 'vitest'
import { contrast, readable } from './contrast.ts'
import { colours } from './tokens.ts'

describe('contrast', () => {
  it('is 21 for black on white and the same both ways', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
    expect(contrast('#1d8df0', '#ffffff')).toBeCloseTo(contrast('#ffffff', '#1d8df0'))
  })

  it('darkens the theme colour only until white text reads on it', () => {
    const shade = readable('#1d8df0', '#ffffff', 4.5)
    expect(contrast(shade, '#ffffff')).toBeGreaterThanOrEqual(4.5)
    expect(contrast(shade, '#ffffff')).toBeLessThan(4.9)
  })

  it('leaves a colour alone that reads already', () => {
    expect(readable('#000080', '#ffffff', 4.5)).toBe('#000080')
  })
})

describe.each(['light', 'dark'] as const)('the %s colours', (mode) => {
  const c = colours[mode]
  it.each(['text', 'soft', 'faint', 'action', 'warning', 'alarm', 'offline'] as const)('%s reads on every surface', (name) => {
    for (const ground of [c.surface, c.page, c.sunk]) expect(contrast(c[name], ground)).toBeGreaterThanOrEqual(4.5)
  })
})
