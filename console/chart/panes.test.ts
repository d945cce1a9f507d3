import { describe, expect, it } from 'vitest'
import type { ParaInfo } from '../../contract/telemetry.ts'
import { namesOf, onlyDevice } from './names.ts'
import { axisText } from './options.ts'
import { endsOf, paneCount, panesOf, stretched, unitsOf } from './panes.ts'
import { fit } from './ranges.ts'

const point = (ParaId: number, DeviceName: string, ParaName: string, ParaUnitName: string) =>
  ({ ParaId, DeviceId: DeviceName.length, DeviceName, ParaName, ParaUnitName }) as ParaInfo
const flow = point(1, 'Outlet', 'Flow', 'm³/h')
const pressure = point(2, 'Outlet', 'Pressure', 'bar')
const chlorine = point(3, 'Dosing', 'Free chlorine', 'mg/L')
const header = point(4, 'High service pumps', 'Pressure', 'bar')

describe('panes', () => {
  it('are one for up to two units and one a unit beyond', () => {
    expect([[flow], [flow, pressure, header], [flow, pressure, chlorine, header]].map(paneCount)).toEqual([1, 1, 3])
    expect(unitsOf([flow, pressure, chlorine, header])).toEqual(['m³/h', 'bar', 'mg/L'])
    expect(panesOf(2, 0.1)).toEqual([
      { low: 0, high: 1 },
      { low: 0, high: 1 },
    ])
  })

  it('lie above each other without touching, and values of one never reach another', () => {
    const panes = panesOf(3, 0.05)
    for (const [i, pane] of panes.entries()) {
      if (i) expect(pane.high).toBeLessThan(panes[i - 1]!.low)
      const [min, max] = stretched(pane, [3.2, 4.1])
      const heightOf = (value: number) => (value - min) / (max - min)
      expect(heightOf(3.2)).toBeCloseTo(pane.low)
      expect(heightOf(4.1)).toBeCloseTo(pane.high)
      const [low, high] = endsOf(pane, { min, max })
      expect([low, high]).toEqual([expect.closeTo(3.2), expect.closeTo(4.1)])
    }
    expect(panes[2]!.low).toBeCloseTo(0)
  })
})

describe('names of curves', () => {
  it('carry their device unless all are of one', () => {
    expect(namesOf([pressure, header])).toEqual(['Outlet · Pressure', 'High service pumps · Pressure'])
    expect(namesOf([pressure, flow])).toEqual(['Pressure', 'Flow'])
    expect([onlyDevice([pressure, flow]), onlyDevice([pressure, header])]).toEqual(['Outlet', undefined])
  })
})

describe('a range that begins before collecting did', () => {
  const week = { start: 0, end: 7 * 86_400_000 }
  it('begins a little before the first reading', () => {
    const since = week.end - 1_000_000
    expect(fit(week, since)).toEqual({ start: since - 20_000, end: week.end })
  })
  it('is a minute long at least', () => {
    expect(fit(week, week.end - 2000)).toEqual({ start: week.end - 61_200, end: week.end })
  })
})

describe('a number beside an axis', () => {
  it('fits, and differs from its neighbours', () => {
    expect([1250, 0.25, 999_999].map((v) => axisText(v, 0.05, 0, 'en'))).toEqual(['1,250', '0.25', '999,999'])
    expect([28_790_100, 28_790_200].map((v) => axisText(v, 100, 0, 'en'))).toEqual(['28.7901M', '28.7902M'])
    expect(axisText(-28_790_000, 10_000, 0, 'en')).toBe('-28.79M')
    expect(axisText(28_790_000, 10_000, 0, 'zh')).toBe('2879万')
  })
})
