import { expect, test } from 'vitest'
import type { Meaning, StatisticsOf } from '../../../../server/telemetry/meaning/statistics.ts'
import type { Query } from '../../../../server/telemetry/query.ts'
import { rememberCurves, rememberFigures } from './figures.ts'

const meaning = (id: number) => ({ id }) as Meaning
const edges = (parts: number) => ({ edges: Array.from({ length: parts + 1 }, (_, i) => i) })

test('what one block has asked for is not asked again; moments take the single readings, once', async () => {
  const asked: [number[], number, boolean | undefined][] = []
  const of = (async (points, periods, _most, brief) => {
    asked.push([points.map(({ id }) => id), periods.edges.length - 1, brief])
    return points.map(({ id }) => ({ id, basis: brief ? 'rollups' : 'readings', timed: true, parts: [], marks: [] }))
  }) as StatisticsOf['of']
  const figures = rememberFigures({ of })
  const ids = async (...given: Parameters<typeof figures>) => (await figures(...given)).map(({ id, basis }) => `${id} ${basis}`)
  expect(await ids([meaning(2), meaning(1)], edges(3))).toEqual(['2 rollups', '1 rollups'])
  expect(await ids([meaning(1), meaning(3), meaning(2)], edges(3))).toEqual(['1 rollups', '3 rollups', '2 rollups'])
  expect(await ids([meaning(1)], edges(3), 'moments')).toEqual(['1 readings'])
  expect(await ids([meaning(1), meaning(2)], edges(3))).toEqual(['1 readings', '2 rollups'])
  await figures([meaning(1)], edges(1))
  expect(asked).toEqual([
    [[2, 1], 3, true],
    [[3], 3, true],
    [[1], 3, false],
    [[1], 1, true],
  ])
  // Figures beyond the cache limit are queried again.
  for (const _ of [1, 2]) await figures([meaning(1)], edges(60_000))
  expect(asked.length).toBe(6)
})

test('a curve that two blocks show is asked for once', async () => {
  let asked = 0
  const query = rememberCurves<Pick<Query, 'series'>>({
    series: async () => ({ Start: ++asked, End: 0, Step: 0, TimeZone: '', Series: [] }),
  })
  const of = { ids: [1], start: 0, end: 1, zone: 'UTC' }
  expect(
    [await query.series(of), await query.series({ ...of }), await query.series({ ...of, ids: [2] })].map(({ Start }) => Start),
  ).toEqual([1, 1, 2])
})
