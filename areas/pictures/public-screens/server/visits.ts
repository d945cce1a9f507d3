// Browsers that look at something shared. They are known only while they look, and forgotten soon after.
import { randomBytes } from 'node:crypto'
import { Fault, notFound } from '../../../../server/http/faults.ts'
import { type Rate, rate } from '../../../../server/jobs/throttle.ts'
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
export type Visit = {
  id: string
  key: string
  tenant: number
  seenAt: number
  entries: readonly Entry[]
  /** How often it reads a screen as a whole, and how often what follows. */
  shows: Rate
  follows: Rate
  alive?: () => void
}
type Beginning = Pick<Visit, 'key' | 'tenant'> & { atOnce: number; sources: readonly Source[]; shows: Rate; alive?: () => void }

/** A background tab asks once a minute. */
const forgottenMs = 90_000
const most = 2000
const mostOfTenant = 500

export const openVisits = (now: () => number) => {
  const visits = new Map<string, Visit>()
  const sweep = () => {
    for (const [id, { seenAt }] of visits) if (now() - seenAt > forgottenMs) visits.delete(id)
  }
  return {
    /** @throws Fault `tooMany` for more viewers of `key` than `atOnce`, or of a company than it may have */
    begin({ key, tenant, atOnce, sources, shows, alive }: Beginning): Visit {
      sweep()
      const countOf = (is: (visit: Visit) => boolean) => visits.values().reduce((n, visit) => n + Number(is(visit)), 0)
      const isFull = visits.size >= most || countOf((visit) => visit.tenant === tenant) >= mostOfTenant
      if (isFull || countOf((visit) => visit.key === key) >= atOnce) throw new Fault('tooMany')
      const entries = sources.map((source): Entry => ({ source, points: [], devices: [], sent: new Map(), seq: 0 }))
      const id = randomBytes(24).toString('base64url')
      const visit = { id, key, tenant, seenAt: now(), entries, shows, follows: rate(2, 20, now), ...(alive && { alive }) }
      visits.set(visit.id, visit)
      return visit
    },
    /** @throws Fault `notFound` for one that is over, or has no such entry; `tooMany` for one that asks too often */
    find(id: string, at: number | undefined, pace: 'shows' | 'follows'): { visit: Visit; entry: Entry } {
      const visit = visits.get(id)
      const entry = visit?.entries[at ?? 0]
      if (!visit || !entry || now() - visit.seenAt > forgottenMs) throw notFound()
      visit.seenAt = now()
      visit.alive?.()
      if (visit[pace].left() < 1) throw new Fault('tooMany')
      visit[pace].take()
      return { visit, entry }
    },
  }
}
