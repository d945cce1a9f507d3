type Entry<T> = { item: T; cost: number }
/** Who takes turns: `credit` is what it may still cost in this round, negative while it is in debt. */
type Turn = { credit: number }
type Lane<T> = Turn & { backlog: Entry<T>[] }

/** New ones come first, once; then everybody in turn (as in fq_codel, RFC 8290). */
const rotation = <K, V extends Turn>() => {
  const fresh = new Map<K, V>()
  const rest = new Map<K, V>()
  return {
    get: (key: K) => fresh.get(key) ?? rest.get(key),
    add: (key: K, value: V) => void fresh.set(key, value),
    first: () => (fresh.size ? fresh : rest).entries().next().value,
    toBack: (key: K, value: V) => {
      fresh.delete(key)
      rest.delete(key)
      rest.set(key, value)
    },
    /** An idle sender is forgotten only after a round without debt, so that it cannot start afresh each time. */
    retire: (key: K, value: V) => {
      if (fresh.delete(key) || value.credit <= 0) {
        rest.delete(key)
        rest.set(key, value)
      } else rest.delete(key)
    },
    values: () => [...fresh.values(), ...rest.values()],
    isEmpty: () => !fresh.size && !rest.size,
  }
}

/**
 * A queue in which tenants take turns, and the gateways of each (deficit round robin, Shreedhar and Varghese 1995): in a round each
 * may cost a quantum, and who cost more waits for later rounds. Items of one gateway keep their order. Who was not in the queue, and
 * owes nothing, comes first: a gateway that sends little does not wait behind those that flood.
 */
export const createFairQueue = <T>(quantum: number) => {
  const tenants = rotation<number, Turn & { lanes: ReturnType<typeof rotation<string, Lane<T>>> }>()
  let size = 0
  const tenantOf = (key: number) => {
    const known = tenants.get(key)
    if (known) return known
    const made = { credit: quantum, lanes: rotation<string, Lane<T>>() }
    tenants.add(key, made)
    return made
  }
  return {
    size: () => size,
    push: (tenant: number, gateway: string, cost: number, item: T) => {
      const { lanes } = tenantOf(tenant)
      const known = lanes.get(gateway)
      if (known) known.backlog.push({ item, cost })
      else lanes.add(gateway, { credit: quantum, backlog: [{ item, cost }] })
      size++
    },
    /** Items of a gateway that were taken too early: they come before its others. */
    pushBack: (tenant: number, gateway: string, items: Entry<T>[]) => {
      const { lanes } = tenantOf(tenant)
      const known = lanes.get(gateway)
      if (known) known.backlog = [...items, ...known.backlog]
      else lanes.add(gateway, { credit: quantum, backlog: items })
      size += items.length
    },
    /** The next one, or undefined when the queue is empty. */
    shift: (): T | undefined => {
      while (size) {
        const [tenantKey, tenant] = tenants.first()!
        const next = tenant.lanes.first()
        if (!next || tenant.credit <= 0) {
          if (next) tenants.toBack(tenantKey, tenant)
          else tenants.retire(tenantKey, tenant)
          tenant.credit = Math.min(quantum, tenant.credit + quantum)
          continue
        }
        const [sn, lane] = next
        if (!lane.backlog.length || lane.credit <= 0) {
          if (lane.backlog.length) tenant.lanes.toBack(sn, lane)
          else tenant.lanes.retire(sn, lane)
          lane.credit = Math.min(quantum, lane.credit + quantum)
          continue
        }
        const entry = lane.backlog.shift()!
        lane.credit -= entry.cost
        tenant.credit -= entry.cost
        size--
        return entry.item
      }
      return undefined
    },
    /** It cost so much more than was known. */
    charge: (tenant: number, gateway: string, cost: number) => {
      const known = tenants.get(tenant)
      const lane = known?.lanes.get(gateway)
      if (lane) lane.credit -= cost
      if (known) known.credit -= cost
    },
    clear: (): T[] => {
      const items = tenants.values().flatMap(({ lanes }) => lanes.values().flatMap(({ backlog }) => backlog.map(({ item }) => item)))
      for (const { lanes } of tenants.values()) for (const lane of lanes.values()) lane.backlog = []
      size = 0
      return items
    },
  }
}
export type FairQueue<T> = ReturnType<typeof createFairQueue<T>>
