import { describe, expect, it } from 'vitest'
import { levelCondition } from '../theme/State.tsx'
import { readingOf } from './reading.ts'

const point = { ExpectedMs: 1000, AlarmLow: 0, AlarmHigh: 10, DeviceStatus: 1 }
const reading = (Value: number | null, Quality = 0, Time = 0) => readingOf(point, { Time, Value, Quality }, 1000)

describe('a live reading', () => {
  it('inside its limits is normal, at the limit too', () => {
    for (const value of [0, 5, 10]) expect(reading(value)).toEqual({ is: 'normal', word: 'good' })
  })

  it('beyond a limit has the shape of the alarm it raises, and says which', () => {
    expect(reading(10.1)).toEqual({ is: levelCondition(2), word: 'high' })
    expect(reading(-0.1)).toEqual({ is: levelCondition(2), word: 'low' })
  })

  it('that is old is stale, whatever it was', () => {
    expect(reading(99, 0, -5000)).toEqual({ is: 'offline', word: 'stale' })
  })

  it('of a device that is offline or does not answer is stale, however young', () => {
    for (const DeviceStatus of [0, 2])
      expect(readingOf({ ...point, DeviceStatus }, { Time: 1000, Value: 5, Quality: 0 }, 1000).word).toBe('stale')
    expect(readingOf({ ...point, DeviceStatus: 3 }, { Time: 1000, Value: 5, Quality: 0 }, 1000).word).toBe('good')
  })

  it('without a value says why', () => {
    expect(reading(null, 2).word).toBe('timeout')
    expect(reading(null, 4).word).toBe('notConfigured')
    expect(readingOf(point, undefined, 0)).toEqual({ is: 'offline', word: 'none' })
  })
})
