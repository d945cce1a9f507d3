import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { channelRow, pointRow, readAll } from '../../testing/rows.ts'
import { startSnmpAgent, text, whole } from '../../testing/snmp-agent.ts'
import { conformance, type Peer } from '../conformance.ts'
import type { Frame, PointRow } from '../driver.ts'
import { numberInText } from '../numbers.ts'
import { snmp } from './driver.ts'
import { readable } from './frames.ts'

const timeout = 60
const oid = (n: number) => `1.3.6.1.4.1.99999.1.${n}`
const [gauge, ticks, opaque, counter64] = [66, 67, 68, 70]

const peer = (version: '1' | '2c') => async (): Promise<Peer> => {
  const agent = await startSnmpAgent({ lateMs: timeout * 1.5, version: version === '1' ? 0 : 1 })
  for (let n = 1; n <= 100; n++) agent.variables.set(oid(n), whole(n))
  return {
    ...agent,
    channel: { ProtocolType: 100, Ip: '127.0.0.1', Port: agent.port, Settings: { Version: version, Community: 'conformance' } },
    point: (n, change = {}) => pointRow(n, oid(n), { ReadWriteType: 1, CollectPeriod: 20, Timeout: timeout, ...change }),
    value: (n) => agent.variables.get(oid(n))!.bytes.readIntBE(0, agent.variables.get(oid(n))!.bytes.length),
  }
}
conformance('SNMP v2c', snmp, peer('2c'))
conformance('SNMP v1', snmp, peer('1'))

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})
const open = async (options: Parameters<typeof startSnmpAgent>[0] = {}, settings: Record<string, string> = {}) => {
  const agent = await startSnmpAgent(options)
  closing.push(agent.close)
  const Settings = { Version: '2c', Community: 'secret-community', ...settings }
  const driver = snmp({ channel: channelRow(agent.port, { ProtocolType: 100, Settings }), devices: [], now: Date.now, changed: () => {} })
  closing.push(() => driver.close())
  await driver.connect()
  const read = (...points: PointRow[]) => readAll(driver, points)
  return { agent, driver, read }
}

test('reads numbers of every kind, numbers in texts, and says what is none', async () => {
  const { agent, read } = await open()
  const float = Buffer.alloc(7)
  float.writeUIntBE(0x9f7804, 0, 3)
  float.writeFloatBE(0.35, 3)
  const held = [
    [whole(-7), [-7, 0]],
    [whole(4_000_000_000, gauge), [4_000_000_000, 0]],
    [whole(123_456, ticks), [123_456, 0]],
    [whole(2n ** 53n - 1n, counter64), [2 ** 53 - 1, 0]],
    [whole(2n ** 60n, counter64), [2 ** 60, 1]],
    [whole(2n ** 64n - 1n, counter64), [2 ** 64, 1]],
    [text('21.5 °C'), [21.5, 0]],
    [text('-3'), [-3, 0]],
    [text('eth0'), [null, 3]],
    [{ tag: opaque, bytes: float }, [0.35, 0]],
    [{ tag: 64, bytes: Buffer.of(10, 0, 0, 1) }, [null, 3]],
    [{ tag: 5, bytes: Buffer.alloc(0) }, [null, 4]],
  ] as const
  held.forEach(([variable], i) => {
    agent.variables.set(oid(i + 1), variable)
  })
  const points = held.map((_, i) => pointRow(i + 1, oid(i + 1)))
  expect(await read(...points, pointRow(99, oid(99)))).toEqual([...held.map(([, expected]) => expected), [null, 4]])
  const scaled = pointRow(1, oid(3), { SampleLow: 0, SampleHigh: 100, ProjectLow: 0, ProjectHigh: 1 })
  expect(await read(scaled)).toEqual([[1234.56, 1]])
})

test('asks for 20 variables at once, and for half as many where the answer is too big', async () => {
  const { agent, read } = await open({ largest: 5 })
  for (let n = 1; n <= 40; n++) agent.variables.set(oid(n), whole(n))
  const points = Array.from({ length: 40 }, (_, i) => pointRow(i + 1, oid(i + 1)))
  expect(await read(...points)).toEqual(points.map(({ Id }) => [Id, 0]))
  expect(agent.asked.map(({ count }) => count)).toEqual([20, 10, 5, 5, 5, 5, 5, 5, 5, 5])
})

test('an agent of version 1 is not asked again for what it does not know', async () => {
  const { agent, read } = await open({ version: 0 }, { Version: '1' })
  agent.variables.set(oid(1), whole(1))
  const points = [pointRow(2, oid(2)), pointRow(1, oid(1)), pointRow(3, oid(3))]
  for (let i = 0; i < 3; i++)
    expect(await read(...points)).toEqual([
      [null, 4],
      [1, 0],
      [null, 4],
    ])
  expect(agent.asked.map(({ count }) => count)).toEqual([3, 2, 1, 1, 1])
})

