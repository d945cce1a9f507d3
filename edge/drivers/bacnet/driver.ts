import { bacnet as protocol } from '../../../contract/protocols/bacnet.ts'
import { settingOf } from '../../../contract/protocols/settings.ts'
import { type Block, type Driver, DriverFault, type OpenDriver, type PointRow } from '../driver.ts'
import { rawOfValue } from '../numbers.ts'
import { browse } from './browse.ts'
import { readAnswer, readBody, service, writeBody } from './frames.ts'
import { BacnetLink, Refused } from './link.ts'
import { subscribe } from './listening.ts'
import { checked, mostPoints, placeOf, presentValue, reader } from './reading.ts'
import { tag } from './tags.ts'
import { isUnknown } from './values.ts'

type BacnetBlock = Block & { timeoutMs: number; unit: number }

const collectChange = 2

/** Driver for BACnet/IP devices. */
export const bacnet: OpenDriver = ({ channel, devices, reach }): Driver<BacnetBlock> => {
  const settings = new Map(devices.map((d) => [d.Id, d.Settings]))
  const instanceOf = (point: PointRow) => Number(settingOf(protocol.device, settings.get(point.DeviceId), 'Instance'))
  const instances = [...new Set(devices.map((d) => Number(d.Settings?.Instance)))]
  const link = new BacnetLink(channel, instances, reach)
  const fetch = reader(link)
  let unsubscribe = () => {}

  const write = async (point: PointRow, value: number) => {
    const unit = instanceOf(point)
    const raw = rawOfValue(point, value)
    try {
      const body = await link.ask(unit, service.readProperty, readBody(placeOf(point)), point.Timeout)
      const [before] = checked(() => readAnswer(body))
      if (!before || before.isContext || ![1, 2, 3, 4, 5, 9].includes(before.number))
        throw new DriverFault('refused', 'only numbers are written')
      const isFraction = before.number === tag.real || before.number === tag.double
      const priority = Number(settingOf(protocol.device, settings.get(point.DeviceId), 'WritePriority'))
      const request = writeBody(placeOf(point), before.number, isFraction ? raw : Math.round(raw) + 0, priority)
      await link.ask(unit, service.writeProperty, request, point.Timeout)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const isMissing = error.kind === 'error' && isUnknown({ kind: error.of, code: error.code })
      throw new DriverFault(isMissing ? 'address' : 'refused', `the device answers ${error.message}`)
    }
  }

  return {
    plan: (points) =>
      [...Map.groupBy(points, instanceOf)].flatMap(([unit, own]) =>
        Array.from({ length: Math.ceil(own.length / mostPoints) }, (_, i) => {
          const some = own.slice(i * mostPoints, (i + 1) * mostPoints)
          const timeoutMs = Math.max(...some.map((p) => p.Timeout))
          return { points: some, unit, gapMs: Math.max(...some.map((p) => p.IntervalTime)), timeoutMs }
        }),
      ),
    split: (block) => [block],
    get connected() {
      return link.connected
    },
    connect: async () => {
      unsubscribe()
      await link.open()
    },
    read: ({ points, unit, timeoutMs }) => fetch(points, unit, timeoutMs),
    write,
    close: () => {
      unsubscribe()
      link.close()
    },
    unitOf: instanceOf,
    listens: (point) => point.CollectType === collectChange && placeOf(point).property === presentValue,
    listen: async (points, arrived) => {
      unsubscribe()
      const read = (some: readonly PointRow[]) => fetch(some, instanceOf(some[0]!), Math.max(...some.map((p) => p.Timeout)))
      unsubscribe = await subscribe({ link, points, placeOf, instanceOf, read, arrived })
    },
    browse: (below) => browse(link, instances, below),
    trace: (receive) => link.trace(receive),
  }
}

export default bacnet
