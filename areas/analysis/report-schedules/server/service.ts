import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { assertSeesAsMuch } from '../../../../server/identity/dataScope.ts'
import { unknownIds } from '../../../../server/identity/scopedRows.ts'
import { leastSeconds } from '../../../../server/jobs/cronTimes.ts'
import { setMany } from '../../../../server/resource/bulk.ts'
import { readSettings } from '../../../../server/resource/settings.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { type Check, record, store, tenantOf } from '../../../../server/resource/store.ts'
import { role } from '../../../people/roles/contract.ts'
import { user } from '../../../people/users/contract.ts'
import { moneyNeeds } from '../../reports/blocks.ts'
import { withAbout } from '../../reports/server/service.ts'
import { shiftPlansIn } from '../../shifts/server/service.ts'
import {
  domainOf,
  domainsOf,
  leastApart,
  type ReportFile,
  reportDelivery,
  reportRun,
  reportSchedule,
  type schedulePeriods,
} from '../contract.ts'
import { assertMayWait } from './plan.ts'
import { nextTime } from './times.ts'

type Values = Record<string, unknown>
const listOf = (value: unknown) => (Array.isArray(value) ? value.map((one) => String(one).toLowerCase()) : [])
const schedules = store(reportSchedule)
const runs = store(reportRun)

type Planned = {
  Trigger: 'clock' | 'shift'
  Cron: string
  Period: (typeof schedulePeriods)[number]
  ProjectId: number | null
  Status?: number
}
/** Whether it goes by shifts: each makes a report, or the last one when the clock says so. */
const hasShifts = ({ Trigger, Period }: Planned) => Trigger === 'shift' || Period === 'shift'
const assertShifts = async (db: Db, planned: Planned) => {
  if (!hasShifts(planned)) return
  const plans = planned.ProjectId ? await shiftPlansIn(db, planned.ProjectId) : []
  if (!plans.length) throw new FieldFaults([{ field: 'ProjectId', rule: planned.ProjectId ? 'noShifts' : 'required' }])
}
/** When it is due next; nothing while it is stopped. */
const nextOf = async (db: Db, enterprise: number, { Status = 1, ...planned }: Planned, now: number) => {
  const [home] = await db.rows<{ Zone: string }>(sql`select "TimeZoneKey" as "Zone" from enterprise where "Id" = ${enterprise}`)
  const { Zone } = home!
  if (planned.Trigger === 'clock' && leastSeconds(planned.Cron, Zone, now) < leastApart)
    throw new FieldFaults([{ field: 'Cron', rule: 'tooOften', values: { minutes: leastApart / 60 } }])
  await assertShifts(db, planned)
  return Status === 1 ? ((await nextTime(db, { ...planned, Zone }, now)) ?? null) : null
}

/** Addresses outside are of domains that the company lists; links without a sign-in are sent where it allows them. */
const assertOutside = async (db: Db, { Outside = [], SendAs }: { Outside?: string[]; SendAs?: string }, enterprise: number) => {
  if (!Outside.length && SendAs !== 'openLink') return
  const { Domains, OpenLinks } = await readSettings(db, reportDelivery, enterprise)
  if (SendAs === 'openLink' && OpenLinks !== 1) throw new FieldFaults([{ field: 'SendAs', rule: 'linksOff' }])
  const listed = new Set(domainsOf(Domains))
  const other = Outside.find((address) => !listed.has(domainOf(address)))
  if (other) throw new FieldFaults([{ field: 'Outside', rule: 'notListed', values: { domain: domainOf(other) } }])
}

/** Cost goes only to the schedule's own outside addresses, and only people with the cost permission may add them. */
const assertMoneyOutside = (actor: Actor, given: Values, held: Values | undefined) => {
  const [before, after] = [held, { ...held, ...given }].map((row) => new Set(listOf(row?.MoneyOutside)))
  const outside = new Set(listOf({ ...held, ...given }.Outside))
  const other = [...after!].find((address) => !outside.has(address))
  if (other) throw new FieldFaults([{ field: 'MoneyOutside', rule: 'notOutside', values: { address: other } }])
  const isOther = given.ReportTemplateId !== undefined && given.ReportTemplateId !== held?.ReportTemplateId
  const isMore = isOther || [...after!].some((address) => !before!.has(address))
  if (after!.size && isMore && moneyNeeds.some((code) => !actor.may.has(code)))
    throw new FieldFaults([{ field: 'MoneyOutside', rule: 'mayNotSeeMoney' }])
}

const assertReceivers = async (db: Db, actor: Actor, ids: readonly number[], enterprise: number) => {
  if (new Set(ids).size !== ids.length) throw new FieldFaults([{ field: 'Receivers', rule: 'taken' }])
  const seen = await db.rows(
    sql`select 1 from "user" t where t."Id" = any(${ids}::bigint[]) and t."EnterpriseId" = ${enterprise} and ${visible(user, actor)}`,
  )
  if (seen.length !== ids.length) throw new FieldFaults([{ field: 'Receivers', rule: 'unknownReference' }])
}

