import { expect, test, vi } from 'vitest'
import type { ParaInfo, SeriesAnswer } from '../../../../contract/telemetry.ts'
import { asComputed } from '../../history/figure.ts'

vi.mock(import('../../../../console/words/words.ts'), async (original) => ({ ...(await original()), language: () => 'en' as const }))
const [{ bucketRows }, { curvesOf }, { durationText }] = await Promise.all([
  import('./BucketTable.tsx'),
  import('./curves.ts'),
  import('./figures.tsx'),
])

const pointOf = (ParaId: number, CalDataType: number) =>
  ({ ParaId, CalDataType, DecimalDigits: 0, DeviceId: 1, DeviceName: 'Pump' }) as ParaInfo
const answer = {
  Series: [1, 2, 3].map((ParaId) => ({
    ...{ ParaId, Raw: false, Time: [0], Min: [0], Max: [ParaId === 3 ? 2 : 1], Avg: [0.5], First: [0], Last: [1], Count: [60] },
    ...{ Mean: [0.46], Coverage: [1], Sum: [7] },
  })),
} as unknown as SeriesAnswer

test('an hour of a state is the share of the time on, of a counter what it counted, and no mean of states with numbers', () => {
  const [row] = bucketRows(answer, [pointOf(1, 3), pointOf(2, 1), pointOf(3, 3)], 'time')
  expect([1, 2, 3].map((id) => row!.cells.get(String(id))!.value)).toEqual([46, 7, null])
  expect(row!.cells.get('1')!.digits).toBe(1)
})

test('the chart of an hour says what the table beside it says', () => {
  const { drawn, lines } = curvesOf(answer, [pointOf(1, 3), pointOf(2, 1), pointOf(3, 3)], 3_600_000)
  expect(lines.map((line) => line.Value)).toEqual([[46], [7], [0.46]])
  expect(drawn[0]!.ParaUnitName).toBe('%')
  expect(lines[0]!.High).toEqual([46])
})

test('a computed query shows what a rate comes to over time, in its unit by hours, and any other its mean', () => {
  const rate = { ...pointOf(2, 4), ParaUnitName: 'm³/h' }
  const shownOf = (p: ParaInfo) => bucketRows(answer, [p], 'time')[0]!.cells.get('2')!.value
  expect([shownOf(rate), shownOf(asComputed(rate)), asComputed(rate).ParaUnitName]).toEqual([0.46, 7, 'm³/h·h'])
  expect(asComputed(pointOf(1, 0))).toEqual(pointOf(1, 0))
})

test('durations have a space before their unit', () => {
  expect([500, 40_000, 2_640_000, 29_940_000, 273_600_000].map(durationText)).toEqual([
    '0\u00a0s',
    '40\u00a0s',
    '44\u00a0min',
    '8\u00a0h 19\u00a0min',
    '3\u00a0d 4\u00a0h',
  ])
})