test('writes in the type that the agent has, with the community for writing', async () => {
  const { agent, driver } = await open({}, { WriteCommunity: 'writer' })
  agent.variables.set(oid(1), whole(5, gauge))
  agent.variables.set(oid(2), text('20.0'))
  await driver.write(pointRow(1, oid(1)), 70_000)
  await driver.write(pointRow(2, oid(2)), 21.5)
  expect(agent.variables.get(oid(1))).toEqual(whole(70_000, gauge))
  expect(agent.variables.get(oid(2))).toEqual(text('21.5'))
  expect(agent.asked.filter(({ kind }) => kind === agent.kinds.set).map(({ community }) => community)).toEqual(['writer', 'writer'])
  await expect(driver.write(pointRow(1, oid(1)), -1)).rejects.toThrow(RangeError)
  await expect(driver.write(pointRow(3, oid(3)), 1)).rejects.toMatchObject({ kind: 'address' })
  agent.variables.set(oid(4), whole(1, counter64))
  await expect(driver.write(pointRow(4, oid(4)), 1)).rejects.toMatchObject({ kind: 'refused' })
})

test('walks what an agent has, child by child, and leaves one that goes round in circles', async () => {
  const { agent, driver } = await open()
  agent.variables.set('1.3.6.1.2.1.1.5.0', text('pump house'))
  agent.variables.set('1.3.6.1.2.1.2.1.0', whole(2))
  for (const column of [2, 10]) for (const row of [1, 2]) agent.variables.set(`1.3.6.1.2.1.2.2.1.${column}.${row}`, whole(row))
  const ids = async (below?: string) => (await driver.browse!(below)).map(({ id, address }) => (address ? `=${address}` : id))
  expect(await ids()).toEqual(['1.3.6.1.2.1', '1.3.6.1.4.1'])
  expect(await ids('1.3.6.1.2.1')).toEqual(['1.3.6.1.2.1.1', '1.3.6.1.2.1.2'])
  expect(await ids('1.3.6.1.2.1.2')).toEqual(['1.3.6.1.2.1.2.1', '1.3.6.1.2.1.2.2'])
  expect(await ids('1.3.6.1.2.1.2.2.1.10')).toEqual(['=1.3.6.1.2.1.2.2.1.10.1', '=1.3.6.1.2.1.2.2.1.10.2'])
  expect(await driver.browse!('1.3.6.1.2.1.1.5')).toEqual([
    { id: '1.3.6.1.2.1.1.5.0', name: 'sysName = pump house', hasMore: false, address: '1.3.6.1.2.1.1.5.0' },
  ])
  const circle = await open({ loops: true })
  circle.agent.variables.set(`${oid(1)}.1`, whole(1))
  await expect(circle.driver.browse!(oid(1))).rejects.toMatchObject({ kind: 'garbled' })
})

test('the community is in no frame that is traced, and in no fault', async () => {
  const { agent, driver, read } = await open()
  const frames: Frame[] = []
  driver.trace!((frame) => void frames.push(frame))
  agent.variables.set(oid(1), text('secret-community'))
  await read(pointRow(1, oid(1)))
  agent.behave('refused')
  const fault = await read(pointRow(1, oid(1))).catch((error: Error) => `${error.stack}`)
  expect(frames.map(({ meaning }) => meaning.replace(/\d+:/, 'n:'))).toEqual([
    ...['get n: 1 values', 'answer n: 1 values', 'get n: 1 values', 'answer n: general error'],
  ])
  for (const { bytes } of frames) {
    expect(bytes.includes('secret-community')).toBe(false)
    expect(bytes.includes('****************')).toBe(true)
  }
  expect(fault).toContain('general error')
  expect(fault).not.toContain('secret-community')
})

test('SNMPv3 without what it needs is a connection with a reason', async () => {
  const connect = (Settings: Record<string, string>) =>
    snmp({ channel: channelRow(9, { Settings: { Version: '3', ...Settings } }), devices: [], now: Date.now, changed: () => {} }).connect()
  await expect(connect({})).rejects.toThrow('needs a user')
  await expect(connect({ User: 'a', PrivProtocol: 'aes', PrivPassword: 'secret-password' })).rejects.toThrow('needs an authentication')
  await expect(connect({ User: 'a', AuthProtocol: 'sha' })).rejects.toThrow('needs a password')
})

test.each([
  ['12', 12],
  [' -1.5e3 kPa', -1500],
  ['45%', 45],
  ['12\0', 12],
  ['1.2.3', undefined],
  ['12:30', undefined],
  ['3 of 4', undefined],
  ['1,5', undefined],
  ['', undefined],
  ['1e999', undefined],
])('the number in the text %j is %o', (given, number) => {
  expect(numberInText(given)).toBe(number)
})

test('bytes of any kind have a meaning, and a hail of them leaves the session as it was', async () => {
  const { agent, read } = await open()
  agent.variables.set(oid(1), whole(1))
  expect(await read(pointRow(1, oid(1)))).toEqual([[1, 0]])
  const frame = Buffer.from('302c0201010406736563726574a21f02041a2b3c4d020100020100301130', 'hex')
  const hail: Buffer[] = []
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(frame.length), (bytes, kept) => {
      const given = Buffer.concat([frame.subarray(0, kept), bytes])
      hail.push(given)
      expect(readable(given, ['secret']).meaning.length).toBeGreaterThan(3)
    }),
    { numRuns: 2000 },
  )
  for (let i = 0; i < hail.length; i++) {
    agent.shout(hail[i]!)
    if (i % 200 === 0) await pause(1)
  }
  await expect.poll(() => read(pointRow(1, oid(1))).catch(() => undefined), { timeout: 60_000 }).toEqual([[1, 0]])
})
