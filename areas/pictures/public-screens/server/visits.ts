// Browsers that look at something shared. They are known only while they look, and forgotten soon after.
import { randomBytes } from 'node:crypto'
import { Fault, notFound } from '../../../../server/http/faults.ts'
import type { Source } from './lookers.ts'

/** What a visit shows, for values that follow. */
export type Entry = {
  source: Source
  points: readonly number[]
  devices: readonly number[]
  /** Time of the newest value that was sent of each point, and how often values were sent. */
  sent: Map<number, number>
  seq: number
}
export type Visit = { id: string; key: string; seenAt: number; entries: readonly Entry[]; alive?: () => void }

/** A background tab asks once a minute. */
const forgottenMs = 90_000
const most = 2000

export const openVisits = (now: () => number) => {
  const visits = new Map<string, Visit>()
  const sweep = () => {
    for (const [id, { seenAt }] of visits) if (now() - seenAt > forgottenMs) visits.delete(id)
  }
  return {
    /** @throws Fault `tooMany` for more viewers of `key` than `atOnce` */
    begin({ key, atOnce, sources, alive }: { key: string; atOnce: number; sources: readonly Source[]; alive?: () => void }): Visit {
      sweep()
      const viewers = visits.values().reduce((n, visit) => n + Number(visit.key === key), 0)
      if (viewers >= atOnce || visits.size >= most) throw new Fault('tooMany')
      const entries = sources.map((source): Entry => ({ source, points: [], devices: [], sent: new Map(), seq: 0 }))
      const visit = { id: randomBytes(24).toString('base64url'), key, seenAt: now(), entries, ...(alive && { alive }) }
      visits.set(visit.id, visit)
      return visit
    },
    /** @throws Fault `notFound` for one that is over, or has no such entry */
    find(id: string, at = 0): Entry {
      const visit = visits.get(id)
      const entry = visit?.entries[at]
      if (!visit || !entry || now() - visit.seenAt > forgottenMs) throw notFound()
      visit.seenAt = now()
      visit.alive?.()
      return entry
    },
  }
}
