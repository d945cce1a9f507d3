import { snmp as protocol } from '../../../contract/protocols/snmp.ts'
import { Quality } from '../../../contract/telemetry.ts'
import { type Block, type Driver, DriverFault, type OpenDriver, type PointRow, type Reading } from '../driver.ts'
import { browse } from './browse.ts'
import { noSuchName, Refused, SnmpLink, tooBig } from './link.ts'
import { isMissing, readingOfVariable, variableToWrite } from './values.ts'

type SnmpBlock = Block & { timeoutMs: number }

/** Variables per request: most agents answer this many in one datagram. */
const mostVariables = 20
/** Time for which a variable unknown to a version 1 agent is skipped, ms: it makes the whole request fail. */
const forgetMs = 60_000
const browseTimeoutMs = 2000

const oids = new WeakMap<PointRow, string>()
/** @throws DriverFault for an address that the configuration check refuses */
const oidOf = (point: PointRow): string => {
  const known = oids.get(point)
  if (known) return known
  const parsed = protocol.parse(point.Address)
  if ('at' in parsed) throw new DriverFault('address', `${point.Address} is no object identifier`)
  oids.set(point, String(parsed.address))
  return String(parsed.address)
}

const cut = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size))

const plan = (points: readonly PointRow[]): SnmpBlock[] =>
  cut(points, mostVariables).map((some) => ({
    ...{ points: some, unit: 0, gapMs: Math.max(...some.map((p) => p.IntervalTime)), timeoutMs: Math.max(...some.map((p) => p.Timeout)) },
  }))

const bad = (quality: number): Reading => ({ value: null, quality })

/** Driver for SNMP v1, v2c and v3 agents. */
export const snmp: OpenDriver = ({ channel, now }): Driver<SnmpBlock> => {
  const link = new SnmpLink(channel)
  /** Missing variables, with the time until which they are skipped. */
  const missing = new Map<string, number>()
  let atOnce = mostVariables

  const fetch = async (points: readonly PointRow[], timeoutMs: number, readings: Map<PointRow, Reading>): Promise<void> => {
    for (let at = 0; at < points.length; ) {
      const some = points.slice(at, at + atOnce)
      at += some.length
      try {
        const answer = await link.get(some.map(oidOf), timeoutMs)
        some.forEach((point, i) => {
          readings.set(point, readingOfVariable(point, answer[i]!))
        })
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        await without(error, some, timeoutMs, readings)
      }
    }
  }
  /** Repeats the request without the refused variables. */
  const without = async (refusal: Refused, points: readonly PointRow[], timeoutMs: number, readings: Map<PointRow, Reading>) => {
    if (refusal.status === tooBig && points.length > 1) {
      atOnce = Math.ceil(points.length / 2)
      return fetch(points, timeoutMs, readings)
    }
    const named = points.filter((point) => oidOf(point) === refusal.oid)
    if (!named.length) throw new DriverFault('refused', refusal.message)
    const isMissing = refusal.status === noSuchName
    for (const point of named) readings.set(point, bad(isMissing ? Quality.notConfigured : Quality.exception))
    if (isMissing) missing.set(oidOf(named[0]!), now() + forgetMs)
    await fetch(
      points.filter((point) => !named.includes(point)),
      timeoutMs,
      readings,
    )
  }
  const isLeftOut = (point: PointRow) => {
    const until = missing.get(oidOf(point))
    if (until !== undefined && until <= now()) missing.delete(oidOf(point))
    return until !== undefined && until > now()
  }

  return {
    plan,
    split: (block) => [block],
    get connected() {
      return link.connected
    },
    connect: () => link.open(),
    read: async (block) => {
      const readings = new Map<PointRow, Reading>()
      const [leftOut, asked] = [block.points.filter(isLeftOut), block.points.filter((point) => !isLeftOut(point))]
      for (const point of leftOut) readings.set(point, bad(Quality.notConfigured))
      await fetch(asked, block.timeoutMs, readings)
      return block.points.map((point) => readings.get(point)!)
    },
    write: async (point, value) => {
      try {
        const [before] = await link.get([oidOf(point)], point.Timeout)
        if (!before || isMissing(before)) throw new Refused(noSuchName, undefined)
        await link.set(variableToWrite(point, before, value), point.Timeout)
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        throw new DriverFault(error.status === noSuchName ? 'address' : 'refused', `the agent answers: ${error.message}`)
      }
    },
    close: () => link.close(),
    unitOf: () => 0,
    browse: (below) => browse(link, below, browseTimeoutMs),
    trace: (receive) => link.trace(receive),
  }
}

export default snmp
