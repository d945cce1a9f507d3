// What a live reading is, for the eye. Pure.

import { isGone, isStale, limitLevel, type ParaInfo, Quality } from '../../contract/telemetry.ts'
import { type Condition, levelCondition } from '../theme/State.tsx'
import type { Latest } from './points.ts'

export type Reading = {
  is: Condition
  word: 'none' | 'good' | 'stale' | 'low' | 'high' | 'uncertain' | 'timeout' | 'exception' | 'notConfigured'
}

const qualities = Object.fromEntries(Object.entries(Quality).map(([name, code]) => [code, name])) as Record<number, Reading['word']>

/** Stale comes first: of an old value, or one of a device that is gone, nobody knows whether it still passes a limit. */
export const readingOf = (
  p: Pick<ParaInfo, 'ExpectedMs' | 'AlarmLow' | 'AlarmHigh' | 'DeviceStatus'>,
  latest: Latest | undefined,
  now: number,
): Reading => {
  if (!latest) return { is: 'offline', word: 'none' }
  if (isGone(p.DeviceStatus) || isStale(latest.Time, p.ExpectedMs, now)) return { is: 'offline', word: 'stale' }
  if (latest.Quality >= Quality.timeout || latest.Value === null) return { is: 'warning', word: qualities[latest.Quality] ?? 'exception' }
  if (p.AlarmHigh !== null && latest.Value > p.AlarmHigh) return { is: levelCondition(limitLevel), word: 'high' }
  if (p.AlarmLow !== null && latest.Value < p.AlarmLow) return { is: levelCondition(limitLevel), word: 'low' }
  if (latest.Quality === Quality.uncertain) return { is: 'warning', word: 'uncertain' }
  return { is: 'normal', word: 'good' }
}
