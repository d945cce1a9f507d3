import { iec104 as protocol } from '../../../contract/protocols/iec104.ts'
import { settingOf } from '../../../contract/protocols/settings.ts'
import { Quality } from '../../../contract/telemetry.ts'
import { type Arrived, type Block, type Driver, DriverFault, type OpenDriver, type PointRow, type Reading } from '../driver.ts'
import { readingOf } from '../values.ts'
import { type Asdu, causes, commandAsdu, commands, readAsdu, type Value } from './frames.ts'
import { Iec104Link, type Parameters } from './link.ts'

type StationBlock = Block & { common: number; timeoutMs: number }
type Running = { type: number; common: number; ended(fault?: DriverFault): void; again(): void }

const minute = 60_000
const isUnknown = (cause: number) => cause >= causes.unknownFirst && cause <= causes.unknownLast

/** Converts a station's value to a reading: with its quality, or if that is good, with the quality of the point's range. */
const readingFor = (point: PointRow, { value, quality, time }: Value): Reading => {
  const reading = value === null ? { value, quality } : readingOf(point, value)
  const judged = reading.value !== null && quality === Quality.uncertain ? { ...reading, quality } : reading
  return time === undefined ? judged : { ...judged, time }
}

const parametersOf = (setting: (name: string) => number): Parameters => {
  const ms = (name: string) => setting(name) * 1000
  return { k: setting('K'), w: setting('W'), t0: ms('T0'), t1: ms('T1'), t2: ms('T2'), t3: ms('T3') }
}
const blockOf = ([common, points]: [number, PointRow[]]): StationBlock => ({
  ...{ points, common, unit: common, gapMs: 0 },
  timeoutMs: Math.max(...points.map((p) => p.Timeout)),
})

/** Interrogations of stations, one at a time: each is confirmed, followed by values, and terminated. */
const openInterrogations = (send: (asdu: Buffer) => void, originator: number, patienceMs: number) => {
  let running: Running | undefined
  let queue: Promise<unknown> = Promise.resolve()
  const ask = (type: number, common: number, timeoutMs: number) =>
    new Promise<void>((resolve, reject) => {
      let timer: NodeJS.Timeout
      const ended = (fault?: DriverFault) => {
        clearTimeout(timer)
        running = undefined
        if (fault) reject(fault)
        else resolve()
      }
      const again = () => {
        clearTimeout(timer)
        timer = setTimeout(() => ended(new DriverFault('silent', `station ${common} did not end its answer`)), timeoutMs)
      }
      running = { type, common, ended, again }
      again()
      send(commandAsdu(type, common, originator))
    })
  return {
    /** @throws DriverFault silent, refused, address (the station does not exist), down */
    ask: (type: number, common: number, timeoutMs = patienceMs): Promise<void> => {
      const turn = queue.then(() => ask(type, common, timeoutMs))
      queue = turn.catch(() => undefined)
      return turn
    },
    heard: ({ type, cause, isNegative, common }: Asdu) => {
      if (common === running?.common) running.again()
      if (running?.type !== type || running.common !== common) return
      if (isUnknown(cause)) running.ended(new DriverFault('address', `there is no station ${common}, or it has no such command`))
      else if (isNegative) running.ended(new DriverFault('refused', `station ${common} refused`))
      else if (cause === causes.termination) running.ended()
    },
    fail: (why: string) => running?.ended(new DriverFault('down', why)),
  }
}

/** Cached values of unconfigured addresses; bounded, since a station may send any number of them. */
const mostKnown = 50_000
export const remember = (known: Map<string, Value>, place: string, value: Value, isPoint: boolean) => {
  if (isPoint || known.has(place) || known.size < mostKnown) known.set(place, value)
}

