// Who may get a message about a record.
import { type RawBuilder, sql } from 'kysely'

/** Whether an account administers the platform: it sees every company. */
export const isPlatformPerson = (user: RawBuilder<unknown>) =>
  sql<boolean>`exists (select 1 from user_role ur join role r on r."Id" = ur."RoleId" and r."IsPlatform" = 1 and r."Status" = 1 where ur."UserId" = ${user})`
/** Whether a person may receive a company's messages: a member of it, or a platform administrator. */
export const isOf = (person: string, enterprise: number) =>
  sql<boolean>`(${sql.raw(`${person}."EnterpriseId"`)} = ${enterprise} or ${isPlatformPerson(sql.raw(`${person}."Id"`))})`

/** Whether the person of a table alias can sign in at `now` and sees the project, where there is one. */
export const mayReceive = (person: string, project: RawBuilder<unknown>, now: Date) => {
  const of = (name: string) => sql.raw(`${person}."${name}"`)
  return sql`(${of('Status')} = 1 and ${of('IsLock')} = 0 and coalesce(${of('ValidTo')} > ${now}, true)
    and (${project}::bigint is null or ${isPlatformPerson(of('Id'))} or ${project}::bigint in (select penstock_projects(${of('Id')}, null))))`
}

/** Whether an account is a visitor's: anybody has one for the asking, so the tenant sends it nothing. */
export const isTrial = (user: RawBuilder<unknown>) =>
  sql<boolean>`exists (select 1 from user_role ur join role r on r."Id" = ur."RoleId" and r."IsTrial" = 1 where ur."UserId" = ${user})`
