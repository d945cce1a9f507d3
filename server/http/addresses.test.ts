import Fastify, { type FastifyInstance } from 'fastify'
import { expect, it } from 'vitest'
import { cleanAddresses, networkOf, trustProxy } from './addresses.ts'

it('an IPv4 address is one caller, of an IPv6 address its /64 is', () => {
  expect(
    [
      '192.0.2.7',
      '::ffff:192.0.2.7',
      '2001:db8:1:2:3:4:5:6',
      '2001:DB8:1:2::9',
      'fe80::1%eth0',
      '::1',
      '64:ff9b::192.0.2.1',
      'unknown',
    ].map(networkOf),
  ).toEqual([
    ...['192.0.2.7', '192.0.2.7', '2001:db8:1:2::/64', '2001:db8:1:2::/64'],
    ...['fe80:0:0:0::/64', '0:0:0:0::/64', '64:ff9b:0:0::/64', 'unknown'],
  ])
})

it('ports, brackets and spellings make no other caller', () => {
  const oneCaller = (...spellings: string[]) => expect([...new Set(spellings.map(networkOf))], spellings[0]).toHaveLength(1)
  oneCaller('198.51.100.7', '198.51.100.7:1', '198.51.100.7:65535', '::ffff:198.51.100.7', '::FFFF:c633:6407', '0:0:0:0:0:ffff:c633:6407')
  oneCaller('[::ffff:c633:6407]:80', '198.51.100.7', '[::ffff:198.51.100.7]')
  oneCaller('2001:db8:1:2::9', '[2001:db8:1:2::9]', '[2001:db8:1:2::a]:443', '[2001:0DB8:1:2:0:0:0:b]:1', '[2001:db8:1:2::9%eth0]:80')
  expect(networkOf('::ffff:c633:6408')).toBe('198.51.100.8')
})

it('what is no address counts as the peer of the socket', async () => {
  const app = Fastify({ trustProxy: trustProxy('on') }) as unknown as FastifyInstance
  cleanAddresses(app)
  app.get('/', async (request) => request.ip)
  const ipOf = async (forwarded?: string) =>
    (await app.inject({ url: '/', remoteAddress: '::ffff:192.0.2.1', headers: forwarded ? { 'x-forwarded-for': forwarded } : {} })).body
  for (const garbage of [
    undefined,
    'unknown',
    'abc7',
    '_hidden',
    '1.2.3',
    '1.2.3.4.5:6',
    '[::1',
    '[1::2::3]:4',
    '203.0.113.9, _x',
    '"::1"',
    ':80',
  ])
    expect(await ipOf(garbage), garbage).toBe('192.0.2.1')
  expect(await ipOf('198.51.100.7:4711')).toBe('198.51.100.7')
  expect(await ipOf('1.2.3.4, [2001:DB8::7]:4711')).toBe('2001:db8::7')
  expect(await ipOf('::ffff:c633:6407')).toBe('198.51.100.7')
  await app.close()
})

it('proxies are trusted by hops or by networks', () => {
  expect(trustProxy('off')).toBe(false)
  const first = (value: string, address = '203.0.113.9') =>
    [0, 1, 2].map((hop) => (trustProxy(value) as Exclude<ReturnType<typeof trustProxy>, false>)(address, hop))
  expect(first('on')).toEqual([true, false, false])
  expect(first('2')).toEqual([true, true, false])
  expect(first('10.0.0.0/8, 203.0.113.9')).toEqual([true, true, true])
  expect(first('10.0.0.0/8,fd00::/8', '::ffff:10.9.8.7')).toEqual([true, true, true])
  expect(first('10.0.0.0/8', '10.9.8.7:4711')).toEqual([true, true, true])
  expect(first('10.0.0.0/8,fd00::/8', 'fd00::5')).toEqual([true, true, true])
  expect(first('10.0.0.0/8')).toEqual([false, false, false])
  expect(first('10.0.0.0/8', 'nonsense')).toEqual([false, false, false])
})

it('anything else is refused', () => {
  for (const wrong of [
    '',
    'yes',
    '0',
    '-1',
    '100',
    '1.5',
    '10.0.0.0/33',
    '10.0.0.0/',
    '0.0.0.0/0',
    '10.0.0.0/8,',
    'proxy.local',
    'loopback',
  ])
    expect(() => trustProxy(wrong), wrong).toThrow('must be off, on')
})
