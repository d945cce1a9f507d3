import { type ObjectAddress, properties, bacnet as protocol } from '../../../contract/protocols/bacnet.ts'
import { Quality } from '../../../contract/telemetry.ts'
import { DriverFault, type PointRow, type Reading } from '../driver.ts'
import { type Property, readAnswer, readBody, readMultipleAnswer, readMultipleBody, type Said, service } from './frames.ts'
import { type BacnetLink, Refused } from './link.ts'
import { Garbled } from './tags.ts'
import { isUnknown, readingOfElements } from './values.ts'

/** Maximum points per request: their answers, with flags, fit into a datagram. */
export const mostPoints = 20
export const presentValue = properties.presentValue!
const statusFlags = properties.statusFlags!
/** Abort reasons (clause 18.10): the answer would not fit. Reject reason (18.9): unknown service. */
const [bufferOverflow, noSegments] = [1, 4]
const unknownService = 9

const places = new WeakMap<PointRow, ObjectAddress>()
/** @throws DriverFault for an address that the configuration check refuses */
export const placeOf = (point: PointRow): ObjectAddress => {
  const known = places.get(point)
  if (known) return known
  const parsed = protocol.parse(point.Address)
  if ('at' in parsed) throw new DriverFault('address', `${point.Address} is no object`)
  places.set(point, parsed.address)
  return parsed.address
}
/** Properties to request for a point: its own, and the flags of a present value. */
const wantedOf = (point: PointRow): Property[] => {
  const of = placeOf(point)
  return of.property === presentValue ? [of, { ...of, property: statusFlags }] : [of]
}
const isOf = (of: Property) => (said: Said) => said.object === of.object && said.instance === of.instance && said.property === of.property

const bad = (quality: number): Reading => ({ value: null, quality })
const badOf = (error: { kind: number; code: number }) => bad(isUnknown(error) ? Quality.notConfigured : Quality.exception)

/** @throws DriverFault garbled */
export const checked = <T>(read: () => T): T => {
  try {
    return read()
  } catch (error) {
    throw error instanceof Garbled ? new DriverFault('garbled', error.message) : error
  }
}
const ignoreRefusal = (error: unknown) => {
  if (!(error instanceof Refused)) throw error
  return undefined
}

/** Reads points of one device at a time, in the largest batches that it supports. */
export const reader = (link: BacnetLink) => {
  /** Devices that support single reads only, and the batch size of the others. */
  const single = new Set<number>()
  const atOnce = new Map<number, number>()
  const one = async (point: PointRow, unit: number, timeoutMs: number): Promise<Reading> => {
    const [of, flags] = wantedOf(point)
    const ask = async (property: Property) => {
      const body = await link.ask(unit, service.readProperty, readBody(property), timeoutMs)
      return checked(() => readAnswer(body))
    }
    try {
      const values = await ask(of!)
      const status = flags && (await ask(flags).catch((error: unknown) => ignoreRefusal(error)))
      return checked(() => readingOfElements(point, values, status))
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      if (error.kind !== 'error') throw new DriverFault('refused', error.message)
      return badOf({ kind: error.of, code: error.code })
    }
  }
  const many = async (points: readonly PointRow[], unit: number, timeoutMs: number): Promise<Reading[]> => {
    const answer = await link.ask(unit, service.readMultiple, readMultipleBody(points.flatMap(wantedOf)), timeoutMs)
    const said = checked(() => readMultipleAnswer(answer))
    return points.map((point) => {
      const [value, flags] = wantedOf(point).map((of) => said.find(isOf(of)))
      if (!value) throw new DriverFault('garbled', 'an answer to another question')
      if ('error' in value) return badOf(value.error)
      return checked(() => readingOfElements(point, value.values, flags && 'values' in flags ? flags.values : undefined))
    })
  }
  const fetch = async (points: readonly PointRow[], unit: number, timeoutMs: number): Promise<Reading[]> => {
    const readings: Reading[] = []
    while (readings.length < points.length) {
      const size = single.has(unit) ? 1 : (atOnce.get(unit) ?? mostPoints)
      const some = points.slice(readings.length, readings.length + size)
      if (single.has(unit)) {
        readings.push(await one(some[0]!, unit, timeoutMs))
        continue
      }
      try {
        readings.push(...(await many(some, unit, timeoutMs)))
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        const isTooLong = error.kind === 'abort' && (error.code === bufferOverflow || error.code === noSegments)
        if (isTooLong && some.length > 1) atOnce.set(unit, Math.ceil(some.length / 2))
        else if ((error.kind === 'reject' && error.code === unknownService) || isTooLong) single.add(unit)
        // The device refused the batch because of one of the points, so each is read separately.
        else for (const point of some) readings.push(await one(point, unit, timeoutMs))
      }
    }
    return readings
  }
  return fetch
}
