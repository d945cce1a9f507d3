// Looks up addresses at the map service for which the company or the platform has a key. The key never leaves the server.
import { sql } from 'kysely'
import { post } from '../../../../server/channels/outbound.ts'
import type { Database } from '../../../../server/database/db.ts'
import { Fault } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { platformEnterprise } from '../../../../server/identity/setup.ts'
import { type Rate, rate } from '../../../../server/jobs/throttle.ts'
import type { AddressProblem } from '../contract.ts'
import { storedAt } from '../coordinates.ts'

type Found = { Problem: AddressProblem | null; Longitude: number | null; Latitude: number | null }
type Answer = { status: number; result?: { location?: { lng?: number; lat?: number } } }
const without = (Problem: AddressProblem): Found => ({ Problem, Longitude: null, Latitude: null })
/** Its answer for an unknown address. */
const unknownAddress = 1

export const openAddresses = (database: Database, base: string, steady: () => number) => {
  const rates = new Map<number, Rate>()
  /** Limits one person's look-ups. */
  const throttled = (person: number) => {
    const own = rates.get(person) ?? rate(0.5, 10, steady)
    if (rates.size >= 10_000) rates.clear()
    rates.set(person, own)
    if (own.left() < 1) throw new Fault('tooMany')
    own.take()
  }
  const settingsOf = async (company: number) => {
    const [row] = await database.system.rows<{ MapProvider: string | null; BaiduKey: string | null }>(sql`
      select coalesce(own."MapProvider", standard."MapProvider") as "MapProvider", coalesce(nullif(own."BaiduKey", ''), nullif(standard."BaiduKey", '')) as "BaiduKey"
      from enterprise own left join enterprise standard on standard."Id" = ${platformEnterprise} where own."Id" = ${company}`)
    return row
  }
  /** @throws Fault `tooMany` */
  return async ({ EnterpriseId, UserId }: Actor, address: string): Promise<Found> => {
    throttled(UserId)
    const settings = await settingsOf(EnterpriseId)
    if (settings?.MapProvider !== 'baidu') return without('provider')
    if (!settings.BaiduKey) return without('noKey')
    // Baidu, geocoding v3. GCJ-02 is the most standard coordinate system it can answer in.
    const query = new URLSearchParams({ ak: settings.BaiduKey, output: 'json', ret_coordtype: 'gcj02ll', address })
    const reply = await post(`${base}/geocoding/v3/?${query}`, { method: 'GET', timeoutMs: 5000 }).catch(() => undefined)
    if (reply?.status !== 200) return without('unreachable')
    try {
      const { status, result } = JSON.parse(reply.text) as Answer
      if (status === unknownAddress) return without('unknown')
      const { lng, lat } = result?.location ?? {}
      const isPlace = typeof lng === 'number' && typeof lat === 'number' && Math.abs(lng) <= 180 && Math.abs(lat) <= 90
      if (status !== 0 || !isPlace) return without(status === 0 ? 'unknown' : 'unreachable')
      const { longitude, latitude } = storedAt({ longitude: lng, latitude: lat }, 'gcj02')
      return { Problem: null, Longitude: longitude, Latitude: latitude }
    } catch {
      return without('unreachable')
    }
  }
}
