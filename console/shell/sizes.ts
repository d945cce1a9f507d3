/** Default size of antd's components. The compact size is part of the theme (specification, section 9). */
export const appSize = 'medium'
/** The first year of the footer's range. */
const firstYear = 2022
export const yearRange = (now: Date) => {
  const year = now.getFullYear()
  return year > firstYear ? `${firstYear}–${year}` : String(firstYear)
}

type Window = { width: number; zoom?: number }
/** Narrow windows, and the device pixel zoom of 150 % (ruling 23). `zoom` is devicePixelRatio. */
export const isSmallScreen = ({ width, zoom = 1 }: Window) => width < 1410 || Math.round(zoom * 100) === 150
export const isMediumScreen = (window: Window) => !isSmallScreen(window) && window.width < 1900

/** Default height of a table, px (specification, section 9). */
export const tableHeight = (windowHeight: number) => windowHeight - 380

type Around = { footer: boolean; small: boolean; tabs: boolean }
/** The alternative rule: minus 362, minus the footer (60, on small screens 10), plus 34 without tabs. */
export const tableHeightBetween = (windowHeight: number, { footer, small, tabs }: Around) =>
  windowHeight - 362 - (footer ? (small ? 10 : 60) : 0) + (tabs ? 0 : 34)

/** What calls send as PlatformType: 2 on mobile user agents, 1 otherwise (ruling 24). */
export const platformType = (agent: string): 1 | 2 =>
  /Android|iPhone|iPad|iPod|Mobile|webOS|BlackBerry|Windows Phone/i.test(agent) ? 2 : 1
