// Parts of a period: how it is divided, and what its parts are called. Pure.
import { type Days, lengthOf } from '../../../../console/chart/calendarSpans.ts'
import { timeText } from '../../../../console/words/formats.ts'
import type { Division, LevelFigure } from '../contract.ts'

/** The parts that a chart of a period has room for. */
export const divisionOf = (days: Days): Exclude<Division, 'quarter' | 'weekday-hour'> => {
  const length = lengthOf(days)
  return length <= 2 ? 'hour' : length <= 62 ? 'day' : 'month'
}
/** Parts of a curve. */
export const curveDivision = (days: Days): 'quarter' | 'hour' => (lengthOf(days) <= 31 ? 'quarter' : 'hour')

const lengths = { quarter: [11, 16], hour: [11, 16], day: [5, 10], month: [0, 7] } as const
export const partText = (start: number, by: Exclude<Division, 'weekday-hour'>, zone: string) => timeText(start, zone).slice(...lengths[by])
/** Full label of a part, for use outside of a chart. */
export const wholePartText = (start: number, by: Division, zone: string) =>
  timeText(start, zone).slice(0, by === 'month' ? 7 : by === 'day' ? 10 : 16)

export const priceLevels = [1, 2, 3, 4, 5] as const
export const levelKey = (level: number) => (level ? `tariff.level.${level}` : 'energy.level.0')
export const levelColours = {
  light: ['#8b97a3', '#52318a', '#a8336e', '#d39a1e', '#6fb3de', '#1f5f9e'],
  dark: ['#8b97a3', '#a98be0', '#d8629c', '#e8b23c', '#9fd0ee', '#4f8fd0'],
} as const
/** Levels that occur, the dearest first; what belongs to none comes last. */
export const levelsIn = (all: readonly (readonly LevelFigure[])[]) =>
  [...priceLevels, 0].filter((level) => all.some((levels) => levels.some((of) => of.Level === level && of.Energy !== 0)))
