import type { Connection } from './connection.ts'

/** Connections by the points that they subscribe to. `left`: a point has lost its last subscriber. */
export const createSubscriptions = (left: (point: number) => void = () => {}) => {
  const index = new Map<number, Set<Connection>>()
  let size = 0
  return {
    get size() {
      return size
    },
    of: (point: number): ReadonlySet<Connection> | undefined => index.get(point),
    add(connection: Connection, points: Iterable<number>) {
      for (const point of points) {
        if (connection.points.has(point)) continue
        connection.points.add(point)
        const listeners = index.get(point)
        if (listeners) listeners.add(connection)
        else index.set(point, new Set([connection]))
        size++
      }
    },
    remove(connection: Connection, points: Iterable<number>) {
      for (const point of points) {
        if (!connection.points.delete(point)) continue
        connection.outlet.withdraw(point)
        const listeners = index.get(point)!
        listeners.delete(connection)
        size--
        if (listeners.size) continue
        index.delete(point)
        left(point)
      }
    },
  }
}
export type Subscriptions = ReturnType<typeof createSubscriptions>
