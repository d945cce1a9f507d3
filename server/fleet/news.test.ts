import { EventEmitter } from 'node:events'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LiveValue } from '../../contract/hub.ts'
import { hasNats, startNats } from '../../main/testing/nats.ts'
import type { Change } from '../database/db.ts'
import type { Hub } from '../live/hub.ts'
import type { News } from './frames.ts'
import { openNats } from './natsConnection.ts'
import { hearNews, tellNews } from './news.ts'

const log = pino({ level: 'silent' })

describe.skipIf(!hasNats)('news of the owner (skipped without nats-server)', () => {
  let nats: Awaited<ReturnType<typeof startNats>>
  beforeAll(async () => {
    nats = await startNats()
  })
  afterAll(() => nats?.remove())

  /** An owner, and the emitter of its news. */
  const teller = async (owner: string) => {
    const connection = await openNats(nats.url, owner, log)
    const source = new EventEmitter()
    const listen = (event: string) => (listener: (...args: never[]) => void) => {
      const added = listener as (...args: unknown[]) => void
      source.on(event, added)
      return () => source.off(event, added) !== undefined
    }
    const sessions = { onEnd: listen('end'), onChanged: listen('changed') }
    const hub = { onSent: listen('sent') as unknown as Hub['onSent'] }
    const onMoved = listen('moved') as (listener: (values: readonly LiveValue[]) => void) => () => void
    const stop = tellNews({ nats: connection, owner, database: { onChange: listen('change') }, sessions, hub, onMoved })
    const close = async () => {
      stop()
      await connection.close()
    }
    return { source, close }
  }
  const hearer = async (isOwner: (owner: string) => boolean) => {
    const connection = await openNats(nats.url, 'hearer', log)
    const heard: Omit<News, 'owner' | 'seq'>[] = []
    let missed = 0
    const hear = ({ owner: _owner, seq: _seq, ...news }: News) => void heard.push(news)
    const stop = hearNews(connection, isOwner, hear, () => missed++)
    const close = async () => {
      stop()
      await connection.close()
    }
    return { heard, missed: () => missed, close }
  }
  const row = (id: number): Change => ({ resource: 'point', id, verb: 'update', EnterpriseId: 7 })

  test('what comes together is one frame: changes, ended sessions, whose rights changed, the newest value of a point, messages', async () => {
    const { heard, close } = await hearer(() => true)
    const { source, close: end } = await teller('first')
    await expect.poll(() => heard.length).toBeGreaterThan(0)
    heard.length = 0
    source.emit('change', row(1))
    source.emit('change', row(2))
    source.emit('end', 'a', 'logout')
    source.emit('end', 'b', 'logout')
    for (const whose of [{ EnterpriseId: 7 }, { users: [1] }, { EnterpriseId: 7 }]) source.emit('changed', () => true, whose)
    source.emit('moved', [
      [3, 1000, 6, 0],
      [3, 2000, 7, 0],
    ])
    const notice = { audience: { EnterpriseId: 7 }, message: 'Notice', args: [{ Id: 1, BizType: 0, Event: 'published' }] }
    source.emit('sent', notice)
    // Every process makes these itself from the changes.
    source.emit('sent', { ...notice, message: 'Changed' })
    await expect
      .poll(() => heard.filter(({ changes }) => changes.length))
      .toEqual([
        {
          changes: [row(1), row(2)],
          ended: [{ ids: ['a', 'b'], reason: 'logout' }],
          rights: [{ EnterpriseId: 7 }, { users: [1] }],
          values: [[3, 2000, 7, 0]],
          sent: [notice],
        },
      ])
    await end()
    await close()
  })

  test('who misses a frame is told, also when another process becomes the owner; one that is not the owner is not heard', async () => {
    let current = 'first'
    const { heard, missed, close } = await hearer((owner) => owner === current)
    const [first, second] = [await teller('first'), await teller('second')]
    await expect.poll(missed).toBe(1)
    second.source.emit('change', row(3))
    first.source.emit('change', row(4))
    await expect.poll(() => heard.flatMap(({ changes }) => changes)).toEqual([row(4)])
    expect(missed()).toBe(1)
    current = 'second'
    await expect.poll(missed).toBe(2)
    await first.close()
    await second.close()
    await close()
  })

  test('what exceeds a message of NATS goes as several: consoles of all companies stay connected', async () => {
    const { heard, missed, close } = await hearer(() => true)
    const { source, close: end } = await teller('first')
    await expect.poll(() => heard.length).toBeGreaterThan(0)
    const before = missed()
    heard.length = 0
    const users = Array.from({ length: 200_000 }, (_, i) => 10_000_000 + i)
    const args = [{ Id: 1, BizType: 0, Event: 'published' }]
    source.emit('sent', { audience: { EnterpriseId: 7, users }, message: 'Notice', args })
    for (let i = 0; i < 60_000; i++) source.emit('end', `session ${1_000_000_000 + i}`, 'tenant')
    await expect.poll(() => heard.flatMap(({ ended }) => ended.flatMap(({ ids }) => ids)).length, { timeout: 10_000 }).toBe(60_000)
    const messages = () => heard.flatMap(({ sent }) => sent)
    await expect.poll(() => messages().flatMap(({ audience }) => audience.users).length, { timeout: 10_000 }).toBe(users.length)
    expect(new Set(messages().flatMap(({ audience }) => audience.users))).toEqual(new Set(users))
    expect(missed()).toBe(before)
    await end()
    await close()
  })
})
