// Every colour of the console. Surfaces and data are neutral, the theme colour marks what can be acted on, and the
// four states have a colour each (ISA-101: colour is kept for the abnormal).
import { readable } from './contrast.ts'

export type Mode = 'light' | 'dark'

/** The specification's default theme colour (section 9); where text stands on it, a darker shade is used (ruling 44). */
const themeColour = '#1d8df0'

const light = {
  page: '#f3f5f7',
  surface: '#ffffff',
  raised: '#ffffff',
  sunk: '#f7f8fa',
  line: '#dde2e7',
  text: '#1b2127',
  soft: '#57626e',
  faint: '#65707b',
  side: '#14202f',
  sideText: '#b9c4d0',
  sideHere: '#ffffff',
  action: readable(themeColour, '#f3f5f7', 4.5),
  onAction: '#ffffff',
  warning: '#9a5b00',
  warningFill: '#f2a31b',
  alarm: '#c3142d',
  alarmFill: '#d92038',
  offline: '#65707b',
  tint: '#e6f1fc',
}

const dark: typeof light = {
  page: '#0e1318',
  surface: '#161c22',
  raised: '#1d242b',
  sunk: '#12181e',
  line: '#2b343d',
  text: '#e4e9ee',
  soft: '#a0acb8',
  faint: '#8b97a3',
  side: '#0a0f14',
  sideText: '#a0acb8',
  sideHere: '#ffffff',
  action: '#4aa3f3',
  onAction: '#0e1318',
  warning: '#f0b04a',
  warningFill: '#f0b04a',
  alarm: '#ff7a85',
  alarmFill: '#f0495a',
  offline: '#8d99a5',
  tint: '#16293c',
}

export type Colours = typeof light
export const colours: Record<Mode, Colours> = { light, dark }

/** Lines of a chart: told apart by hue and by lightness, and none of them a state colour. */
export const lines: Record<Mode, readonly string[]> = {
  light: ['#1f77c9', '#0f8a7a', '#7a54b8', '#7d5a3c', '#b13f92', '#51606e', '#6d7d0f'],
  dark: ['#5fb0f7', '#3cc4b0', '#b294ec', '#c9a383', '#e586c8', '#a9b8c6', '#b7c84d'],
}
