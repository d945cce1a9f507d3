import type { Cutoff, Store } from './store/store.ts'
import { day } from './store/store.ts'

/** How long a tenant keeps its readings, days, and their roll-ups, months of the calendar. Undefined: readings for ever, roll-ups with them. */
export type Kept = { days?: number | undefined; months?: number | undefined }

/** Retention cut-offs of readings and roll-ups (epoch ms, a UTC midnight); undefined = unlimited. Roll-ups are retained at least as long. */
export const cutoffs = ({ days, months }: Kept, now: number): Omit<Cutoff, 'points'> | undefined => {
  if (days === undefined) return undefined
  const before = Math.floor(now / day - days) * day
  if (months === undefined) return { before }
  const today = new Date(now)
  const since = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - months, today.getUTCDate())
  return { before, rollups: Math.min(before, since) }
}

/** The points of each tenant that does not keep its readings for ever. */
export const cutoffsOf = (
  points: Iterable<{ Id: number; EnterpriseId: number }>,
  cutoffOf: (EnterpriseId: number) => ReturnType<typeof cutoffs>,
) =>
  [...Map.groupBy(points, (point) => point.EnterpriseId)].flatMap(([EnterpriseId, of]): Cutoff[] => {
    const cutoff = cutoffOf(EnterpriseId)
    return cutoff ? [{ points: of.map((point) => point.Id), ...cutoff }] : []
  })

type Points = () => Promise<Iterable<{ Id: number; EnterpriseId: number }>>
/** Deletes readings past each tenant's retention. Waits for its listeners first. */
export const openRetention = (store: Pick<Store, 'retain'>, points: Points | undefined, cutoffOf: Parameters<typeof cutoffsOf>[1]) => {
  const listeners = new Set<(cutoffs: readonly Cutoff[]) => Promise<void>>()
  return {
    retain: async () => {
      if (!points) return
      const those = cutoffsOf(await points(), cutoffOf)
      for (const listener of listeners) await listener(those)
      await store.retain(those)
    },
    onRetain: (listener: (cutoffs: readonly Cutoff[]) => Promise<void>) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
