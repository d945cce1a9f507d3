import { sql } from 'kysely'
import { afterAll, expect, it, vi } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import type { Db } from '../../../../server/database/db.ts'
import { path, type Row, startModels } from './harness.ts'
import { storeVersion } from './versions.ts'

const { kit, model, addRow, publish, device, apply } = await startModels()
afterAll(() => kit.close())

type Behind = { Items: { ModelId: number; Count: number }[] }
const behind = async (id: number, as = 'owner') =>
  (await kit.data<Behind>(as, 'GET', `${path}/Behind`)).Items.find(({ ModelId }) => ModelId === id)?.Count ?? 0
const listed = async (id: number) =>
  (await kit.data<Page<Row>>('owner', 'GET', `/Project/Device/List?ModelId=${id}&IsBehind=1`)).Items.map(({ Id }) => Id)

it('devices are behind their model from its next version until it is applied to them', async () => {
  const { Id } = await model()
  await addRow(Id, 'Flow', '0')
  await publish(Id)
  const [one, two, never] = [await device({ ModelId: Id }), await device({ ModelId: Id }), await device({ ModelId: Id })]
  await apply(Id, [one.Id, two.Id])
  expect(await behind(Id)).toBe(0)
  await addRow(Id, 'Level', '2')
  expect(await behind(Id)).toBe(0)
  await publish(Id)
  expect(await behind(Id)).toBe(2)
  expect((await listed(Id)).sort()).toEqual([one.Id, two.Id].sort())
  expect(await behind(Id, 'stranger')).toBe(0)
  await apply(Id, [one.Id, never.Id])
  expect(await listed(Id)).toEqual([two.Id])
  const other = await model()
  await kit.data('owner', 'PUT', '/Project/Device', { Id: two.Id, ModelId: other.Id })
  expect(await behind(Id)).toBe(0)
  expect(await kit.data('owner', 'PUT', '/Project/Device', { Id: two.Id, IsBehind: 1 })).toMatchObject({ IsBehind: 0 })
})

it('a device that takes a version while the next one is published is behind, whichever is first', async () => {
  const { Id } = await model()
  await addRow(Id, 'Flow', '0')
  await publish(Id)
  const [one, two] = [await device({ ModelId: Id }), await device({ ModelId: Id })]
  const blocking = async (db: Db) => {
    const [own] = await db.rows<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    const waiting = sql`select 1 from pg_locks where not granted and ${own!.pid} = any(pg_blocking_pids(pid))`
    await vi.waitFor(async () => expect(await kit.db.rows(waiting)).not.toEqual([]), { timeout: 60_000 })
  }
  // The application has written but not committed.
  let published: Promise<unknown> = Promise.resolve()
  await kit.db.tx(async (db) => {
    await db.rows(sql`update device set "ModelVersion" = 1 where "Id" = ${one.Id}`)
    published = publish(Id)
    await blocking(db)
  })
  await published
  expect(await listed(Id)).toEqual([one.Id])
  // The publication has written but not committed.
  let applying: Promise<unknown> = Promise.resolve()
  await kit.db.tx(async (db) => {
    const [found] = await db.rows<{ Id: number; EnterpriseId: number; Version: number; Parameters: null }>(
      sql`select * from pro_model where "Id" = ${Id} for update`,
    )
    await storeVersion(db, found!, [])
    applying = apply(Id, [two.Id])
    await blocking(db)
  })
  await applying
  expect(await listed(Id)).toEqual([one.Id])
  expect(await kit.data('owner', 'GET', `/Project/Device?Id=${two.Id}`)).toMatchObject({ ModelVersion: 3, IsBehind: 0 })
})
