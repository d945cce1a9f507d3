import { firstLanguage } from '../../contract/languages.ts'
import type { Actor } from './actor.ts'
import { codesOf, licensedOf } from './rights.ts'
import { zoneOrUtc } from './zones.ts'

/** All that an account may see that must choose its password first. */
const passwordScreen = 'm10401'

/** A person as a session makes him act. */
export type ActorRow = {
  SecretHash: Buffer
  EndReason: string | null
  Over: boolean
  UserId: number
  EnterpriseId: number
  TimeZoneKey: string | null
  TenantZone: string
  Language: string | null
  Usable: boolean
  TenantStatus: number
  /** The tenant's time has begun and is not over. */
  Current: boolean
  TenantCodes: string[] | null
  /** A data permission narrows what he sees; null without a role that is enabled. */
  Narrowed: boolean | null
  /** Its last call is a while ago. */
  Stale: boolean
  /** The last call that was somebody's is. */
  Unused: boolean
  MustChangePwd: number
  IsPlatform: number | null
  IsAdmin: boolean | null
  MenuCodes: string[]
  AllProjects: boolean | null
  ProjectIds: number[] | null
  RoleId: number | null
}

export const actorOf = (row: ActorRow, id: string): Actor => {
  const platform = row.IsPlatform === 1
  const licensed = platform ? undefined : licensedOf(row.TenantCodes)
  const codes = row.MustChangePwd ? [passwordScreen] : codesOf({ platform, admin: row.IsAdmin === true, codes: row.MenuCodes })
  const held = new Set(codes)
  return {
    UserId: row.UserId,
    EnterpriseId: row.EnterpriseId,
    platform,
    projects: platform || row.AllProjects ? 'all' : (row.ProjectIds ?? []),
    may: licensed ? held.intersection(licensed) : held,
    ...(row.MustChangePwd ? { mustChangePassword: true } : {}),
    ...(licensed ? { unlicensed: held.difference(licensed) } : {}),
    zone: row.TimeZoneKey && zoneOrUtc(row.TimeZoneKey),
    tenantZone: zoneOrUtc(row.TenantZone),
    language: firstLanguage(row.Language),
    role: row.RoleId,
    session: id,
  }
}
