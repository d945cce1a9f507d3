// Display state of a live reading. Pure.

import { limitLevel, type ParaInfo, type ReadingWord, readingWord } from '../../contract/telemetry.ts'
import { type Condition, levelCondition } from '../theme/State.tsx'
import type { Latest } from './points.ts'

export type Reading = { is: Condition; word: ReadingWord }

const conditionOf = (word: ReadingWord): Condition => {
  if (word === 'none' || word === 'stale') return 'offline'
  if (word === 'high' || word === 'low') return levelCondition(limitLevel)
  return word === 'good' ? 'normal' : 'warning'
}

export const readingOf = (
  p: Pick<ParaInfo, 'ExpectedMs' | 'AlarmLow' | 'AlarmHigh' | 'DeviceStatus'>,
  latest: Latest | undefined,
  now: number,
): Reading => {
  const word = readingWord(p, latest, now)
  return { is: conditionOf(word), word }
}
