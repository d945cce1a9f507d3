import { afterEach, expect, test, vi } from 'vitest'
import type { HubMessages, LiveValue } from '../../contract/hub.ts'
import { actorOf, startHub } from './harness.ts'

type Harness = Awaited<ReturnType<typeof startHub>>
let running: Harness | undefined
const start = async (...args: Parameters<typeof startHub>) => {
  running = await startHub(...args)
  return running
}
afterEach(async () => {
  await running?.stop()
  running = undefined
})

const at = (point: number, value: number, time = 1000): LiveValue => [point, time, value, 0]
type Push = HubMessages['Values'][0]

/** A signed-in client of the real library that keeps every push. */
const watcher = async (h: Harness, bearer: string, points: number[]) => {
  const client = await h.client(bearer)
  const pushes: Push[] = []
  client.on('Values', (push: Push) => pushes.push(push))
  const answer = await client.invoke<Push>('Subscribe', points)
  const newest = new Map(answer.Values.map((v) => [v[0], v[2]]))
  client.on('Values', (push: Push) => {
    for (const v of push.Values) newest.set(v[0], v[2])
  })
  return { client, pushes, answer, newest }
}

test('a SignalR client signs in, subscribes, and gets the latest values and then new ones', async () => {
  const h = await start()
  h.push(at(1, 10), at(2, 20))
  const { client, answer, pushes } = await watcher(h, 'anna', [1, 2, 3])
  await client.invoke('LoginConnect', 11)
  expect(answer).toEqual({ Seq: 0, Values: [at(1, 10), at(2, 20)] })
  h.push(at(3, 30))
  await vi.waitFor(() => expect(pushes).toEqual([{ Seq: 1, Values: [at(3, 30)] }]))
})

test('LoginConnect of somebody else, unknown methods and wrong arguments are refused by completion', async () => {
  const h = await start()
  const client = await h.client('anna')
  await expect(client.invoke('LoginConnect', 12)).rejects.toThrow('forbidden')
  await expect(client.invoke('constructor')).rejects.toThrow('noSuchPath')
  await expect(client.invoke('Subscribe', 'all')).rejects.toThrow('invalid')
  await expect(client.invoke('Subscribe', [1.5])).rejects.toThrow('invalid')
  await expect(client.invoke('Subscribe', [{ id: 1 }])).rejects.toThrow('invalid')
  await expect(client.invoke('LoginConnect', 11)).resolves.toBeUndefined()
})

test('Ask is answered while other calls wait', async () => {
  const h = await start()
  const client = await h.client('anna')
  const answered: string[] = []
  const note = (what: string) => () => answered.push(what)
  const calls = [client.invoke('Subscribe', [1]).then(note('Subscribe')), client.invoke('Ask').then(note('Ask'))]
  await Promise.all(calls)
  expect(answered).toEqual(['Ask', 'Subscribe'])
})

test('who has asked hears for a minute that the line works, and who has not hears pings alone', async () => {
  let now = 1_000_000
  const h = await start({ clock: () => now, limits: { silenceMs: 1e9, recheckMs: 1e9, stallMs: 1e9 } })
  const [asking, quiet] = [await h.raw('anna'), await h.raw('anna')]
  asking.send({ type: 1, target: 'Ask', arguments: [], invocationId: '1' })
  await vi.waitFor(() => expect(asking.frames.at(-1)).toMatchObject({ type: 3, invocationId: '1' }))
  const pass = (seconds: number) => {
    for (let i = 0; i < seconds; i++) {
      now += 1000
      h.hub.sweep()
    }
  }
  const alive = (frames: typeof asking.frames) => frames.filter((f) => f.target === 'Alive').length
  pass(58)
  await vi.waitFor(() => expect(alive(asking.frames)).toBe(29))
  pass(120)
  await vi.waitFor(() => expect(quiet.frames.filter((f) => f.type === 6)).toHaveLength(11))
  expect([alive(asking.frames), alive(quiet.frames)]).toEqual([29, 0])
})

test('points of another tenant are left out, in the answer and in every push', async () => {
  const h = await start()
  h.push(at(1, 10), at(1001, 99))
  const { answer, pushes } = await watcher(h, 'anna', [1, 1001])
  h.push(at(1001, 98), at(1, 11))
  h.push(at(1001, 97))
  await vi.waitFor(() => expect(pushes.flatMap((p) => p.Values)).toEqual([at(1, 11)]))
  expect(answer.Values).toEqual([at(1, 10)])
})

test('a flood of values is coalesced: few pushes, numbered without a gap, the newest value of each point last', async () => {
  const h = await start()
  const { pushes, newest } = await watcher(h, 'anna', [1, 2])
  for (let i = 1; i <= 500; i++) h.push(at(1, i), at(2, -i))
  await vi.waitFor(() => expect([newest.get(1), newest.get(2)]).toEqual([500, -500]))
  expect(pushes.map((p) => p.Seq)).toEqual([1, 2])
  expect(pushes[1]!.Values).toEqual([at(1, 500), at(2, -500)])
})

test('an unsubscribed point is silent, and calls take effect in the order they were sent', async () => {
  let release = () => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  const h = await start({
    visible: async (_actor, ids) => {
      await gate
      return [...ids]
    },
  })
  const client = await h.client('anna')
  const calls = [client.invoke('Subscribe', [1, 2]), client.invoke('Unsubscribe', [1])]
  release()
  await Promise.all(calls)
  expect(h.hub.stats().subscriptions).toBe(1)
})

