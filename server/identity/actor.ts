import type { Language } from '../../contract/languages.ts'
import { permissions } from '../../contract/menus.ts'
import type { DataScope } from './dataScope.ts'

/** Who acts, and what he may see: every query of a person carries one. */
export type Actor = {
  /** 0 = the server itself. */
  UserId: number
  EnterpriseId: number
  /** Platform administrators see every tenant. */
  platform: boolean
  /** Projects granted; there is no null that means everything. */
  projects: 'all' | readonly number[]
  /** What of the tenant's rows is his to see, where a data permission narrows it; absent: all. */
  dataScope?: DataScope
  /** What his roles give and the tenant is not licensed for. */
  unlicensed?: ReadonlySet<string>
  /** Previews the console as another role: read-only. */
  preview?: boolean
  /** A screen that is shared with people who have no account: it passes no permission. */
  shared?: true
  /** Came with a password that is not his own: he chooses one before anything else. */
  mustChangePassword?: boolean
  /** Menu and button codes. */
  may: ReadonlySet<string>
  /** IANA name of the person's own zone, for business times; null = the browser's, sent with each call (ruling 34a). */
  zone: string | null
  /** IANA name of the tenant's zone, for days, reports and timers. */
  tenantZone: string
  language: Language
  /** The only role acted as; null = all the person has. */
  role?: number | null
  /** Id of the session; closes hub connections with it. */
  session: string
  /** Time of the action while history is seeded. No notifications, no change log. */
  past?: Date
  /** Whence the call came, for the change entries. */
  origin?: { ip: string; requestId: string }
}

/** The server itself, acting in a tenant. */
export const serverActor = (EnterpriseId: number): Actor => ({
  UserId: 0,
  EnterpriseId,
  platform: false,
  projects: 'all',
  may: new Set(permissions),
  zone: null,
  tenantZone: 'UTC',
  language: 'en',
  session: '',
})
