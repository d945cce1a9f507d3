import type { AlarmMark } from './look.ts'
import { el, round, type Tree } from './tree.ts'

const marks = {
  1: { d: 'M1.6 1.8h8.8L6 10z', fill: 'none', stroke: 'warningFill' },
  2: { d: 'M6 1 11.5 11h-11z', fill: 'warningFill', stroke: 'none' },
  3: { d: 'M6 0 12 6 6 12 0 6z', fill: 'alarmFill', stroke: 'none' },
} as const

/** The mark of an alarm, 12 wide: its level by shape and colour. A shelved one is outlined in grey. */
export const paintMark = (
  { level, unacknowledged, shelved }: AlarmMark,
  [x, y]: readonly [number, number],
  scale: number,
  colour: (name: string) => string,
): Tree => {
  const { d, fill, stroke } = marks[level]
  const looks = shelved ? { fill: 'none', stroke: colour('faint') } : { fill: colour(fill), stroke: colour(stroke) }
  return el(
    'g',
    {
      transform: `translate(${round(x)} ${round(y)}) scale(${round(scale)})`,
      class: unacknowledged && !shelved ? 'picture-blinks' : undefined,
    },
    el('path', { d, 'stroke-width': 1.8, ...looks }),
  )
}
