import { type RawBuilder, sql } from 'kysely'
import { firstLanguage } from '../../contract/languages.ts'
import type { Db } from '../database/db.ts'
import type { Actor } from './actor.ts'
import { codesOf, licensedOf } from './rights.ts'
import { isUsable, lifetime } from './sessionRows.ts'
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
  /** Time of the last call made by a person. */
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

/** A person as the session `s` makes him act. */
export const readActor = async (db: Db, now: number, s: RawBuilder<unknown>): Promise<ActorRow | undefined> => {
  const today = new Date(now)
  const [row] = await db.rows<ActorRow>(sql`
    select s."SecretHash", s."EndReason", s."RoleId", u."Id" as "UserId", u."EnterpriseId", u."TimeZoneKey", e."TimeZoneKey" as "TenantZone",
      coalesce(u."Language", e."Language") as "Language", u."MustChangePwd",
      ${isUsable(today)} as "Usable", e."Status" as "TenantStatus",
      coalesce(e."GrantFrom" <= ${today}, true) and coalesce(e."GrantTo" > ${today}, true) as "Current",
      coalesce(e."MenuCodes", (select array(select jsonb_array_elements_text(v."MenuCodes")) from version v where v."Id" = e."VersionId")) as "TenantCodes",
      s."EndTime" is not null or s."CreateTime" < now() - make_interval(days => ${lifetime.days}) or s."LastTime" < now() - make_interval(days => ${lifetime.idleDays})
        or coalesce(s."UseTime" < now() - make_interval(mins => e."IdleMinutes"), false) as "Over",
      s."LastTime" < now() - interval '1 minute' as "Stale", s."UseTime" < now() - interval '1 minute' as "Unused",
      r."IsPlatform", r."IsAdmin", r."MenuCodes", r."AllProjects", r."ProjectIds", r."Narrowed"
    from ${s} s join "user" u on u."Id" = s."UserId" join enterprise e on e."Id" = u."EnterpriseId"
    left join lateral (
      select max(role."IsPlatform") as "IsPlatform", bool_or(role."RouteRole" = 'admin') as "IsAdmin", bool_or(role."ProjectIds" is null) as "AllProjects",
        bool_or(role."DataScope" <> 5 or exists (select 1 from role_data_permission x where x."RoleId" = role."Id")) as "Narrowed",
        coalesce((select array_agg(distinct code) from user_role x join role y on y."Id" = x."RoleId" and y."Status" = 1, unnest(y."MenuCodes") code where x."UserId" = u."Id" and x."RoleId" = coalesce(s."RoleId", x."RoleId")), '{}') as "MenuCodes",
        (select array_agg(distinct p) from user_role x join role y on y."Id" = x."RoleId" and y."Status" = 1, unnest(y."ProjectIds") p where x."UserId" = u."Id" and x."RoleId" = coalesce(s."RoleId", x."RoleId")) as "ProjectIds"
      from user_role ur join role on role."Id" = ur."RoleId" and role."Status" = 1 where ur."UserId" = u."Id" and ur."RoleId" = coalesce(s."RoleId", ur."RoleId")
    ) r on true`)
  return row
}