test('more than 2,000 points are refused and change nothing', async () => {
  const h = await start()
  const { client } = await watcher(
    h,
    'root',
    Array.from({ length: 2000 }, (_, i) => i + 1),
  )
  await expect(client.invoke('Subscribe', [2001])).rejects.toThrow('tooMany')
  await expect(client.invoke('Subscribe', [5])).resolves.toBeTruthy()
  expect(h.hub.stats().subscriptions).toBe(2000)
})

test('messages reach the tenant and the platform, within granted projects and permissions', async () => {
  const h = await start()
  const heard: Record<string, number[]> = {}
  for (const name of ['anna', 'ben', 'foreign', 'root']) {
    const client = await h.client(name)
    heard[name] = []
    client.on('Changed', (m: HubMessages['Changed'][0]) => heard[name]!.push(m.Id))
  }
  const send = (Id: number, more: object) => h.hub.send({ EnterpriseId: 1, ...more }, 'Changed', { Resource: 'device', Id, Verb: 'update' })
  send(1, {})
  send(2, { ProjectId: 7 })
  send(3, { ProjectId: 8 })
  send(4, { permission: 'm10101' })
  send(5, { permission: 'm10201' })
  await vi.waitFor(() => expect(heard).toEqual({ anna: [1, 2, 3, 5], ben: [1, 2, 5], foreign: [], root: [1, 2, 3, 5] }))
})

test('localized messages go to each client in its own language, else in that of its user', async () => {
  const h = await start()
  h.sessions.set('anna', actorOf(11, { language: 'es' }))
  const heard: [string, string][] = []
  const asks: [string, string | undefined][] = [
    ['zh', 'zh-CN,zh;q=0.9'],
    ['ja', 'ja'],
    ['es', undefined],
  ]
  for (const [name, asked] of asks) {
    const client = await h.client('anna', asked ? { 'Accept-Language': asked } : {})
    client.on('Alarm', (m: HubMessages['Alarm'][0]) => heard.push([name, m.RuleName]))
    for (const unknown of ['fr', 7, null]) await expect(client.invoke('SetLanguage', unknown)).rejects.toThrow('invalid')
  }
  const languagesUsed: string[] = []
  const alarm = { Id: 1, Event: 'raised' as const, AlarmLevel: 2, DeviceId: null, ParaId: null, Value: null, Time: 0 }
  h.hub.sendIn({ EnterpriseId: 1 }, 'Alarm', (language) => {
    languagesUsed.push(language)
    return [{ ...alarm, RuleName: `in ${language}` }]
  })
  await vi.waitFor(() => expect(heard.toSorted()).toEqual(['es', 'ja', 'zh'].map((l) => [l, `in ${l}`])))
  expect(languagesUsed.toSorted()).toEqual(['es', 'ja', 'zh'])
})

test('a session that ends hears why, and its connection and tickets are gone', async () => {
  const h = await start()
  const client = await h.client('anna')
  const other = await h.client('ben')
  const ended = new Promise((resolve) => client.on('Ended', resolve))
  const closed = new Promise<void>((resolve) => client.onclose(() => resolve()))
  const ticket = await h.ticket('anna')
  h.hub.endSessions((actor) => actor.session === 's11', 'displaced')
  expect(await ended).toEqual({ Reason: 'displaced' })
  await closed
  await vi.waitFor(() => expect(h.hub.stats()).toMatchObject({ connections: 1, tickets: 0, cut: { ended: 1 } }))
  const refused = await new Promise((resolve) => h.open(ticket).on('unexpected-response', (_q, r) => resolve(r.statusCode)))
  expect(refused).toBe(404)
  expect(other.state).toBe('Connected')
})

test('a session that ended between negotiation and upgrade is found out in seconds', async () => {
  let now = 0
  const h = await start({ clock: () => now })
  const client = await h.client('anna')
  const ended = new Promise((resolve) => client.on('Ended', resolve))
  h.sessions.set('anna', { ended: 'expired' })
  now += 4500
  h.hub.sweep()
  expect(await ended).toEqual({ Reason: 'expired' })
})

test('a session that ran out is closed within a minute, and grants that were taken away end subscriptions', async () => {
  let now = 0
  const grants = new Set([1, 2])
  const h = await start({ clock: () => now, visible: async (_actor, ids) => ids.filter((id) => grants.has(id)) })
  const { client } = await watcher(h, 'anna', [1, 2])
  grants.delete(2)
  now += 29_000
  await client.invoke('Subscribe', [1])
  now += 29_000
  await client.invoke('Subscribe', [1])
  now += 2000
  h.hub.sweep()
  await vi.waitFor(() => expect(h.hub.stats().subscriptions).toBe(1))
  const ended = new Promise((resolve) => client.on('Ended', resolve))
  h.sessions.set('anna', { ended: 'expired' })
  await h.hub.recheck((actor) => actor.UserId === 11)
  expect(await ended).toEqual({ Reason: 'expired' })
})

test('after a reconnect the subscription answer gives the true picture, whatever was missed', async () => {
  const h = await start()
  const first = await watcher(h, 'anna', [1])
  h.push(at(1, 1))
  await vi.waitFor(() => expect(first.newest.get(1)).toBe(1))
  await first.client.stop()
  h.push(at(1, 2, 2000))
  await first.client.start()
  expect(await first.client.invoke('Subscribe', [1])).toEqual({ Seq: 0, Values: [at(1, 2, 2000)] })
})

test('clients are asked to reconnect when the server stops', async () => {
  const h = await start()
  const { frames, closed } = await h.raw('anna')
  await h.hub.close()
  await vi.waitFor(() => expect(closed()).toBe(1000))
  expect(frames.at(-1)).toEqual({ type: 7, error: 'The server is stopping.', allowReconnect: true })
})
