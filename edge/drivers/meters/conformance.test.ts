import { cjt188Layout, cjt188Meters, dlt645Layout, dlt645Meter, startMeters } from '../../testing/meters.ts'
import { pointRow } from '../../testing/rows.ts'
import { conformance, type Peer } from '../conformance.ts'
import { cjt188 } from './cjt188.ts'
import { dlt645 } from './dlt645.ts'

const timeout = 120
const lateMs = timeout * 1.5
const device = (Id: number, MeterAddress: string, more = {}) => ({
  ...{ Id, DeviceName: `Meter ${Id}`, CommType: 0, ChannelId: 1, SlaveNumber: 1 },
  Settings: { MeterAddress, ...more },
})
const fast = { ReadWriteType: 1, CollectPeriod: 20, Timeout: timeout }

/** Public holidays of 2007, periods of day tables and others of 1997: enough writable identifiers. */
const identifiers = {
  20: (n: number) => `0403${n.toString(16).padStart(4, '0').toUpperCase()}`,
  21: (n: number) => {
    if (n <= 80) return (0xc331 + Math.floor((n - 1) / 10) * 16 + ((n - 1) % 10)).toString(16).toUpperCase()
    return (n <= 94 ? 0xc321 + n - 81 : 0xc411 + n - 95).toString(16).toUpperCase()
  },
}
const electricity = (ProtocolType: 20 | 21) => async (): Promise<Peer> => {
  const isOld = ProtocolType === 21
  const identifierOf = identifiers[ProtocolType]
  const values = new Map(Array.from({ length: 100 }, (_, i) => [identifierOf(i + 1), i + 1]))
  const authority = Buffer.from(isOld ? '02563412' : '02563412' + '78000000', 'hex')
  const meter = dlt645Meter({ address: '000000000161', isOld, bytes: isOld ? 3 : 4, authority }, values)
  const peer = await startMeters(dlt645Layout, meter, ({ control }) => ({ control: control | 0xc0, data: Buffer.of(1) }), lateMs)
  const point = (n: number, change = {}) => pointRow(n, identifierOf(n), { ...fast, ...change })
  return {
    ...peer,
    channel: {
      ...{ ProtocolType, Ip: '127.0.0.1', Port: peer.port },
      Settings: { Password: '02123456', ...(isOld ? {} : { Operator: '00000078' }) },
    },
    devices: [device(1, '000000000161'), device(2, '000000000162')],
    point,
    hung: (n) => point(n, { DeviceId: 2 }),
    value: (n) => values.get(identifierOf(n))!,
  }
}

/** A hundred water meters that show their number. Only the settlement day of a meter is writable. */
const water = async (): Promise<Peer> => {
  const addressOf = (n: number) => `78330011${String(n).padStart(6, '0')}`
  const numbers = Array.from({ length: 100 }, (_, i) => i + 1)
  const totals = new Map(numbers.map((n) => [addressOf(n), n]))
  const days = new Map(numbers.map((n) => [addressOf(n), n % 100]))
  const peer = await startMeters(
    cjt188Layout,
    cjt188Meters(totals, days),
    ({ control }) => ({ control: control | 0xc0, data: Buffer.of(0, 0, 0) }),
    lateMs,
  )
  const point = (n: number, change = {}) =>
    n === 101
      ? pointRow(n, '901F/9', { ...fast, ReadWriteType: 0, ...change })
      : pointRow(n, n === 5 ? '8103' : '901F/1', { ...fast, DeviceId: n, ...change })
  return {
    ...peer,
    channel: { ProtocolType: 30, Ip: '127.0.0.1', Port: peer.port },
    devices: [...numbers.map((n) => device(n, addressOf(n))), device(200, addressOf(200))],
    point,
    hung: (n) => point(n, { DeviceId: 200 }),
    value: (n) => (n === 5 ? days : totals).get(addressOf(n))!,
  }
}

conformance('DL/T 645-2007 over TCP', dlt645, electricity(20))
conformance('DL/T 645-1997 over TCP', dlt645, electricity(21))
conformance('CJ/T 188 over TCP', cjt188, water)
