// An agent of SNMP v1 and v2c on a table of variables, that misbehaves when a test says so. RFC 3416 in the encoding of X.690.
import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import type { Behaviour } from './raw.ts'

/** Tag and content of a value. */
export type Variable = { tag: number; bytes: Buffer }

const element = (tag: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  const length = body.length < 128 ? Buffer.of(body.length) : Buffer.of(0x82, body.length >> 8, body.length & 255)
  return Buffer.concat([Buffer.of(tag), length, body])
}
/** A whole number in as few bytes as two's complement takes. */
const wholeBytes = (value: number | bigint): Buffer => {
  const size = [1, 2, 3, 4, 5, 8, 9].find((n) => BigInt.asIntN(n * 8, BigInt(value)) === BigInt(value))!
  const hex = BigInt.asUintN(size * 8, BigInt(value)).toString(16)
  return Buffer.from(hex.padStart(size * 2, '0'), 'hex')
}
export const whole = (value: number | bigint, tag = 2): Variable => ({ tag, bytes: wholeBytes(value) })
export const text = (value: string): Variable => ({ tag: 4, bytes: Buffer.from(value) })

const oidBytes = (oid: string): Buffer => {
  const [first = 0, second = 0, ...rest] = oid.split('.').map(Number)
  const arcs = [first * 40 + second, ...rest].flatMap((arc) => {
    const sevens = [arc % 128]
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128)) sevens.unshift((left % 128) | 0x80)
    return sevens
  })
  return Buffer.from(arcs)
}
const oidText = (bytes: Buffer): string => {
  const arcs: number[] = []
  let arc = 0
  for (const byte of bytes) {
    arc = arc * 128 + (byte & 0x7f)
    if (byte & 0x80) continue
    if (arcs.length) arcs.push(arc)
    else arcs.push(Math.min(2, Math.floor(arc / 40)), arc - 40 * Math.min(2, Math.floor(arc / 40)))
    arc = 0
  }
  return arcs.join('.')
}
const parts = (bytes: Buffer) => {
  const found: { tag: number; body: Buffer }[] = []
  for (let at = 0; at + 1 < bytes.length; ) {
    const more = bytes[at + 1]! & 0x80 ? bytes[at + 1]! & 0x7f : 0
    const length = more ? bytes.readUIntBE(at + 2, more) : bytes[at + 1]!
    found.push({ tag: bytes[at]!, body: bytes.subarray(at + 2 + more, at + 2 + more + length) })
    at += 2 + more + length
  }
  return found
}

const [get, next, set] = [0xa0, 0xa1, 0xa3]
const [tooBig, noSuchName, genErr] = [1, 2, 5]
const none = element(5)

/** `largest`: variables of an answer, beyond which it is too big. `loops`: the next of each variable is the first. */
export const startSnmpAgent = async ({ lateMs = 100, largest = 100, version = 1, loops = false } = {}) => {
  const variables = new Map<string, Variable>()
  const askers = new Map<number, number>()
  const asked: { kind: number; count: number; community: string }[] = []
  let how: Behaviour = 'good'
  const arcs = (oid: string) => oid.split('.').map(Number)
  const inOrder = (a: string, b: string) => {
    const [x, y] = [arcs(a), arcs(b)]
    const at = x.findIndex((arc, i) => arc !== y[i])
    return at < 0 ? x.length - y.length : y[at] === undefined ? 1 : x[at]! - y[at]
  }
  const after = (oid: string) => {
    const all = [...variables.keys()].sort(inOrder)
    return loops ? all[0] : all.find((other) => inOrder(other, oid) > 0)
  }

  const replyTo = (request: Buffer): Buffer => {
    const [outer] = parts(request)
    const [, communityPart, pdu] = parts(outer!.body)
    const [id, , , list] = parts(pdu!.body)
    const bindings = parts(list!.body).map(({ body }) => parts(body))
    const community = communityPart!.body.toString()
    asked.push({ kind: pdu!.tag, count: bindings.length, community })
    const rows = bindings.map(([name, value]) => {
      const oid = oidText(name!.body)
      const key = pdu!.tag === next ? after(oid) : oid
      if (pdu!.tag === set && variables.has(oid)) variables.set(oid, { tag: value!.tag, bytes: Buffer.from(value!.body) })
      return { oid: key ?? oid, variable: key === undefined ? undefined : variables.get(key) }
    })
    const absent = rows.findIndex(({ variable }) => !variable)
    const [status, index] =
      how === 'refused'
        ? [genErr, 0]
        : rows.length > largest
          ? [tooBig, 0]
          : version === 0 && absent >= 0
            ? [noSuchName, absent + 1]
            : [0, 0]
    const exception = pdu!.tag === next ? 0x82 : 0x80
    const answered = rows.map(({ oid, variable }) =>
      element(0x30, element(6, oidBytes(oid)), status ? none : variable ? element(variable.tag, variable.bytes) : element(exception)),
    )
    return element(
      0x30,
      element(2, wholeBytes(version)),
      element(4, communityPart!.body),
      element(0xa2, element(2, id!.body), element(2, wholeBytes(status)), element(2, wholeBytes(index)), element(0x30, ...answered)),
    )
  }

  let socket = createSocket('udp4')
  const send = (bytes: Buffer, to: RemoteInfo) => socket.send(bytes, to.port, to.address, () => {})
  const timers = new Set<NodeJS.Timeout>()
  const hear = (request: Buffer, from: RemoteInfo) => {
    askers.set(from.port, performance.now())
    if (how === 'silent') return
    const answer = replyTo(request)
    if (how === 'garbled') answer[1] = 0x80 | 0x7f
    if (how === 'late') {
      const timer = setTimeout(() => {
        timers.delete(timer)
        send(answer, from)
      }, lateMs)
      timers.add(timer)
    } else send(how === 'cut' ? answer.subarray(0, answer.length - 5) : answer, from)
  }
  socket.on('message', hear).bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address()
  return {
    port,
    variables,
    /** Requests: their kind (0xa0 get, 0xa3 set), how many variables, and who asked. */
    asked,
    kinds: { get, next, set },
    behave: (kind: Behaviour) => {
      how = kind
    },
    /** Restarts; pending requests are lost. */
    cut: () => {
      socket.close()
      socket = createSocket('udp4').on('message', hear).bind(port, '127.0.0.1')
    },
    /** Sockets that have asked within the last 300 ms: datagrams have no connections. */
    connections: () => [...askers.values()].filter((at) => performance.now() - at < 300).length,
    /** Sends unsolicited bytes to the last client. */
    shout: (bytes: Buffer) => {
      const last = [...askers].toSorted((a, b) => b[1] - a[1])[0]
      if (last) socket.send(bytes, last[0], '127.0.0.1', () => {})
    },
    close: () => {
      for (const timer of timers) clearTimeout(timer)
      socket.close()
    },
  }
}
