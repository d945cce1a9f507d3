import { expect, it } from 'vitest'
import type { ParaInfo } from '../../../../contract/telemetry.ts'
import { preselected } from './preselected.ts'

it('[devpara-preselect] a chart preselects at most 7 points, and only those shown by default', () => {
  const points = Array.from({ length: 30 }, (_, ParaId) => ({ ParaId, IsChartShow: ParaId % 3 }) as ParaInfo)
  expect(preselected(points).map((p) => p.ParaId)).toEqual([2, 5, 8, 11, 14, 17, 20])
  expect(preselected(points.filter((p) => p.IsChartShow !== 2))).toEqual([])
})
