import { httpSource as protocol } from '../../../contract/protocols/http-source.ts'
import { settingOf } from '../../../contract/protocols/settings.ts'
import { anywhere } from '../../outbound.ts'
import { type Block, type Driver, DriverFault, type OpenDriver, type PointRow, type Reading } from '../driver.ts'
import { messageOf, openMessages, unknownValue } from '../messages.ts'
import { HttpLink } from './link.ts'

type HttpBlock = Block & { path: string; timeoutMs: number }

/** HTTP status codes for an unknown address. */
const unknownStatus = new Set([404, 410])

const places = new WeakMap<PointRow, ReturnType<typeof parse>>()
const parse = (point: PointRow) => {
  const parsed = protocol.parse(point.Address)
  if ('at' in parsed) throw new DriverFault('address', `${point.Address} is no path`)
  return parsed.address
}
/** @throws DriverFault for an address that the configuration check refuses */
const pathOf = (point: PointRow) => {
  const path = places.get(point) ?? parse(point)
  places.set(point, path)
  return path
}

/** Driver for polled web services. */
export const httpSource: OpenDriver = ({ channel, devices, outbound = anywhere }): Driver<HttpBlock> => {
  const link = new HttpLink(channel, outbound)
  const messages = openMessages(channel)
  const paths = new Map(devices.map(({ Id, Settings }) => [Id, String(settingOf(protocol.device, Settings, 'Path') ?? '')]))

  return {
    plan: (points) =>
      [...Map.groupBy(points, (p) => paths.get(p.DeviceId) ?? '')].map(([path, some]) => ({
        ...{ points: some, unit: path, path },
        gapMs: Math.max(...some.map((p) => p.IntervalTime)),
        timeoutMs: Math.max(...some.map((p) => p.Timeout)),
      })),
    split: (block) => [block],
    get connected() {
      return link.connected
    },
    connect: () => link.open(),
    read: async ({ points, path, timeoutMs }): Promise<Reading[]> => {
      const { status, body } = await link.ask(path, timeoutMs)
      if (unknownStatus.has(status)) return points.map(() => unknownValue)
      if (status >= 300 && status < 400)
        throw new DriverFault('refused', `the service sends to another address (${status}), which is not followed`)
      if (status < 200 || status >= 300) throw new DriverFault('refused', `the service answers ${status}`)
      const message = messageOf(body)
      if (message.root === undefined && points.length > 1) throw new DriverFault('garbled', 'the answer is not JSON')
      return points.map((point) => messages.read(point, message, pathOf(point)))
    },
    write: () => Promise.reject(new DriverFault('refused', 'values of a web service are only read')),
    close: () => link.close(),
    unitOf: ({ DeviceId }) => paths.get(DeviceId) ?? '',
    trace: (receive) => link.trace(receive),
  }
}

export default httpSource
