// Reports rate-limited callers to the administrators of the tenant or platform, at most once an hour.
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '../../../../server/database/db.ts'
import type { Flood } from '../../../../server/http/limits.ts'
import { platformEnterprise } from '../../../../server/identity/setup.ts'
import { notify } from '../../../system/notices/server/service.ts'

const hourMs = 3_600_000
const remembered = 10_000

const names = {
  address: (key: string) => sql<{ Name: string }>`select ${key}::text as "Name"`,
  person: (key: string) => sql<{ Name: string }>`select "UserNO" as "Name" from "user" where "Id" = ${Number(key)}`,
  tenant: (key: string) => sql<{ Name: string }>`select "Name" from enterprise where "Id" = ${Number(key)}`,
}
/** Menus of the people who can act on it: users for a tenant, tenants for the platform. */
const screens = { address: 'm10404', person: 'm10402', tenant: 'm10404' }

/** `clock` in epoch ms. */
export const notifyRateLimit = (database: Database, log: Pick<Logger, 'warn'>, clock: () => number) => {
  const notifiedHour = new Map<string, number>()
  return (flood: Flood) => {
    const { of, key, perSecond } = flood
    const hour = Math.floor(clock() / hourMs)
    const source = `flood/${of}/${key}/${hour}`
    if (notifiedHour.get(`${of}/${key}`) === hour) return
    if (notifiedHour.size > remembered) notifiedHour.clear()
    notifiedHour.set(`${of}/${key}`, hour)
    log.warn(flood, 'Calls are refused: too many')
    const db = database.system
    const createNotice = async () => {
      const [who] = await db.rows(names[of](key))
      await notify(db, {
        ...{ EnterpriseId: of === 'person' ? flood.EnterpriseId! : platformEnterprise, BizType: 11, Wording: 'flood', Source: source },
        WordValues: { Who: who?.Name ?? key, PerSecond: perSecond },
        Permission: screens[of],
        ...(of === 'person' ? { ObjectType: 'user', ObjectId: Number(key) } : {}),
      })
    }
    createNotice().catch((err: unknown) => log.warn({ err }, 'the notice of a flood of calls could not be made'))
  }
}
