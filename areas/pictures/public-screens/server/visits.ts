// Browsers that look at something shared. They are few, known only while they look, and forgotten soon after.
import { randomBytes } from 'node:crypto'
import { Fault, notFound } from '../../../../server/http/faults.ts'
import { mostViewers } from '../contract.ts'
import type { Source } from './lookers.ts'

export type Visit = {
  id: string
  source: Source
  seenAt: number
  /** What it shows, for values that follow. */
  points: readonly number[]
  devices: readonly number[]
  /** Time of the newest value that was sent of each point, and how often values were sent. */
  sent: Map<number, number>
  seq: number
}

/** A background tab asks once a minute. */
const forgottenMs = 90_000
const most = 1000

export const openVisits = (now: () => number) => {
  const visits = new Map<string, Visit>()
  const sweep = () => {
    for (const [id, { seenAt }] of visits) if (now() - seenAt > forgottenMs) visits.delete(id)
  }
  return {
    /** @throws Fault `tooMany` for more viewers than a link has */
    begin(source: Source): Visit {
      sweep()
      const viewers = visits.values().reduce((n, { source: { key } }) => n + Number(key === source.key), 0)
      if (viewers >= mostViewers || visits.size >= most) throw new Fault('tooMany')
      const visit: Visit = {
        ...{ id: randomBytes(24).toString('base64url'), source, seenAt: now() },
        ...{ points: [], devices: [], sent: new Map(), seq: 0 },
      }
      visits.set(visit.id, visit)
      return visit
    },
    /** @throws Fault `notFound` for one that is over */
    find(id: string): Visit {
      const visit = visits.get(id)
      if (!visit || now() - visit.seenAt > forgottenMs) throw notFound()
      visit.seenAt = now()
      return visit
    },
  }
}
