// Hands a report to its receivers: those inside who may see it, and addresses outside of domains that the company lists.
import { sql } from 'kysely'
import type { Value } from '../../../../contract/field.ts'
import { type Language, languageOfTag } from '../../../../contract/languages.ts'
import type { Delivery } from '../../../../server/channels/delivery.ts'
import type { Db } from '../../../../server/database/db.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Sessions } from '../../../../server/identity/sessions.ts'
import { readSettings } from '../../../../server/resource/settings.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { momentText } from '../../reports/text.ts'
import {
  type Delivered,
  domainOf,
  domainsOf,
  mostAttached,
  mostReceivers,
  type ReportFile,
  reportDelivery,
  reportRun,
  type reportSchedule,
} from '../contract.ts'
import { addLink, sourceOf } from './links.ts'

type Of = {
  Id: number
  EnterpriseId: number
  ScheduleId: number | null
  Format: string
  Language: Language
  ByHand: number
  SendTo: number | null
}
type Receiver = { UserId: number | null; UserName: string; Email: string | null; language: Language; actor: Actor | undefined }
export type Sending = {
  delivery: Pick<Delivery, 'deliver'>
  /** The address that people use, where it is set. */
  url: string | undefined
  clock: () => number
}

/** The file of a report in the folder of reports. */
export const fileOf = (id: number, format: string, language?: string) => `${id}${language ? `.${language}` : ''}.${format}`

/** Manual runs are not sent, except tests. */
export const receiversOf = async (db: Db, sessions: Pick<Sessions, 'actorOf'>, run: Of): Promise<Receiver[]> => {
  const { ScheduleId, EnterpriseId, ByHand, SendTo, Language } = run
  if (!ScheduleId || (ByHand && !SendTo)) return []
  const ids = SendTo
    ? sql`select ${SendTo}::bigint`
    : sql`select r.id::bigint from report_schedule s, jsonb_array_elements_text(s."Receivers") r (id) where s."Id" = ${ScheduleId}
        union (select ur."UserId" from report_schedule s, jsonb_array_elements_text(s."ReceiverRoles") r (id)
          join role x on x."Id" = r.id::bigint and x."Status" = 1 join user_role ur on ur."RoleId" = x."Id"
          where s."Id" = ${ScheduleId} and x."EnterpriseId" = ${EnterpriseId} order by ur."UserId" limit ${mostReceivers})`
  const people = await db.rows<{ Id: number; UserName: string; Email: string | null; Language: string | null }>(sql`
    select u."Id", u."UserName", u."Email", u."Language" from "user" u where u."Id" in (${ids}) and u."EnterpriseId" = ${EnterpriseId} order by u."Id"`)
  const receivers: Receiver[] = []
  for (const { Id, UserName, Email, Language: own } of people) {
    const who = await sessions.actorOf(Id, 'report')
    const actor = who && !('ended' in who) ? who : undefined
    receivers.push({ UserId: Id, UserName, Email, language: languageOfTag(own) ?? Language, actor })
  }
  if (SendTo) return receivers
  const outside = await db.rows<{ Address: string }>(
    sql`select o."Address" from report_schedule s, jsonb_array_elements_text(s."Outside") o ("Address") where s."Id" = ${ScheduleId}`,
  )
  const strangers = outside.map(({ Address }) => {
    return { UserId: null, UserName: Address, Email: Address, language: Language, actor: undefined }
  })
  return [...receivers, ...strangers]
}

/** Languages of a report, its schedule's first. */
export const languagesOf = ({ Language }: Of, receivers: readonly Receiver[]): Language[] => [
  ...new Set([Language, ...receivers.filter(({ Email, actor }) => Email && actor).map(({ language }) => language)]),
]

type SendAs = Value<(typeof reportSchedule)['fields']['SendAs']>
type Given = { hasMoney: boolean; title: string; zone: string; files: readonly ReportFile[]; receivers: readonly Receiver[] }
type How = { isOpen: boolean; domains: ReadonlySet<string>; as: SendAs | undefined; named: ReadonlySet<string>; hasMoney: boolean }

const outcomeOf = async (
  db: Db,
  run: Of,
  { UserId, Email, actor }: Receiver,
  file: ReportFile,
  how: How,
): Promise<Delivered['Outcome']> => {
  if (UserId) {
    const [open] = actor ? await db.rows(sql`select 1 from report_run t where t."Id" = ${run.Id} and ${visible(reportRun, actor)}`) : []
    if (!open) return 'notAllowed'
    if (!Email) return 'noAddress'
  } else if (!how.domains.has(domainOf(Email!))) return 'notListed'
  else if (how.hasMoney && !how.named.has(Email!.toLowerCase())) return 'noMoney'
  if (how.as === 'file' && file.FileBytes <= mostAttached) return 'attached'
  // A link with a sign-in is of no use outside.
  if (how.isOpen && (how.as === 'openLink' || (!UserId && how.as === 'file'))) return 'openLinked'
  return UserId ? 'linked' : 'noLink'
}

const asOf = async (db: Db, { ScheduleId }: Of) => {
  const [row] = await db.rows<{ SendAs: SendAs; MoneyOutside: string[] }>(
    sql`select "SendAs", "MoneyOutside" from report_schedule where "Id" = ${ScheduleId}`,
  )
  return { as: row?.SendAs, named: new Set((row?.MoneyOutside ?? []).map((address) => address.toLowerCase())) }
}

/** Sends it, in the transaction that ends the run: a second try sends nothing twice. */
export const sendRun = async (db: Db, { delivery, url, clock }: Sending, run: Of, given: Given): Promise<Delivered[]> => {
  if (!given.receivers.length) return []
  const { title, zone, files, receivers, hasMoney } = given
  const allowed = await readSettings(db, reportDelivery, run.EnterpriseId)
  const home = url?.replace(/\/$/, '')
  const how: How = {
    ...{ isOpen: allowed.OpenLinks === 1 && !!home, domains: new Set(domainsOf(allowed.Domains)), hasMoney },
    ...(await asOf(db, run)),
  }
  const sent: Delivered[] = []
  for (const receiver of receivers) {
    const { UserId, UserName, Email, language } = receiver
    const file = files.find((f) => f.Language === language) ?? files[0]!
    const Outcome = await outcomeOf(db, run, receiver, file, how)
    const isSent = Outcome === 'attached' || Outcome === 'linked' || Outcome === 'openLinked'
    sent.push({ UserId, UserName, Outcome, ...(isSent ? { Language: file.Language } : {}) })
    if (!isSent) continue
    const named = { name: file.FileName, link: home ? `${home}/dataAnalysis/reportRuns` : word(language, 'menu.m10317'), until: '' }
    if (Outcome === 'openLinked') {
      const { token, until } = await addLink(db, run, { receiver: UserName, language: file.Language, now: clock() })
      Object.assign(named, { link: `${home}/report/open#${token}`, until: momentText(until, zone) })
    }
    const which =
      Outcome === 'attached'
        ? UserId
          ? 'attached'
          : 'outside'
        : Outcome === 'openLinked'
          ? 'open'
          : how.as === 'file'
            ? 'linked'
            : 'ready'
    await delivery.deliver(db, {
      ...{ EnterpriseId: run.EnterpriseId, Method: 'email', BizType: 11, Source: sourceOf(run.Id, receiver) },
      ...(UserId ? { UserId } : { address: Email! }),
      values: { title, content: word(language, `report.mail.${which}`, named) },
      ...(Outcome === 'attached'
        ? { attachment: { file: fileOf(run.Id, run.Format, file === files[0] ? undefined : file.Language), name: file.FileName } }
        : {}),
    })
  }
  return sent
}
