// Links to the file of a report that need no sign-in: one for each receiver, for some days, while its schedule runs and the company allows it.
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { sql } from 'kysely'
import type { Answer } from '../../../../contract/call.ts'
import type { Database, Db } from '../../../../server/database/db.ts'
import { Fault, notFound } from '../../../../server/http/faults.ts'
import { openGuesses } from '../../../../server/http/guesses.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Sessions } from '../../../../server/identity/sessions.ts'
import { type Rate, rate } from '../../../../server/jobs/throttle.ts'
import { readSettings } from '../../../../server/resource/settings.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { seenOf } from '../../report-groups/server/service.ts'
import {
  type Delivered,
  linkDays,
  type ReportFile,
  reportDelivery,
  type reportLinkCalls,
  reportRun,
  type reportRunCalls,
  reportSchedule,
} from '../contract.ts'

const hashOf = (token: string) => createHash('sha256').update(token).digest()

/** By which a message to a receiver is known again. */
export const sourceOf = (run: number, { UserId, UserName }: Pick<Delivered, 'UserId' | 'UserName'>) => `report/${run}/${UserId ?? UserName}`

/** Adds a link. Its token, 192 bits, is answered here and stored nowhere. */
export const addLink = async (
  db: Db,
  run: { Id: number; EnterpriseId: number },
  { receiver, language, now }: { receiver: string; language: string; now: number },
) => {
  const token = randomBytes(24).toString('base64url')
  const until = now + linkDays * 86_400_000
  await db.rows(sql`
    insert into report_link ("EnterpriseId", "ReportRunId", "Receiver", "Language", "TokenHash", "ValidTo")
    values (${run.EnterpriseId}, ${run.Id}, ${receiver}, ${language}, ${hashOf(token)}, ${new Date(until)})`)
  await db.rows(sql`update report_run set "OpenLinks" = 1 where "Id" = ${run.Id}`)
  return { token, until }
}

/** Ends all links of a report. */
export const endLinks = async (db: Db, id: number) => {
  await db.rows(sql`delete from report_link where "ReportRunId" = ${id}`)
  await db.rows(sql`update report_run set "OpenLinks" = 0, "UpdateTime" = now() where "Id" = ${id}`)
}

/** Whom a report was sent to, and what became of it there. */
export const sentOf = async (db: Db, actor: Actor, id: number): Promise<Answer<typeof reportRunCalls.sent>> => {
  const [run] = await db.rows<{ EnterpriseId: number; Deliveries: Delivered[] | null }>(
    sql`select t."EnterpriseId", t."Deliveries" from report_run t where t."Id" = ${id} and ${visible(reportRun, actor)}`,
  )
  if (!run) throw notFound()
  const sent = run.Deliveries ?? []
  type Mail = { Source: string; SendStatus: number; ErrorText: string | null }
  const mails = await db.rows<Mail>(sql`
    select "Source", "SendStatus", "ErrorText" from alm_push_record
    where "EnterpriseId" = ${run.EnterpriseId} and "Source" = any(${sent.map((to) => sourceOf(id, to))}::text[])`)
  type Link = { Receiver: string; Opens: number; OpenTime: Date | null; ValidTo: Date }
  const links = await db.rows<Link>(
    sql`select "Receiver", "Opens", "OpenTime", "ValidTo" from report_link where "ReportRunId" = ${id} limit 200`,
  )
  return sent.map((to) => {
    const { UserName, Outcome, Language } = to
    const mail = mails.find(({ Source }) => Source === sourceOf(id, to))
    const link = links.find(({ Receiver }) => Receiver === UserName)
    return {
      ...{ UserName, Outcome, Language: Language ?? null },
      ...{ SendStatus: mail?.SendStatus ?? null, ErrorText: mail?.ErrorText ?? null },
      ...{ Opens: link?.Opens ?? null, OpenTime: link?.OpenTime?.getTime() ?? null, ValidTo: link?.ValidTo.getTime() ?? null },
    }
  })
}

type Found = {
  Id: number
  RunId: number
  EnterpriseId: number
  OwnerId: number | null
  Language: string
  ValidTo: Date
  CompanyName: string
  Format: string
  Files: ReportFile[]
  ParaIds: number[]
  Needs: string[]
}
export type LinkNeeds = {
  database: Database
  sessions: Pick<Sessions, 'actorOf'>
  pathOf: (id: number, format: string, language?: string) => string
  clock: () => number
  steady: () => number
}

/** Serves files to link holders. Rate limit for each link: a burst of ten downloads, then one a minute. */
export const openReportLinks = ({ database, sessions, pathOf, clock, steady }: LinkNeeds) => {
  const guess = openGuesses(steady)
  const rates = new Map<number, Rate>()
  const assertSlow = (id: number) => {
    const own = rates.get(id) ?? rate(1 / 60, 10, steady)
    if (rates.size >= 10_000) rates.clear()
    rates.set(id, own)
    if (own.left() < 1) throw new Fault('tooMany')
    own.take()
  }
  /** It ends with its days, its schedule, the company's consent, and the rights of the schedule's owner. */
  const find = async (token: string): Promise<Found> => {
    const [found] = await database.system.rows<Found>(sql`
      select l."Id", l."ReportRunId" as "RunId", l."EnterpriseId", l."Language", l."ValidTo", e."Name" as "CompanyName", r."Format", r."Files", r."ParaIds", r."Needs", s."OwnerId"
      from report_link l join report_run r on r."Id" = l."ReportRunId" and r."Status" = 2 join report_schedule s on s."Id" = r."ScheduleId" and s."Status" = 1
      join enterprise e on e."Id" = l."EnterpriseId" where l."TokenHash" = ${hashOf(token)} and l."ValidTo" > ${new Date(clock())}`)
    if (!found || (await readSettings(database.system, reportDelivery, found.EnterpriseId)).OpenLinks !== 1) throw notFound()
    const owner = found.OwnerId ? await sessions.actorOf(found.OwnerId, 'report') : undefined
    if (!owner || 'ended' in owner || !owner.may.has(reportSchedule.permission)) throw notFound()
    if (found.Needs.some((code) => !owner.may.has(code))) throw notFound()
    const seen = await seenOf(database.as(owner), owner, found.ParaIds)
    if (found.ParaIds.some((id) => !seen.has(id))) throw notFound()
    return found
  }
  const fileIn = ({ Files, Language }: Found) => Files.find((f) => f.Language === Language) ?? Files[0]!

  return {
    /** @throws Fault `notFound` for a link that is none, or has ended; `tooMany` for guesses */
    async open(token: string, ip: string): Promise<Answer<typeof reportLinkCalls.open>> {
      const found = await guess(ip, () => find(token))
      const { FileName, FileBytes } = fileIn(found)
      return { FileName, FileBytes, CompanyName: found.CompanyName, ValidTo: found.ValidTo.getTime() }
    },
    async file(token: string, ip: string) {
      const found = await guess(ip, () => find(token))
      assertSlow(found.Id)
      const file = fileIn(found)
      const path = pathOf(found.RunId, found.Format, file === found.Files[0] ? undefined : file.Language)
      if (!existsSync(path)) throw notFound()
      await database.system.rows(
        sql`update report_link set "Opens" = "Opens" + 1, "OpenTime" = ${new Date(clock())} where "Id" = ${found.Id}`,
      )
      return { FileName: file.FileName, content: createReadStream(path) }
    },
  }
}
