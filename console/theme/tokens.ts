// All colours of the console. Surfaces and data are neutral, the theme colour marks interactive elements, and each of the
// four states has its own colour (ISA-101: colour is reserved for the abnormal).
import { contrast, mix, readable, readableLight, shade, textOn } from './contrast.ts'
import { type ThemeSet, themeDefaults } from './themeSet.ts'

export type Mode = 'light' | 'dark'

const light = {
  page: '#f3f5f7',
  surface: '#ffffff',
  raised: '#ffffff',
  sunk: '#f7f8fa',
  line: '#dde2e7',
  text: '#1b2127',
  soft: '#57626e',
  faint: '#65707b',
  warning: '#9a5b00',
  warningFill: '#f2a31b',
  alarm: '#c3142d',
  alarmFill: '#d92038',
  offline: '#65707b',
}
type Neutral = typeof light

const dark: Neutral = {
  page: '#0e1318',
  surface: '#161c22',
  raised: '#1d242b',
  sunk: '#12181e',
  line: '#2b343d',
  text: '#e4e9ee',
  soft: '#a0acb8',
  faint: '#8b97a3',
  warning: '#f0b04a',
  warningFill: '#f0b04a',
  alarm: '#ff7a85',
  alarmFill: '#f0495a',
  offline: '#8d99a5',
}

/** High contrast: text at 7:1 (WCAG 2.2, 1.4.6), visible lines. */
const strong: Record<Mode, Neutral> = {
  light: {
    ...light,
    page: '#ffffff',
    sunk: '#f7f8fa',
    line: '#6f7a85',
    text: '#000000',
    soft: '#333c45',
    faint: '#414b55',
    warning: '#6b3f00',
    alarm: '#960f22',
    offline: '#414b55',
  },
  dark: {
    ...dark,
    page: '#000000',
    surface: '#000000',
    raised: '#0b0f13',
    sunk: '#0b0f13',
    line: '#7d8994',
    text: '#ffffff',
    soft: '#d5dce3',
    faint: '#c2cbd4',
    offline: '#c2cbd4',
  },
}

/** The largest share of the theme colour in a selected row at which all its text stays readable. */
const tintOf = (colour: string, c: Neutral, ratio: number) => {
  let share = 0.12
  const reads = (tint: string) => [c.text, c.soft, c.faint].every((text) => contrast(text, tint) >= ratio)
  while (share > 0.01 && !reads(mix(colour, c.surface, share))) share -= 0.01
  return mix(colour, c.surface, share)
}

const darker = (a: string, b: string) => (contrast(a, '#000000') < contrast(b, '#000000') ? a : b)
const lighter = (a: string, b: string) => (darker(a, b) === a ? b : a)

/** The colours of a mode with the person's choices. Backgrounds use chosen colours unchanged; text shades them until readable. */
export const coloursOf = (mode: Mode, set: ThemeSet) => {
  const c = set.BContrast ? strong[mode] : mode === 'dark' ? dark : light
  const ratio = set.BContrast ? 7 : 4.5
  const tint = tintOf(set.ThemeColor, c, ratio)
  // Backgrounds of links and button labels: the one with the least contrast decides.
  const action =
    mode === 'dark'
      ? readableLight(set.ThemeColor, lighter(c.raised, tint), ratio)
      : readable(set.ThemeColor, darker(darker(c.page, c.sunk), tint), ratio)
  const ownNavigation = set.NavigationBar !== themeDefaults.NavigationBar
  const nav = ownNavigation ? set.NavigationBar : c.surface
  const ownSide = set.Sidebar !== themeDefaults.Sidebar
  const side = ownSide ? set.Sidebar : mode === 'dark' ? '#0a0f14' : set.Sidebar
  const sub = shade(side, 0.4)
  const subHover = shade(side, 0.3)
  return {
    ...c,
    action,
    onAction: mode === 'dark' ? '#0e1318' : '#ffffff',
    tint,
    nav,
    navText: ownNavigation ? textOn(nav) : c.text,
    side,
    sideText: ownSide || set.BContrast ? textOn(side) : '#b9c4d0',
    sideHere: textOn(side),
    /** The submenus: the sidebar's colour darkened by 40 %, under the pointer by 30 % (specification, section 9). */
    sub,
    subText: ownSide || set.BContrast ? textOn(sub) : '#b9c4d0',
    subHover,
    subHoverText: textOn(subHover),
    /** The present location: white is readable on it in both modes. */
    here: readable(set.ThemeColor, '#ffffff', 4.5),
  }
}

export type Colours = ReturnType<typeof coloursOf>
export const colours: Record<Mode, Colours> = { light: coloursOf('light', themeDefaults), dark: coloursOf('dark', themeDefaults) }

/** Lines of a chart use no state colours. They are also distinct in greyscale and with deuteranopia: each has a different lightness. */
export const lines: Record<Mode, readonly string[]> = {
  light: ['#1070a7', '#1b998a', '#3f2c81', '#a36d44', '#570444', '#455f71', '#445102'],
  dark: ['#169be5', '#90feec', '#c6abfd', '#fed1b2', '#e983ca', '#6a8597', '#c3d16c'],
}
