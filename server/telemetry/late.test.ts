import { expect, test } from 'vitest'
import { createLateCounts, lateOf } from './late.ts'
import { day } from './store/store.ts'
import { message, point, registryOf, temporaryFolder } from './telemetry.fixture.ts'
import { openTelemetry } from './telemetry.ts'

test('readings that come after newer ones, as back-fill or for a second time are counted by point', async () => {
  const folder = await temporaryFolder('late')
  const now = Date.UTC(2026, 10, 20, 12)
  const registry = registryOf([point(1), point(2)])
  const log = { warn: () => undefined, error: () => undefined }
  const telemetry = await openTelemetry({ folder: folder.folder, registry, clock: () => now, log })
  const say = (time: number, ids: number[], history = false) =>
    telemetry.ingest.accept(
      'GATEWAY1',
      history ? 'history' : 'data',
      message(time, Object.fromEntries(ids.map((id) => [id, 5])), { history }),
    )
  await say(now, [1, 2])
  await say(now - 1000, [1])
  await say(now - 5000, [1, 2], true)
  await say(now - 1000, [1])
  await say(now + 1000, [1, 2])
  const of = (id: number, start = now - day, end = now + day) => telemetry.late.get(id, start, end)
  expect([of(1), of(2), of(3)]).toEqual([
    { late: 2, replaced: 1 },
    { late: 1, replaced: 0 },
    { late: 0, replaced: 0 },
  ])
  expect(of(1, now - 3 * day, now - 2 * day)).toEqual({ late: 0, replaced: 0 })
  registry.remove(1)
  expect(of(1)).toEqual({ late: 0, replaced: 0 })
  await telemetry.close()
  await folder.remove()
})

test('counts are of the day on which readings arrived; too many entries end the oldest day, and it is said since when they are whole', () => {
  let now = 100 * day + 5
  const counts = createLateCounts(() => now, 4)
  const arrive = (...points: number[]) =>
    counts.add(
      lateOf(
        points.map((point) => ({ point, time: 0, value: 1, quality: 0, live: false })),
        [],
        [],
      ),
    )
  arrive(1, 2, 3)
  expect(counts.since()).toBe(100 * day + 5)
  now = 101 * day
  arrive(1, 1)
  expect([counts.get(1, 0, now + 1), counts.get(1, now, now + 1)].map(({ late }) => late)).toEqual([3, 2])
  arrive(2)
  expect([counts.since(), counts.get(1, 0, now + 1).late]).toEqual([101 * day, 2])
  arrive(3, 4, 5, 6)
  expect(counts.since()).toBe(101 * day)
  now += 7
  arrive(7, 8, 9, 10)
  expect([counts.since(), counts.get(5, 0, now + 1).late, counts.get(10, 0, now + 1).late]).toEqual([now, 0, 1])
})
