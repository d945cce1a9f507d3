// A process beside the owner follows its news.
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { point } from '../areas/configuration/points/contract.ts'
import type { Change } from '../server/database/db.ts'
import type { FollowedOwner } from '../server/fleet/followOwner.ts'
import type { News } from '../server/fleet/frames.ts'
import { openFollowedRegistry } from './followedRegistry.ts'
import { maker } from './testing/drafts.ts'
import { type Kit, startKit } from './testing/kit.ts'
import { watchedDatabase } from './testing/watchedDatabase.ts'

let kit: Kit
beforeAll(async () => {
  kit = await startKit()
})
afterAll(() => kit.close())

test('an import of one company does not hold up what others change', async () => {
  const made = await maker(kit).create(point, { AlarmHigh: 80 })
  let hear = (_news: Buffer) => {}
  const subscribe = (_subject: string, listener: typeof hear) => {
    hear = listener
    return () => {}
  }
  const owner = { nats: { subject: () => 'news', subscribe }, isOwner: () => true } as unknown as FollowedOwner
  let queries = 0
  const database = watchedDatabase(kit.database, () => queries++)
  const { registry, close } = await openFollowedRegistry({ owner, database, log: pino({ level: 'silent' }) })
  const tell = (seq: number, changed: Pick<Change, 'resource' | 'id'>[]) => {
    const changes = changed.map((change) => ({ ...change, verb: 'update' as const, EnterpriseId: 1 }))
    const news: News = { owner: 'one', seq, changes, ended: [], rights: false, values: [], sent: [] }
    hear(Buffer.from(JSON.stringify(news)))
  }
  tell(1, [])
  await registry.settled()
  await kit.data('owner', 'PUT', point.path, { Id: made.Id, AlarmHigh: 90 })
  queries = 0
  const resources = ['point', 'device', 'gateway', 'netProtocol']
  tell(2, [
    ...Array.from({ length: 1000 }, (_, i) => ({ resource: resources[i % 4]!, id: 1_000_000 + i })),
    { resource: 'point', id: made.Id },
  ])
  await registry.settled()
  expect(registry.get(made.Id)?.AlarmHigh).toBe(90)
  expect(queries).toBeLessThan(20)
  close()
})
