import { expect, it } from 'vitest'
import type { Words } from '../../../../console/words/words.ts'
import type { ParaInfo } from '../../../../contract/telemetry.ts'
import { limitsText, narrow } from './liveRow.ts'

const words: Words = (key, values) => `${key} ${Object.values(values ?? {})}`.trim()

const point = (ParaId: number, ParaName: string, DeviceName: string, AlarmHigh: number | null = null) =>
  ({ ParaId, ParaName, DeviceName, AlarmLow: null, AlarmHigh, DecimalDigits: 1, ParaDataTypeName: 'Float' }) as ParaInfo
const points = [point(1, 'Flow', 'Pump B', 9), point(2, 'pressure', 'Pump A'), point(3, 'Level', 'Tank', 5)]
const names = (state: { search: string; sort: string }) => narrow(points, state).map((p) => p.ParaName)

it('live values are found by point and device, in any case', () => {
  expect(names({ search: ' pump ', sort: '' })).toEqual(['Flow', 'pressure'])
  expect(names({ search: 'PRESS', sort: '' })).toEqual(['pressure'])
})

it('live values are sorted by the field asked for; what has no value comes last either way', () => {
  expect(names({ search: '', sort: 'DeviceName' })).toEqual(['pressure', 'Flow', 'Level'])
  expect(names({ search: '', sort: 'AlarmHigh' })).toEqual(['Level', 'Flow', 'pressure'])
  expect(names({ search: '', sort: '-AlarmHigh' })).toEqual(['Flow', 'Level', 'pressure'])
  expect(names({ search: '', sort: 'Nonsense' })).toEqual(['Flow', 'pressure', 'Level'])
})

it('limits are a range where both are set', () => {
  expect(limitsText({ ...point(1, 'a', 'b', 9), AlarmLow: 2 }, 'en', words)).toBe('2.0 – 9.0')
  expect(limitsText(point(1, 'a', 'b', 9), 'en', words)).toBe('≤ 9.0')
  expect(limitsText(point(1, 'a', 'b'), 'en', words)).toBe('')
})

it('the limit of a Bool names the state that raises an alarm', () => {
  const airlock = { ...point(1, 'a', 'b', 0.5), ParaDataTypeName: 'Bool' }
  expect(limitsText({ ...airlock, ZeroText: 'OK', OneText: 'Tripped' }, 'en', words)).toBe('alarm.terms.1 Tripped')
  expect(limitsText({ ...airlock, AlarmHigh: null, AlarmLow: 0.5 }, 'en', words)).toBe('alarm.terms.1 point.state.0')
  expect(limitsText({ ...airlock, AlarmHigh: null }, 'en', words)).toBe('')
})
