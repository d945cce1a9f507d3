import { describe, expect, it } from 'vitest'
import { assemble } from '../../../../console/chart/assemble.ts'
import type { ParaInfo, Series } from '../../../../contract/telemetry.ts'
import { pathOf } from './Sparkline.tsx'
import { keyValues, mostDevices, stripOf } from './strip.ts'

const point = (over: Partial<ParaInfo>) =>
  ({
    ParaId: 1,
    ParaName: 'Flow',
    ParaUnitName: 'm³/h',
    AxisMin: 0,
    AxisMax: 700,
    IsChartShow: 1,
    DeviceId: 1,
    DeviceName: 'A',
    DeviceStatus: 1,
    ...over,
  }) as ParaInfo

describe('key values of a device', () => {
  it('are the points shown by default', () => {
    const all = [1, 2, 2, 2, 2, 0].map((IsChartShow, ParaId) => point({ ParaId, IsChartShow }))
    expect(keyValues(all).map((p) => p.ParaId)).toEqual([1, 2, 3])
  })

  it('default to the first chartable points, measured values before states', () => {
    const state = { ParaUnitName: '', AxisMax: 1 }
    const all = [point({ ParaId: 1, ...state }), point({ ParaId: 2, IsChartShow: 0 }), point({ ParaId: 3 })]
    expect(keyValues(all).map((p) => p.ParaId)).toEqual([3, 1])
  })
})

describe('the strip', () => {
  const points = Array.from({ length: 40 }, (_, i) =>
    point({ ParaId: i, DeviceId: i, DeviceName: `D${String(i).padStart(2, '0')}`, DeviceStatus: i === 39 ? 0 : 1 }),
  )

  it('is limited and sorted by name, and never drops a device that is offline or in alarm', () => {
    const { devices, total } = stripOf(points, new Set([38]))
    expect(total).toBe(40)
    expect(devices).toHaveLength(mostDevices)
    expect(devices.map((d) => d.name).slice(-3)).toEqual(['D21', 'D38', 'D39'])
  })

  it('keeps its order if all devices fit', () => {
    expect(stripOf(points.slice(30), new Set([35])).devices.map((d) => d.id)).toEqual([30, 31, 32, 33, 34, 35, 36, 37, 38, 39])
  })
})

it('draws the hour before a first start through, although its readings are a minute apart and the live ones are not', () => {
  const Time = [...Array.from({ length: 50 }, (_, i) => i * 60_000), ...Array.from({ length: 20 }, (_, i) => 49 * 60_000 + (i + 1) * 500)]
  const series = { ParaId: 1, Raw: true, Time, Last: Time.map(() => 1) } as Series
  const scale = { x: (time: number) => time, y: () => 0 }
  const path = (of: Series) => pathOf(assemble(of, { ExpectedMs: 500 }, 30_000), scale)
  expect(path(series).match(/M/g)).toHaveLength(1)
  const silent = Time.filter((at) => at < 10 * 60_000 || at > 30 * 60_000)
  expect(path({ ...series, Time: silent, Last: silent.map(() => 1) }).match(/M/g)).toHaveLength(2)
})
