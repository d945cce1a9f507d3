// Finds the area of a position with the map service of the tenant or the platform (GB/T 2260 codes).
import { sql } from 'kysely'
import { post } from '../../../../server/channels/outbound.ts'
import type { Database } from '../../../../server/database/db.ts'
import { platformEnterprise } from '../../../../server/identity/setup.ts'
import { isArea } from './areas.ts'

export type Place = { AreaCode: string; Address: string | null }
/** Longitude and latitude in degrees of WGS 84; undefined without a key, an answer, or a known area of that code. */
export type Geocoder = (enterprise: number, lng: number, lat: number) => Promise<Place | undefined>

type Answer = { status: number; result?: { formatted_address?: string; addressComponent?: { adcode?: string } } }

export const openGeocoder =
  (database: Database, base: string): Geocoder =>
  async (enterprise, lng, lat) => {
    const [row] = await database.system.rows<{ Key: string | null }>(sql`
      select coalesce((select nullif("BaiduKey", '') from enterprise where "Id" = ${enterprise}), (select nullif("BaiduKey", '') from enterprise where "Id" = ${platformEnterprise})) as "Key"`)
    if (!row?.Key) return undefined
    // Baidu, reverse geocoding v3: latitude first.
    const query = new URLSearchParams({ ak: row.Key, output: 'json', coordtype: 'wgs84ll', location: `${lat},${lng}` })
    const reply = await post(`${base}/reverse_geocoding/v3/?${query}`, { method: 'GET', timeoutMs: 5000 }).catch(() => undefined)
    if (reply?.status !== 200) return undefined
    try {
      const { status, result } = JSON.parse(reply.text) as Answer
      const code = result?.addressComponent?.adcode ?? ''
      return status === 0 && isArea(code) ? { AreaCode: code, Address: result?.formatted_address?.slice(0, 200) || null } : undefined
    } catch {
      return undefined
    }
  }
