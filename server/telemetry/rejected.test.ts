import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openRejected } from './rejected.ts'
import { temporaryFolder } from './telemetry.fixture.ts'

const row = (EnterpriseId: number, SN: string, received: number, payload = '{}') => ({
  EnterpriseId,
  SN,
  reason: 'notANumber' as const,
  detail: 'string',
  received,
  payload,
})

test('rejected readings are listed newest first by gateway, page by page, and survive a restart', async () => {
  const { folder, remove } = await temporaryFolder('rejected')
  let rejected = openRejected(folder)
  rejected.add(Array.from({ length: 25 }, (_, i) => row(1, i % 5 ? 'A' : 'B', i)))
  rejected.add([row(2, 'A', 99)])
  rejected.close()
  rejected = openRejected(folder)
  const page = rejected.list({ EnterpriseId: 1, serials: ['A'], page: 2, size: 8 })
  expect(page.TotalCount).toBe(20)
  expect(page.Items.map((r) => r.received)).toEqual([14, 13, 12, 11, 9, 8, 7, 6])
  expect(rejected.list({ EnterpriseId: 1, serials: ['A'], page: 1, size: 1 }).Items[0]).toMatchObject({ ...row(1, 'A', 24) })
  rejected.close()
  await remove()
})

test('rows are counted without looking at them, also after a restart, and no payload is read as a whole', async () => {
  const { folder, remove } = await temporaryFolder('rejected')
  let rejected = openRejected(folder, 20_000)
  rejected.add([row(1, 'A', 1, 'x'.repeat(9000)), row(1, 'B', 2), row(1, 'C', 3), row(2, 'A', 4)])
  const all = { EnterpriseId: 1, serials: ['A', 'B'] }
  const seen = () => ({
    ...rejected.list({ ...all, page: 1, size: 10 }),
    count: rejected.count({ EnterpriseId: 1, serials: ['A', 'B', 'C'] }),
  })
  expect(seen()).toMatchObject({ count: 3, TotalCount: 2, Items: [{ SN: 'B' }, { SN: 'A', payload: 'x'.repeat(4096) }] })
  expect(rejected.reasons(all, 2)).toEqual([{ reason: 'notANumber', count: 1 }])
  rejected.remove(1, [rejected.list({ ...all, page: 1, size: 1 }).Items[0]!.Id])
  expect(seen()).toMatchObject({ count: 2, TotalCount: 1 })
  rejected.close()
  rejected = openRejected(folder, 20_000)
  expect(seen()).toMatchObject({ count: 2, TotalCount: 1 })
  rejected.add(Array.from({ length: 200 }, (_, i) => row(1, 'A', i)))
  await expect.poll(() => seen().count + rejected.dropped(1), { timeout: 60_000 }).toBe(202)
  expect(rejected.list({ ...all, page: 21, size: 1000 }).Items).toEqual([])
  rejected.close()
  await remove()
})

test('a tenant keeps its share: the oldest go and are counted, other tenants keep theirs', async () => {
  const { folder, remove } = await temporaryFolder('rejected')
  const rejected = openRejected(folder, 100_000)
  rejected.add([row(2, 'A', 0)])
  for (let i = 0; i < 300; i++) rejected.add([row(1, 'A', i, 'x'.repeat(1000))])
  const { TotalCount, Items } = rejected.list({ EnterpriseId: 1, serials: ['A'], page: 1, size: 1000 })
  expect(rejected.bytes(1)).toBeLessThanOrEqual(100_000)
  expect(TotalCount).toBeGreaterThan(70)
  expect(TotalCount + rejected.dropped(1)).toBe(300)
  expect(Items[0]!.received).toBe(299)
  expect(rejected.list({ EnterpriseId: 2, serials: ['A'], page: 1, size: 10 }).TotalCount).toBe(1)
  expect(rejected.dropped(2)).toBe(0)
  rejected.close()
  await remove()
})

test('a full tenant is trimmed in small steps, the newest stay, and readings find room in between', async () => {
  const { folder, remove } = await temporaryFolder('rejected')
  const rejected = openRejected(folder, 1_000_000)
  const total = () => rejected.list({ EnterpriseId: 1, serials: ['A'], page: 1, size: 1 }).TotalCount
  rejected.add(Array.from({ length: 20_000 }, (_, i) => row(1, 'A', i)))
  // No more than a step within the call.
  expect(total()).toBe(19_500)
  rejected.add([row(1, 'A', 20_000)])
  expect(total()).toBe(19_001)
  await expect.poll(() => rejected.bytes(1), { timeout: 60_000 }).toBeLessThanOrEqual(900_000)
  expect(total() + rejected.dropped(1)).toBe(20_001)
  expect(total()).toBeGreaterThan(6_500)
  const { Items } = rejected.list({ EnterpriseId: 1, serials: ['A'], page: 1, size: 20_001 })
  expect(Items.map((r) => r.received)).toEqual(Array.from({ length: Items.length }, (_, i) => 20_000 - i))
  rejected.add(Array.from({ length: 2000 }, (_, i) => row(1, 'A', i)))
  rejected.close()
  await remove()
})

test('a file of an older version opens and gets the index by which the oldest are found', async () => {
  const { folder, remove } = await temporaryFolder('rejected')
  let rejected = openRejected(folder)
  rejected.add([row(1, 'A', 1)])
  rejected.close()
  const file = new DatabaseSync(join(folder, 'rejected.db'))
  file.exec('drop index rejected_oldest')
  file.close()
  rejected = openRejected(folder, 1000)
  for (let i = 2; i < 20; i++) rejected.add([row(1, 'A', i)])
  const { Items } = rejected.list({ EnterpriseId: 1, serials: ['A'], page: 1, size: 20 })
  expect(Items[0]!.received).toBe(19)
  expect(Items.length + rejected.dropped(1)).toBe(19)
  rejected.close()
  await remove()
})