const assertRoles = async (db: Db, actor: Actor, ids: readonly number[], enterprise: number) => {
  if ((await unknownIds(db, actor, role.name, { ids, tenant: enterprise })).size)
    throw new FieldFaults([{ field: 'ReceiverRoles', rule: 'unknownReference' }])
}

/** Reports have the sight of their schedule's owner: who sees less neither changes what they are about nor who gets them. */
const ownersOf = async (db: Db, actor: Actor, ids: readonly number[]) => {
  const rows = await db.rows<{ Id: number }>(
    sql`select distinct "OwnerId" as "Id" from report_schedule where "Id" = any(${ids}::bigint[]) and "OwnerId" <> ${actor.UserId}`,
  )
  return rows.map(({ Id }) => Id)
}
const assertMayChange = async (db: Db, actor: Actor, id: number) => assertSeesAsMuch(db, actor, await ownersOf(db, actor, [id]))

export { addLastRun } from './plan.ts'

export const schedulesService = (clock: () => number) => {
  const check: Check = async (db, actor, given, held) => {
    if (held) await assertMayChange(db, actor, held.Id)
    const enterprise = held?.EnterpriseId ?? (await tenantOf(db, actor, reportSchedule, given))
    // Those who were chosen before stay, also where this person does not see them.
    const added = (field: 'Receivers' | 'ReceiverRoles') => {
      const before = new Set((held?.[field] as number[] | undefined) ?? [])
      return ((given[field] as number[] | undefined) ?? []).filter((id) => !before.has(id))
    }
    await assertReceivers(db, actor, added('Receivers'), enterprise)
    await assertRoles(db, actor, added('ReceiverRoles'), enterprise)
    await assertOutside(db, given, enterprise)
    assertMoneyOutside(actor, given, held)
    const { Cron, Trigger, Period } = reportSchedule.fields
    const fresh = { Cron: Cron.default, Trigger: Trigger.default, Period: Period.default, ProjectId: null }
    const planned = { ...fresh, ...held, ...given } as Planned
    // At the end of a shift, a report is about that shift.
    if (planned.Trigger === 'shift') planned.Period = 'shift'
    // The project of a clock schedule does not affect when it is due.
    const moving = planned.Trigger === 'shift' ? ['Trigger', 'Cron', 'ProjectId'] : ['Trigger', 'Cron']
    const isMoved = !held || moving.some((field) => given[field] !== undefined)
    if (['Period', 'ProjectId'].some((field) => given[field] !== undefined)) await assertShifts(db, planned)
    const NextTime = isMoved ? await nextOf(db, enterprise, planned, clock()) : undefined
    const about = await withAbout(
      db,
      actor,
      { ...(held ? {} : { About: 'template' }), ...given },
      held,
      hasShifts(planned) ? ['ProjectId'] : [],
    )
    const { Period: unit } = planned
    if (held) return { ...about, ...(unit === held.Period ? {} : { Period: unit }), ...(isMoved ? { NextTime } : {}) }
    return { ...about, Period: unit, NextTime, UserId: (enterprise === actor.EnterpriseId && actor.UserId) || null }
  }
  const set = (Status: 0 | 1) => (db: Db, actor: Actor, id: number) =>
    db.tx(async (db) => {
      const held = await schedules.find(db, actor, id)
      await assertMayChange(db, actor, id)
      const NextTime = await nextOf(db, held.EnterpriseId, { ...(held as Planned), Status }, clock())
      // Starting a schedule whose owner is gone takes it over.
      const mine = (held.EnterpriseId === actor.EnterpriseId && actor.UserId) || null
      const [{ OwnerId } = { OwnerId: null }] = await db.rows<{ OwnerId: number | null }>(
        sql`update report_schedule set "OwnerId" = coalesce("OwnerId", ${actor.UserId || null}) where "Id" = ${id} returning "OwnerId"`,
      )
      const UserId = held.UserId ?? (OwnerId === actor.UserId ? mine : null)
      await setMany(db, actor, reportSchedule, [id], { Status, NextTime, Reason: null, UserId } as Values)
      return schedules.find(db, actor, id)
    })
  const rows = store(reportSchedule, check)
  /** Its reports have the sight of who makes it; of the platform's people, too: where there is one company, they run it. */
  const create = (db: Db, actor: Actor, draft: Values) =>
    db.tx(async (db) => {
      const made = await rows.create(db, actor, draft as never)
      await db.rows(sql`update report_schedule set "OwnerId" = ${actor.UserId || null} where "Id" = ${made.Id}`)
      return made
    })
  const remove = (db: Db, actor: Actor, ids: readonly number[]) =>
    db.tx(async (db) => {
      const owners = await ownersOf(db, actor, ids)
      const removed = await schedules.remove(db, actor, ids)
      await assertSeesAsMuch(db, actor, owners)
      return removed
    })
  return { check, create, remove, enable: set(1), disable: set(0) }
}

