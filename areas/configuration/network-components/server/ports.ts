// Listening ports for external senders: only ports that the operator allows and a running sender needs.
import type { Socket } from 'node:net'
import { serial } from '../../../../server/jobs/serial.ts'
import type { PortFault } from '../contract.ts'
import type { Callers } from './callers.ts'
import type { Door, Doors } from './doors.ts'
import { type Open, openTcp, openUdp } from './sockets.ts'
import { type Place, placeKey } from './stations.ts'

/** Connections per sender: the newest replaces the oldest, which may be half open. */
const mostOfDoor = 8
/** Registration timeout, ms. */
const helloMs = 30_000
/** Maximum bytes of answers that the peer has not read. */
const mostUnread = 64 * 1024

type Needs = {
  doors: Doors
  callers: Callers
  host: string
  allowed: readonly Place[]
  gone(door: Door): void
  log: { warn(event: object, text: string): void }
}

/** Connections by sender. */
const createPresence = (gone: (door: Door) => void) => {
  const byDoor = new Map<number, { door: Door; sockets: Set<Socket> }>()
  return {
    enter: (door: Door, socket: Socket) => {
      const of = byDoor.get(door.Id) ?? { door, sockets: new Set<Socket>() }
      byDoor.set(door.Id, of)
      of.sockets.add(socket)
      if (of.sockets.size > mostOfDoor) of.sockets.values().next().value?.destroy()
    },
    leave: (socket: Socket) => {
      for (const [id, { door, sockets }] of byDoor) {
        if (!sockets.delete(socket) || sockets.size) continue
        byDoor.delete(id)
        gone(door)
      }
    },
    cut: (id: number) => {
      for (const socket of byDoor.get(id)?.sockets ?? []) socket.destroy()
    },
    count: (id: number) => byDoor.get(id)?.sockets.size ?? 0,
  }
}

type Presence = ReturnType<typeof createPresence>

/** Reads a connection until it closes, with backpressure: it reads on only after the data is stored. */
const openConversation =
  (callers: Callers, { enter, leave }: Presence) =>
  async (place: Place, socket: Socket) => {
    const hello = setTimeout(() => socket.destroy(), helloMs).unref()
    let isKnown = false
    const conversation = callers.openConversation({
      ...{ place, address: socket.remoteAddress ?? '', isDatagram: false, end: () => socket.destroy() },
      answer: (bytes) => {
        if (socket.writableLength > mostUnread) socket.destroy()
        else if (socket.writable) socket.write(bytes)
      },
      known: (door) => {
        if (!isKnown) clearTimeout(hello)
        isKnown = true
        enter(door, socket)
      },
    })
    // Once: a listener per chunk would stay until the connection ends.
    socket.once('timeout', () => socket.destroy())
    try {
      for await (const bytes of socket) {
        if (!(await conversation.take(bytes as Buffer))) return
        socket.setTimeout(conversation.patienceMs())
      }
    } finally {
      conversation.close()
      clearTimeout(hello)
      socket.destroy()
      leave(socket)
    }
  }

export const openPorts = ({ doors, callers, host, allowed, gone, log }: Needs) => {
  const presence = createPresence(gone)
  const opened = new Map<string, Open>()
  const faults = new Map<string, PortFault>()

  const converse = openConversation(callers, presence)
  const open = (place: Place): Promise<Open> => {
    const at = { Port: place.Port, host }
    if (place.Transport === 1) return openTcp(at, (socket) => converse(place, socket))
    return openUdp(at, (address, answer, end) =>
      callers.openConversation({ place, address, answer, end, isDatagram: true, known: () => undefined }),
    )
  }
  const isAllowed = (place: Place) => allowed.some((one) => placeKey(one) === placeKey(place))
  const wanted = () => {
    const places = new Map<string, Place>()
    for (const { Status, Port, Transport } of doors.all())
      if (Status === 1 && Port && Transport) {
        const place = { Port, Transport: Transport as 1 | 2 }
        if (isAllowed(place)) places.set(placeKey(place), place)
      }
    return places
  }
  const inTurn = serial()
  let isClosed = false
  /** Opens the ports in use and closes the others. */
  const apply = () =>
    inTurn(async () => {
      const places = isClosed ? new Map<string, Place>() : wanted()
      for (const [key, port] of [...opened])
        if (!places.has(key)) {
          opened.delete(key)
          await port.close()
        }
      for (const [key, place] of places) {
        if (opened.has(key)) continue
        try {
          opened.set(key, await open(place))
          faults.delete(key)
        } catch (error) {
          faults.set(key, 'notOpen')
          log.warn({ port: place.Port, error: (error as Error).message }, 'A port for senders could not be opened; trying again')
        }
      }
    })
  const retry = setInterval(() => faults.size && void apply(), 10_000).unref()
  return {
    apply,
    cut: (id: number) => {
      callers.cut(id)
      presence.cut(id)
    },
    connections: (id: number) => presence.count(id) || Number(callers.has(id)),
    faultOf: ({ Port, Transport, Status }: Door): PortFault | null => {
      if (!Port || !Transport || Status !== 1) return null
      const place = { Port, Transport: Transport as 1 | 2 }
      return isAllowed(place) ? (faults.get(placeKey(place)) ?? null) : 'notAllowed'
    },
    close: async () => {
      isClosed = true
      clearInterval(retry)
      await apply()
    },
  }
}
export type Ports = Awaited<ReturnType<typeof openPorts>>
