// Gateways: MQTT 3.1.1 over TCP, QoS 1, messages of the gateway protocol, or of ThingsBoard. Packets are made once and their numbers
// put in at sending, so that this process takes as little as possible from the server beside it.
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { generate } from 'mqtt-packet'
import { quantile } from '../figures.ts'
import { serveJobs } from './job.ts'

export type Gateway = { sn: string; key: string; device: number; points: number[] }
export type PublishJob = {
  port: number
  gateways: Gateway[]
  /** Values in a message. */
  values: number
  /** Messages of a gateway that may wait for their acknowledgement. */
  window: number
  /** Messages a second of all gateways; without it each sends whenever its window lets it. */
  rate?: number
  seconds: number
  /** Seconds at the start that are not counted. */
  warmUp: number
  /** Readings beyond their limit: one a second and gateway, on the first point. */
  alarms?: boolean
  /** Every reading is beyond its limit. */
  flood?: boolean
  /** One point of a hundred reads beyond its limit, for so many ms; then another one. */
  excursion?: number
  /** The key of a gateway is a token of ThingsBoard, and its points are the keys `k<point>`. */
  thingsBoard?: boolean
}
export type Published = {
  perSecond: number
  acked: number
  /** From the moment a message was due, ms. */
  p50: number
  p99: number
  /** By how much this process sent later than that, 99 % of the messages, ms; NaN where nothing is due. */
  late: number
  cut: number
}

type Template = { bytes: Buffer; packetId: number; msgId?: number; times: number[] }

const idDigits = 12
const packetIds = 65_535

/** Which of the points of a message read beyond their limit; of the others some do by themselves, unless `span` is less than 19.8. */
type Beyond = (i: number) => boolean
const template = (gateway: Gateway, points: readonly number[], round: number, beyond: Beyond = () => false, span = 20): Template => {
  const V = Object.fromEntries(
    points.map((id, i) => [id, beyond(i) ? 199.5 : Math.round(4000 + ((id * 7 + round * 13) % (100 * span))) / 100]),
  )
  const payload = JSON.stringify({ MsgId: '0'.repeat(idDigits), Ts: 1e12, Data: { Items: [{ D: gateway.device, T: 1e12, V }] } })
  return packetOf(`iot/v1/${gateway.sn}/up/data`, payload, ['"MsgId":"', '"Ts":', '"T":'])
}
const thingsBoardTemplate = (points: readonly number[], round: number): Template => {
  const values = Object.fromEntries(points.map((id) => [`k${id}`, ((id * 7 + round * 13) % 2000) / 100]))
  return packetOf('v1/devices/me/telemetry', JSON.stringify({ ts: 1e12, values }), [undefined, '"ts":'])
}
/** Text before the message's number and times. */
const packetOf = (topic: string, payload: string, [msgId, ...times]: readonly (string | undefined)[]): Template => {
  const bytes = generate({ cmd: 'publish', topic, payload, qos: 1, messageId: 1, dup: false, retain: false })
  const start = bytes.length - Buffer.byteLength(payload)
  const at = (text = '') => start + payload.indexOf(text) + text.length
  return { bytes, packetId: start - 2, ...(msgId && { msgId: at(msgId) }), times: times.map(at) }
}

const digits = (bytes: Buffer, at: number, count: number, value: number) => {
  for (let i = at + count - 1, rest = value; i >= at; i--) {
    const next = Math.floor(rest / 10)
    bytes[i] = 48 + rest - next * 10
    rest = next
  }
}

