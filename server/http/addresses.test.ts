import { expect, it } from 'vitest'
import { networkOf, trustProxy } from './addresses.ts'

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

it('proxies are trusted by hops or by networks', () => {
  expect(trustProxy('off')).toBe(false)
  const first = (value: string, address = '203.0.113.9') =>
    [0, 1, 2].map((hop) => (trustProxy(value) as Exclude<ReturnType<typeof trustProxy>, false>)(address, hop))
  expect(first('on')).toEqual([true, false, false])
  expect(first('2')).toEqual([true, true, false])
  expect(first('10.0.0.0/8, 203.0.113.9')).toEqual([true, true, true])
  expect(first('10.0.0.0/8,fd00::/8', '::ffff:10.9.8.7')).toEqual([true, true, true])
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