/** Users of the caller's company, for a choice. */
export const receivers = (db: Db, actor: Actor) =>
  db.rows<{ Id: number; UserName: string; HasEmail: number }>(sql`
    select t."Id", t."UserName", (coalesce(t."Email", '') <> '')::int as "HasEmail" from "user" t
    where t."EnterpriseId" = ${actor.EnterpriseId} and ${visible(user, actor)} and t."Status" = 1 order by t."UserName", t."Id" limit 2000`)

/** A test goes to people of the schedule's own company, as its reports do. */
export const assertHasEmail = async (db: Db, { UserId }: Actor, enterprise: number) => {
  const has = sql`"Id" = ${UserId} and "EnterpriseId" = ${enterprise} and coalesce("Email", '') <> ''`
  if (!(await db.rows(sql`select 1 from "user" where ${has}`)).length) throw new Fault('noEmail')
}

type Released = { ReleasedUsers: readonly number[]; ReleasedRoles: readonly number[]; ReleasedOrgans: readonly number[] }
/** The act alone sets who else reads a report; the log names who did it. */
const setReleased = (db: Db, actor: Actor, row: Values, released: Released) =>
  db.tx(async (db) => {
    const before = await runs.find(db, actor, Number(row.Id))
    const [users, roles, organs] = [released.ReleasedUsers, released.ReleasedRoles, released.ReleasedOrgans].map((ids) =>
      JSON.stringify(ids),
    )
    const values = sql`"ReleasedUsers" = ${users}::jsonb, "ReleasedRoles" = ${roles}::jsonb, "ReleasedOrgans" = ${organs}::jsonb`
    await db.rows(sql`update report_run set ${values}, "UpdateTime" = now() where "Id" = ${before.Id}`)
    await record(db, actor, reportRun, 'update', before.Id, before.EnterpriseId, before, { ...before, ...released } as typeof before)
  })

const withOne = (held: unknown, id: unknown) => {
  const ids = held as number[]
  return typeof id === 'number' ? [...new Set([...ids, id])] : ids
}

/** Lets a person, or people of a role or an organisation, read a report. */
export const releaseRun = async (db: Db, actor: Actor, row: Values, { PersonId, RoleId, OrganId }: Values) => {
  if (!PersonId && !RoleId && !OrganId) throw new FieldFaults([{ field: 'PersonId', rule: 'required' }])
  await setReleased(db, actor, row, {
    ReleasedUsers: withOne(row.ReleasedUsers, PersonId),
    ReleasedRoles: withOne(row.ReleasedRoles, RoleId),
    ReleasedOrgans: withOne(row.ReleasedOrgans, OrganId),
  })
}
export const withdrawRun = (db: Db, actor: Actor, row: Values) =>
  setReleased(db, actor, row, { ReleasedUsers: [], ReleasedRoles: [], ReleasedOrgans: [] })

/** The next version for the same period, made with the rights of the first one's maker. */
export const againOf = async (db: Db, { Id: id, EnterpriseId }: { Id: number; EnterpriseId: number }) => {
  await assertMayWait(db, EnterpriseId)
  await db.rows(sql`
    insert into report_run ("EnterpriseId", "ScheduleId", "PeriodStart", "PeriodEnd", "Period", "ShiftName", "Version", "ByHand", "Format", "Language", "UserId", "Content", "ParaIds",
      "ReleasedUsers", "ReleasedRoles", "ReleasedOrgans", "Needs")
    select r."EnterpriseId", r."ScheduleId", r."PeriodStart", r."PeriodEnd", r."Period", r."ShiftName",
      1 + coalesce((select max(v."Version") from report_run v where v."ScheduleId" = r."ScheduleId" and v."PeriodStart" = r."PeriodStart" and v."PeriodEnd" = r."PeriodEnd"), r."Version"),
      1, r."Format", r."Language", r."UserId", r."Content", r."ParaIds", r."ReleasedUsers", r."ReleasedRoles", r."ReleasedOrgans", r."Needs" from report_run r where r."Id" = ${id}`)
}

/** The file of a report that the caller sees, in a language or in the schedule's. */
export const fileOfRun = async (db: Db, actor: Actor, id: number, language?: string) => {
  type Kept = { FileName: string; Format: string; Language: string; Files: ReportFile[] | null }
  const [row] = await db.rows<Kept>(
    sql`select t."FileName", t."Format", t."Language", t."Files" from report_run t where t."Id" = ${id} and t."Status" = 2 and ${visible(reportRun, actor)}`,
  )
  if (!row) throw new Fault('notFound')
  const file = row.Files?.find(({ Language }) => Language === language && language !== row.Language)
  return { Format: row.Format, FileName: (file ?? row).FileName, Suffix: file?.Language }
}