/** One connection. Latency counts from the moment a message was due. */
const openLine = async (job: PublishJob, gateway: Gateway, acknowledged: (dueAt: number) => void, cut: () => void) => {
  const groups = Array.from({ length: Math.max(1, gateway.points.length / job.values) }, (_, g) =>
    gateway.points.slice(g * job.values, (g + 1) * job.values),
  )
  const rounds = job.excursion ? 100 : 8
  const made = (points: readonly number[], r: number) => {
    if (job.thingsBoard) return thingsBoardTemplate(points, r)
    if (job.excursion) return template(gateway, points, r, (i) => i % rounds === r, 19)
    return template(gateway, points, r, () => job.flood === true)
  }
  const ordinary = groups.flatMap((points) => Array.from({ length: rounds }, (_, r) => made(points, r)))
  const beyond = template(gateway, groups[0]!, 0, (i) => i === 0)
  const due = new Float64Array(packetIds + 1)
  const socket: Socket = connect(job.port, '127.0.0.1')
  socket.setNoDelay(true)
  let [sent, inFlight, lastTime, lastBeyond] = [0, 0, 0, 0]
  let header: number | undefined
  let skip = 0
  let packetId = 0
  let ready = () => {}
  const connected = new Promise<void>((done) => {
    ready = done
  })
  socket.on('error', cut)
  socket.on('close', cut)
  socket.on('data', (chunk) => {
    let acks = 0
    for (const byte of chunk) {
      if (header === undefined) header = byte
      else if (skip === 0) {
        skip = byte
        packetId = 0
        if (skip === 0) header = undefined
      } else {
        packetId = (packetId << 8) | byte
        if (--skip > 0) continue
        if (header >> 4 === 2) {
          if (packetId & 0xff) throw new Error(`${gateway.sn} was refused: ${packetId & 0xff}`)
          ready()
        } else if (header >> 4 === 4) {
          acks++
          acknowledged(due[packetId]!)
        }
        header = undefined
      }
    }
    inFlight -= acks
    if (acks && pumping) fill()
  })
  socket.write(
    generate({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clean: true,
      clientId: gateway.sn,
      keepalive: 60,
      ...(job.thingsBoard ? { username: gateway.key } : { username: gateway.sn, password: Buffer.from(gateway.key) }),
    }),
  )
  await connected

  /** Excursions depend on the clock, epoch ms; other values on the number of sent messages. */
  const roundAt = (now: number) => Math.floor(job.excursion ? now / job.excursion : sent / groups.length)

  /** So many messages in one write. */
  const send = (count: number, dueAt: (i: number) => number) => {
    const parts: Buffer[] = []
    for (let i = 0; i < count; i++) {
      const now = Date.now()
      const isBeyond = job.alarms && now - lastBeyond > 1000
      if (isBeyond) lastBeyond = now
      const { bytes, packetId, msgId, times } = isBeyond ? beyond : ordinary[(sent % groups.length) * rounds + (roundAt(now) % rounds)]!
      const packet = Buffer.allocUnsafe(bytes.length)
      bytes.copy(packet)
      const id = (sent % packetIds) + 1
      due[id] = dueAt(i)
      packet[packetId] = id >> 8
      packet[packetId + 1] = id & 0xff
      if (msgId !== undefined) digits(packet, msgId, idDigits, sent)
      // Distinct milliseconds keep (point, time) distinct.
      lastTime = Math.max(lastTime + 1, now)
      for (const at of times) digits(packet, at, 13, lastTime)
      parts.push(packet)
      sent++
    }
    inFlight += count
    socket.write(parts.length === 1 ? parts[0]! : Buffer.concat(parts))
  }
  let pumping = false
  const fill = () => {
    // A quarter of a window at a time: single packets would cost both sides a system call each.
    const free = job.window - inFlight
    const now = performance.now()
    if (free >= Math.max(1, job.window / 4) && socket.writableLength < 4_000_000) send(Math.min(free, 1000), () => now)
  }
  return {
    send: (dueAt: readonly number[]) => {
      if (inFlight + dueAt.length > packetIds) throw new Error(`${gateway.sn} is ${inFlight} messages behind`)
      send(dueAt.length, (i) => dueAt[i]!)
    },
    pump: () => {
      pumping = true
      fill()
    },
    stop: () => {
      pumping = false
    },
    inFlight: () => inFlight,
    close: () => {
      socket.off('close', cut)
      socket.destroy()
    },
  }
}

serveJobs(async (job: PublishJob): Promise<Published> => {
  const [latencies, late]: [number[], number[]] = [[], []]
  let [counting, acked, cut] = [false, 0, 0]
  const acknowledged = (dueAt: number) => {
    if (!counting) return
    acked++
    if (job.rate || acked % 8 === 0) latencies.push(performance.now() - dueAt)
  }
  const lines: Awaited<ReturnType<typeof openLine>>[] = []
  for (const gateway of job.gateways) lines.push(await openLine(job, gateway, acknowledged, () => cut++))

  const end = performance.now() + (job.warmUp + job.seconds) * 1000
  let open = true
  const paced = async (rate: number) => {
    const start = performance.now()
    for (let n = 0; open; ) {
      const now = performance.now()
      const due: number[][] = lines.map(() => [])
      for (let dueAt = start + (n / rate) * 1000; dueAt <= now; dueAt = start + (++n / rate) * 1000) {
        due[n % lines.length]!.push(dueAt)
        if (counting) late.push(now - dueAt)
      }
      for (const [i, line] of lines.entries()) if (due[i]!.length) line.send(due[i]!)
      await sleep(2)
    }
  }
  const pacing = job.rate ? paced(job.rate) : lines.forEach((line) => void line.pump())
  await sleep(job.warmUp * 1000)
  counting = true
  const from = performance.now()
  await sleep(end - from)
  counting = false
  const seconds = (performance.now() - from) / 1000
  open = false
  for (const line of lines) line.stop()
  await pacing
  for (const until = performance.now() + 10_000; lines.some((l) => l.inFlight() > 0) && performance.now() < until && !cut; ) await sleep(20)
  for (const line of lines) line.close()
  return {
    perSecond: acked / seconds,
    acked,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    late: quantile(late, 0.99),
    cut,
  }
})
