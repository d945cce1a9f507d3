import { type Description, mostFrameBytes, type Request } from '../../../contract/described/description.ts'
import { compose, cutFrame, isAnswer, isGuarded, listenedTo, valuesOf } from '../../../contract/described/frames.ts'
import { Quality } from '../../../contract/telemetry.ts'
import type { Arrived, Block, Driver, OpenDriver, PointRow, Reading } from '../driver.ts'
import { lineOf } from '../lines.ts'
import { Questions } from '../questions.ts'
import { readingOf, toRaw } from '../values.ts'

/** Points in one answer of one device; without a request, points that are missing in the description. */
type DescribedBlock = Block & { unit: number; request: Request | undefined; timeoutMs: number }

const unknown: Reading = { value: null, quality: Quality.notConfigured }
/** A data type with fractions. */
const double = 101
/** Silence that ends a frame by default, ms. */
const usualSilenceMs = 50

/** Read requests by their keys, and write requests. */
const requestsOf = ({ Requests }: Description) => ({
  reads: new Map(Requests.flatMap((request) => request.Fields.map(({ Key }) => [Key, request] as const))),
  writes: new Map(Requests.flatMap((request) => (request.Write ? [[request.Write.Key, request] as const] : []))),
})

/** Receives unsolicited frames. */
const createHearing = (description: Description, line: Questions) => {
  const { Frame } = description
  let points: readonly PointRow[] = []
  let arrived: (readings: readonly Arrived[]) => void = () => undefined
  let received: Uint8Array = new Uint8Array()
  let quiet: NodeJS.Timeout | undefined
  /** False if the frame is not an unsolicited one. */
  const take = (frame: Uint8Array): boolean => {
    const units = [...new Set(points.map(({ SlaveNumber }) => SlaveNumber))]
    const found = listenedTo(description, units, frame)
    if (!found) return false
    const values = new Map(found.values.map(({ key, value }) => [key, value]))
    const own = points.filter(({ SlaveNumber, Address }) => SlaveNumber === found.unit && values.has(Address))
    arrived(
      own.map((point) => {
        const value = values.get(point.Address) ?? null
        return { point, reading: value === null ? { value, quality: Quality.exception } : readingOf(point, value) }
      }),
    )
    const { bytes } = compose(Frame, found.request, found.unit)
    if (bytes.length) void line.say(Buffer.from(bytes), `unit ${found.unit}: acknowledges`)
    return true
  }
  const cut = (isQuiet: boolean) => {
    for (let found = cutFrame(Frame, received, isQuiet); found; found = cutFrame(Frame, received, isQuiet)) {
      received = found.rest
      if (isGuarded(Frame, found.frame)) take(found.frame)
    }
  }
  line.hear((bytes) => {
    if (!points.length) return
    received = Buffer.concat([received, bytes]).subarray(-mostFrameBytes)
    cut(false)
    clearTimeout(quiet)
    if (Frame.By === 'silence') quiet = setTimeout(() => cut(true), Frame.SilenceMs ?? usualSilenceMs)
  })
  return {
    take,
    listen: (of: readonly PointRow[], hear: typeof arrived) => {
      points = of
      arrived = hear
      received = new Uint8Array()
    },
    close: () => clearTimeout(quiet),
  }
}

/** Driver for described protocols (ProtocolType 200): over TCP, on a serial line, or from a device that dials in. */
export const described: OpenDriver = ({ channel, changed, dialled }): Driver<DescribedBlock> => {
  // The configuration check refuses a channel without a description.
  const description = channel.Description as Description
  const { Frame } = description
  const { reads, writes } = requestsOf(description)
  const line = new Questions(lineOf({ channel, dialled }), changed)
  const heard = createHearing(description, line)

  const blockOf = (points: readonly PointRow[]): DescribedBlock => ({
    points,
    unit: points[0]!.SlaveNumber,
    request: reads.get(points[0]!.Address),
    gapMs: Math.max(...points.map((p) => p.IntervalTime)),
    timeoutMs: Math.max(...points.map((p) => p.Timeout)),
  })

  /** Sends a request and waits for its answer. Skips foreign frames and echoes of our own. */
  const ask = (request: Request, unit: number, timeoutMs: number, value?: number): Promise<Uint8Array> => {
    const { bytes, value: written } = compose(Frame, request, unit, value)
    const sent = Buffer.from(bytes)
    const name = `request ${description.Requests.indexOf(request) + 1}`
    const isEcho = (frame: Uint8Array) => sent.equals(frame) && request.Fields.length > 0
    return line.ask<Uint8Array>({
      ...{ bytes: sent, timeoutMs, who: `unit ${unit}`, meaning: `unit ${unit}: ${name}` },
      ...(Frame.By === 'silence' ? { quietMs: Frame.SilenceMs ?? usualSilenceMs } : {}),
      take: (received, isQuiet = false) => {
        // Silence after our own echo does not end a frame.
        const own =
          Frame.By === 'silence' && request.Fields.length && received.subarray(0, sent.length).equals(sent)
            ? received.subarray(sent.length)
            : received
        for (let rest: Uint8Array = own; ; ) {
          const cut = cutFrame(Frame, rest, isQuiet)
          if (!cut) return undefined
          rest = cut.rest
          if (isEcho(cut.frame)) continue
          if (!isGuarded(Frame, cut.frame)) throw new Error('the checksum is wrong')
          // Unsolicited frame, timestamped on arrival.
          if (heard.take(cut.frame)) continue
          if (!isAnswer(Frame, request, unit, cut.frame, request.Write ? written : undefined)) throw new Error(`it does not answer ${name}`)
          return { answer: cut.frame, frame: Buffer.from(cut.frame), meaning: `unit ${unit}: answers ${name}` }
        }
      },
    })
  }

  const read = async ({ points, request, unit, timeoutMs }: DescribedBlock): Promise<Reading[]> => {
    if (!request) return points.map(() => unknown)
    const values = new Map(valuesOf(request, await ask(request, unit, timeoutMs)).map(({ key, value }) => [key, value]))
    return points.map((point) => {
      const value = values.get(point.Address)
      return value === undefined || value === null ? { value: null, quality: Quality.exception } : readingOf(point, value)
    })
  }

  const write = async (point: PointRow, value: number) => {
    const request = writes.get(point.Address)
    if (!request?.Write) throw new RangeError(`${point.Address} cannot be written`)
    // The type in the description determines the rounding, not the type of the point.
    const raw = toRaw({ ...point, ParaDataType: double }, value)
    await ask(request, point.SlaveNumber, point.Timeout, raw)
  }

  return {
    listens: ({ Address }) => reads.get(Address)?.Listen === true,
    listen: async (points, arrived) => heard.listen(points, arrived),
    plan: (points) =>
      [...Map.groupBy(points, (p) => `${p.SlaveNumber}/${description.Requests.indexOf(reads.get(p.Address)!)}`).values()].map(blockOf),
    // One answer contains all points, so there is no smaller request.
    split: ({ points }) => points.map((point) => blockOf([point])),
    read,
    write,
    get connected() {
      return line.connected
    },
    connect: () => line.connect(),
    close: () => {
      heard.close()
      line.close()
    },
    trace: (receive) => line.trace(receive),
  }
}

export default described