/** Driver for IEC 60870-5-104 stations, whose values are unsolicited. */
export const iec104: OpenDriver = ({ channel, devices, changed }): Driver<StationBlock> => {
  const setting = (name: string) => Number(settingOf(protocol.channel, channel.Settings, name))
  const isLocal = settingOf(protocol.channel, channel.Settings, 'StationTime') === 'local'
  const stations = new Map(devices.map(({ Id, Settings }) => [Id, Number(settingOf(protocol.device, Settings, 'CommonAddress'))]))
  const commonOf = ({ DeviceId }: PointRow) => stations.get(DeviceId) ?? 0
  const placeOf = (point: PointRow) => `${commonOf(point)}/${Number(point.Address)}`
  /** The last value of each address since the connection began. */
  const known = new Map<string, Value>()
  let places = new Map<string, PointRow[]>()
  let receive: ((readings: readonly Arrived[]) => void) | undefined
  let timers: NodeJS.Timeout[] = []

  const rest = () => {
    timers.forEach((timer) => void clearInterval(timer))
    timers = []
    receive = undefined
    known.clear()
  }
  const heard = (bytes: Buffer) => {
    const asdu = readAsdu(bytes, isLocal)
    const arrived = asdu.values.flatMap((value): Arrived[] => {
      const place = `${asdu.common}/${value.address}`
      remember(known, place, value, places.has(place))
      return (places.get(place) ?? []).map((point) => ({ point, reading: readingFor(point, value) }))
    })
    if (arrived.length) receive?.(arrived)
    interrogations.heard(asdu)
  }
  const link = new Iec104Link({
    ...parametersOf(setting),
    ...{ host: channel.Ip!, port: channel.Port!, heard },
    lost: (why) => {
      interrogations.fail(why)
      rest()
      changed()
    },
  })
  const interrogations = openInterrogations((asdu) => link.send(asdu), setting('Originator'), setting('T1') * 1000)

  /** Interrogates a station; missing points become "not configured". @throws DriverFault down */
  const interrogate = async (common: number, types: readonly number[]) => {
    let quality: number = Quality.notConfigured
    for (const type of types)
      await interrogations.ask(type, common).catch((error) => {
        if (!(error instanceof DriverFault) || error.kind === 'down') throw error
        // A station without counters refuses their interrogation, but its values are valid.
        if (type === commands.interrogation && error.kind !== 'address')
          quality = error.kind === 'silent' ? Quality.timeout : Quality.exception
      })
    const missing = [...places.values()].flat().filter((point) => commonOf(point) === common && !known.has(placeOf(point)))
    if (missing.length) receive?.(missing.map((point) => ({ point, reading: { value: null, quality } })))
  }
  const every = (minutes: number, work: () => Promise<unknown>) => {
    if (minutes > 0) timers.push(setInterval(() => void work().catch(() => undefined), minutes * minute))
  }

  return {
    plan: (points) => [...Map.groupBy(points, commonOf)].map(blockOf),
    split: (block) => [block],
    get connected() {
      return link.connected
    },
    connect: () => {
      rest()
      return link.connect()
    },
    listens: () => true,
    listen: async (points, arrived) => {
      places = Map.groupBy(points, placeOf)
      receive = arrived
      const all = [...new Set(points.map(commonOf))]
      const withCounters = setting('CounterMinutes') > 0
      for (const common of all)
        await interrogate(common, withCounters ? [commands.interrogation, commands.counters] : [commands.interrogation])
      const askAll = (type: number) => async () => {
        for (const common of all) await interrogate(common, [type])
      }
      every(setting('InterrogationMinutes'), askAll(commands.interrogation))
      every(setting('CounterMinutes'), askAll(commands.counters))
    },
    /** An immediate read is an interrogation of the station. */
    read: async ({ points, common, timeoutMs }) => {
      await interrogations.ask(commands.interrogation, common, timeoutMs)
      return points.map((point): Reading => {
        const value = known.get(placeOf(point))
        return value ? readingFor(point, value) : { value: null, quality: Quality.notConfigured }
      })
    },
    write: () => Promise.reject(new DriverFault('refused', 'values of IEC 104 are only read')),
    close: () => {
      interrogations.fail('closed')
      rest()
      link.close()
    },
    unitOf: commonOf,
    trace: (to) => link.trace(to),
  }
}

export default iec104
