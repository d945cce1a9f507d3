import { canonical } from '../../contract/gateway-config.ts'
import { targetOf } from '../../contract/protocols/index.ts'
import { type ChannelRow, DriverFault } from '../drivers/driver.ts'
import type { OpenLine } from '../drivers/lines.ts'
import { hostOf, type Place } from './allowed.ts'
import { Door } from './door.ts'

const transportOf = ({ Settings }: ChannelRow) => (Settings?.Transport === 'udp' ? 'udp' : 'tcp')
const doorKey = (row: ChannelRow) => `${transportOf(row)} ${row.Port}`
const channelKey = (row: ChannelRow) => canonical(row)

/** The ports to which devices connect: those that the owner of this gateway allows and the configuration needs. */
export const openDoors = (allowed: readonly Place[], report: (text: string) => void) => {
  const doors = new Map<string, Door>()

  /** Why a channel cannot listen here. */
  const missing = (row: ChannelRow): string | undefined => {
    if (targetOf(row) !== 'dialled' || hostOf(allowed, row.Port ?? 0) !== undefined) return undefined
    return `channel ${row.Id}: EDGE_LISTEN of this gateway does not allow port ${row.Port}`
  }

  return {
    missing,
    /** Listens only for the devices of these channels. `arrived`: one has connected. */
    apply: async (channels: readonly ChannelRow[], arrived: (row: ChannelRow) => void) => {
      const wanted = Map.groupBy(
        channels.filter((row) => targetOf(row) === 'dialled' && !missing(row)),
        doorKey,
      )
      for (const [key, door] of [...doors]) {
        if (wanted.has(key)) continue
        doors.delete(key)
        await door.close()
      }
      for (const [key, rows] of wanted) {
        const [{ Port }] = rows as [ChannelRow]
        const place = { host: hostOf(allowed, Port!)!, port: Port!, transport: transportOf(rows[0]!) } as const
        const door = doors.get(key) ?? new Door(place, report)
        const keys = new Set(rows.map(channelKey))
        for (const known of [...door.expected.keys()]) if (!keys.has(known)) door.forget(known)
        for (const row of rows) if (!door.expected.has(channelKey(row))) door.expect(channelKey(row), row, () => arrived(row))
        if (doors.has(key) && !door.problem) continue
        doors.set(key, door)
        await door.open()
      }
    },
    /** The connection of a channel's device, while connected. */
    lineOf:
      (row: ChannelRow): OpenLine =>
      async (user) => {
        const door = doors.get(doorKey(row))
        const one = door?.expected.get(channelKey(row))
        if (!door || !one) throw new DriverFault('down', missing(row) ?? `port ${row.Port} is not open`)
        if (!one.present) throw new DriverFault('down', door.problem ?? 'the device has not dialled yet')
        const { caller } = one.present
        one.user = user
        let queue: Promise<unknown> = Promise.resolve()
        return {
          write: caller.write,
          close: () => {
            if (one.user === user) one.user = undefined
          },
          alone: (work) => {
            const turn = queue.then(work)
            queue = turn.catch(() => undefined)
            return turn
          },
        }
      },
    /** Unknown callers, most persistent first. */
    unknown: () =>
      [...doors.values()]
        .flatMap(({ place, unknown }) =>
          [...unknown.values()].map(({ from, said, count }) => ({
            ...{ Port: place.port, Transport: place.transport, From: from.slice(0, 64), Said: said, Count: count },
          })),
        )
        .sort((a, b) => b.Count - a.Count),
    /** Numbers of unknown callers and of refused second connections. */
    counts: () =>
      [...doors.values()].map(({ place, unknown, expected }) => ({
        ...{ port: place.port, unknown: [...unknown.values()] },
        refused: [...expected.values()].reduce((sum, { refused }) => sum + refused, 0),
      })),
    close: async () => {
      for (const door of doors.values()) await door.close()
      doors.clear()
    },
  }
}
export type Doors = ReturnType<typeof openDoors>
