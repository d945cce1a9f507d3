// Browsers that view shared content. A visit exists only while a browser polls, and is dropped soon after.
import { randomBytes } from 'node:crypto'
import { Fault, notFound } from '../../../../server/http/faults.ts'
import { type Rate, rate } from '../../../../server/jobs/throttle.ts'
import type { Source } from './lookers.ts'

/** The state of a visit's content, for incremental values. */
export type Entry = {
  source: Source
  points: readonly number[]
  devices: readonly number[]
  /** Time of the newest sent value of each point, and the number of updates. */
  sent: Map<number, number>
  seq: number
  /** Its images: the addresses of this visit, and the file of each. */
  images: Map<string, string>
}
export type Visit = {
  id: string
  key: string
  tenant: number
  seenAt: number
  entries: readonly Entry[]
  /** Rate limits for whole screens and for updates. */
  shows: Rate
  follows: Rate
  alive?: () => void
  /** The display, if it is one. */
  television?: number
}
type Beginning = Pick<Visit, 'key' | 'tenant' | 'shows' | 'alive' | 'television'> & { atOnce: number; sources: readonly Source[] }

/** A background tab polls once a minute. */
const forgottenMs = 90_000
const most = 2000
const mostOfTenant = 500

export const openVisits = (now: () => number) => {
  const visits = new Map<string, Visit>()
  const sweep = () => {
    for (const [id, { seenAt }] of visits) if (now() - seenAt > forgottenMs) visits.delete(id)
  }
  const isOpen = ({ seenAt }: Visit) => now() - seenAt <= forgottenMs
  return {
    /** Assigns stable addresses to the images of an entry. */
    show(entry: Entry, paths: readonly string[]): Record<string, string> {
      const known = new Map([...entry.images].map(([address, path]) => [path, address]))
      entry.images = new Map(paths.map((path) => [known.get(path) ?? randomBytes(24).toString('base64url'), path]))
      return Object.fromEntries([...entry.images].map(([address, path]) => [path, address]))
    },
    /** @throws Fault `notFound` if no current visit shows an image with this address */
    imageOf(address: string): { visit: Visit; entry: Entry; path: string } {
      for (const visit of visits.values())
        for (const entry of visit.entries) {
          const path = entry.images.get(address)
          if (path && isOpen(visit)) return { visit, entry, path }
        }
      throw notFound()
    },
    /** @throws Fault `tooMany` above `atOnce` viewers of `key`, or above the limit of a company */
    begin({ atOnce, sources, ...given }: Beginning): Visit {
      const { key, tenant } = given
      sweep()
      const countOf = (is: (visit: Visit) => boolean) => visits.values().reduce((n, visit) => n + Number(is(visit)), 0)
      const isFull = visits.size >= most || countOf((visit) => visit.tenant === tenant) >= mostOfTenant
      if (isFull || countOf((visit) => visit.key === key) >= atOnce) throw new Fault('tooMany')
      const entries = sources.map((source): Entry => ({ source, points: [], devices: [], sent: new Map(), seq: 0, images: new Map() }))
      const id = randomBytes(24).toString('base64url')
      const visit = { ...given, id, seenAt: now(), entries, follows: rate(2, 20, now) }
      visits.set(visit.id, visit)
      return visit
    },
    /** `own`: the call has its own rate limit. @throws Fault `notFound` if the visit has ended or has no such entry; `tooMany` above the rate */
    find(id: string, at: number | undefined, pace: 'shows' | 'follows' | 'own'): { visit: Visit; entry: Entry } {
      const visit = visits.get(id)
      const entry = visit?.entries[at ?? 0]
      if (!visit || !entry || !isOpen(visit)) throw notFound()
      visit.seenAt = now()
      visit.alive?.()
      if (pace === 'own') return { visit, entry }
      if (visit[pace].left() < 1) throw new Fault('tooMany')
      visit[pace].take()
      return { visit, entry }
    },
  }
}
