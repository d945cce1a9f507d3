import { describe, expect, it } from 'vitest'
import { contrast, readable, shade } from './contrast.ts'
import { themeDefaults } from './themeSet.ts'
import { colours, coloursOf } from './tokens.ts'

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

const chosen = ['#1d8df0', '#000000', '#ffffff', '#ffff00', '#7f7f7f', '#c8641b', '#3a0ca3', '#00ff66']
describe('[theme-submenu-shade] [theme-shade-clamp] shades', () => {
  it('of the submenus are the sidebar colour darkened by 40 % and 30 %', () => {
    const c = coloursOf('light', { ...themeDefaults, Sidebar: '#6496c8' })
    expect([c.side, c.sub, c.subHover]).toEqual(['#6496c8', '#3c5a78', '#46698c'])
  })

  it('have a ratio clamped between 0 and 1', () => {
    expect([shade('#6496c8', -3), shade('#6496c8', 0)]).toEqual(['#6496c8', '#6496c8'])
    expect([shade('#6496c8', 7), shade('#6496c8', 1), shade('#6496c8', Number.NaN)]).toEqual(['#000000', '#000000', '#6496c8'])
  })
})

describe.each(['light', 'dark'] as const)('whatever colour is chosen, in %s', (mode) => {
  it.each(chosen)('%s lets every text read', (colour) => {
    for (const BContrast of [0, 1]) {
      const c = coloursOf(mode, { ...themeDefaults, ThemeColor: colour, NavigationBar: colour, Sidebar: colour, BContrast })
      const least = BContrast ? 7 : 4.5
      for (const ground of [c.surface, c.raised, c.page, c.sunk, c.tint]) {
        expect(contrast(c.action, ground)).toBeGreaterThanOrEqual(least)
        expect(contrast(c.faint, ground)).toBeGreaterThanOrEqual(least)
      }
      for (const [text, ground] of [
        [c.onAction, c.action],
        [c.navText, c.nav],
        [c.sideText, c.side],
        [c.subText, c.sub],
        [c.subHoverText, c.subHover],
        ['#ffffff', c.here],
      ] as const)
        expect(contrast(text, ground)).toBeGreaterThanOrEqual(4.5)
    }
  })
})
