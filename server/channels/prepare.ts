// From what happened and for whom to what a channel is given: address, words, keywords. Looked up when the message is taken on, so
// that the log says what was sent and a later change of the template changes nothing that is on its way.
import { sql } from 'kysely'
import type { Method } from '../../contract/channel-settings.ts'
import type { FaultKey } from '../../contract/faults.ts'
import { cut, fill, filledMap, type Values, wechatValue } from '../../contract/message.ts'
import type { PushKind, PushReason } from '../../contract/push-reasons.ts'
import type { Db } from '../database/db.ts'
import { isOf, isTrial } from '../identity/receivers.ts'

/** `site`: the bell of the console. */
export type Way = Method | 'site'

export type Message = {
  EnterpriseId: number
  Method: Way
  BizType: number
  /** Whom: a person by e-mail, SMS or WeChat, a robot by DingTalk; webhooks are the tenant's. */
  UserId?: number
  RobotId?: number
  /** Whom without an account: where he is reached. */
  address?: string
  /** Row of the method's template; else the standard one of the business type. */
  TemplateId?: number
  values: Values
  /** Deduplication key: a second message of one source to one address is dropped. */
  Source?: string
  AlmInfoId?: number
  /** Which push of an alarm it is, for its log. */
  about?: { Kind: PushKind; Step: number; AlmRuleId: number | null }
  /** Held until then, epoch ms, or until a digest takes it in; or not sent at all, and why. */
  withheld?: { until: number; why?: PushReason } | 'digest' | { cancelled: PushReason }
  /** Not before, epoch ms. */
  notBefore?: number
  /** Of a webhook, instead of the tenant's. */
  Url?: string
  /** A webhook that has subscribed to alarms, and what it is sent. */
  AlarmWebhookId?: number
  body?: object
  /** Of a site message: the words of the notice. */
  made?: { Wording: string; WordValues: Record<string, string | number> }
  /** Also for receivers who have switched such messages off: they requested this one. */
  asked?: boolean
  /** Of an e-mail: a file of the folder of reports, and how it is called. */
  attachment?: Attached
}
export type Attached = { file: string; name: string }

export type Payload = {
  title: string
  text: string
  template?: string
  sign?: string
  /** Keywords of WeChat, variables of an SMS. */
  map?: Record<string, string>
  url?: string
  atMobiles?: string[]
  attachment?: Attached
  values?: Values
  body?: object
  made?: Message['made'] & { Source: string; AlmInfoId: number | null }
}
/** `problem`: why it cannot be delivered. */
export type Prepared = { address: string; target: string; payload: Payload; problem?: FaultKey }
const unknown = { email: 'noEmail', sms: 'noPhone', wechat: 'noWechat' } as const

/** Enough to recognise one's own address, too little to use it. */
export const masked = {
  email: (address: string) => address.replace(/^(.)[^@]*(?=@)/, '$1***'),
  sms: (phone: string) => phone.replace(/^(\+?\d{3})\d+(\d{2})$/, '$1****$2'),
  wechat: (openId: string) => `${openId.slice(0, 6)}…`,
}

const tables = { wechat: 'alm_wechat_template', email: 'alm_email_template', sms: 'alm_sms_template' } as const
type Template = {
  Title?: string
  Content?: string | null
  TemplateId?: string
  SignName?: string | null
  FieldMap?: Record<string, string> | null
}

const templateOf = async (db: Db, m: Message): Promise<Template | undefined> => {
  if (!(m.Method in tables)) return
  const which = m.TemplateId ? sql`"Id" = ${m.TemplateId}` : sql`"BizType" = ${m.BizType} and "IsDefault" = 1 and "Enabled" = 1`
  const [row] = await db.rows<Template>(
    sql`select * from ${sql.table(tables[m.Method as keyof typeof tables])} where "EnterpriseId" = ${m.EnterpriseId} and ${which} limit 1`,
  )
  return row
}

type Person = {
  EnterpriseId: number
  UserName: string
  Email: string | null
  Phone: string | null
  OpenId: string | null
  OpenStatus: number
  Off: boolean
  IsTrial: boolean
}
const personOf = async (db: Db, m: Message): Promise<Person | undefined> =>
  (
    await db.rows<Person>(sql`
      select u."EnterpriseId", u."UserName", u."Email", u."Phone", p."OpenId", coalesce(p."OpenStatus", 1) as "OpenStatus",
        coalesce(p."Switches" @> ${JSON.stringify([{ BizType: m.BizType, Method: m.Method, On: 0 }])}::jsonb, false) as "Off", ${isTrial(sql`u."Id"`)} as "IsTrial"
      from "user" u left join user_push p on p."UserId" = u."Id" where u."Id" = ${m.UserId ?? 0}`)
  )[0]

const paragraphs = ({ content, source, remark }: Values) => [content, source, remark].filter(Boolean).join('\n')

const toPerson = async (db: Db, m: Message): Promise<Prepared> => {
  const [person, template] = await Promise.all([personOf(db, m), templateOf(db, m)])
  const method = m.Method as 'email' | 'sms' | 'wechat'
  const address = m.address ?? { email: person?.Email, sms: person?.Phone, wechat: person?.OpenId }[method] ?? ''
  const title = cut(template?.Title ? fill(template.Title, m.values) : (m.values.title ?? ''), 200).replace(/\p{Cc}+/gu, ' ')
  const map = template?.FieldMap ?? {}
  const payload: Payload = {
    title,
    text: template?.Content && method === 'email' ? fill(template.Content, m.values) : paragraphs(m.values),
    ...(template?.TemplateId ? { template: template.TemplateId } : {}),
    ...(template?.SignName ? { sign: template.SignName } : {}),
    ...(m.values.Url ? { url: m.values.Url } : {}),
    ...(m.attachment && method === 'email' ? { attachment: m.attachment } : {}),
    ...(method === 'sms' ? { map: filledMap(map, m.values, 35) } : {}),
    ...(method === 'wechat'
      ? { map: Object.fromEntries(Object.entries(filledMap(map, m.values)).map(([k, v]) => [k, wechatValue(k, v)])) }
      : {}),
  }
  const off = !m.asked && person && (person.Off || (method === 'wechat' && person.OpenStatus === 0))
  const problem = person?.IsTrial
    ? 'trialAccount'
    : !address
      ? unknown[method]
      : method !== 'email' && !template
        ? 'noTemplate'
        : off
          ? 'switchedOff'
          : undefined
  // A company sees only the name of a platform receiver, never the address.
  const target = person && person.EnterpriseId !== m.EnterpriseId ? person.UserName : address ? masked[method](address) : '-'
  return { address, target, payload, ...(problem ? { problem } : {}) }
}

const toRobot = async (db: Db, m: Message): Promise<Prepared> => {
  const [robot] = await db.rows<{
    Id: number
    Name: string
    Keywords: string | null
    AtMobiles: string | null
    Enabled: number
    HasToken: number
  }>(
    sql`select "Id", "Name", "Keywords", "AtMobiles", "Enabled", "HasToken" from ding_robot where "EnterpriseId" = ${m.EnterpriseId} and "Id" = ${m.RobotId ?? 0}`,
  )
  const title = m.values.title ?? ''
  const body = [`### ${title}`, ...paragraphs(m.values).split('\n')].join('\n\n')
  const words = (robot?.Keywords ?? '').split(/[,，\s]+/).filter(Boolean)
  // A robot with keywords drops what holds none of them.
  const text = words.length && !words.some((w) => body.includes(w)) ? `${body}\n\n${words[0]}` : body
  const atMobiles = (robot?.AtMobiles ?? '').split(/[,\s]+/).filter(Boolean)
  const problem = !robot?.HasToken ? 'noRobot' : robot.Enabled !== 1 && !m.asked ? 'switchedOff' : undefined
  return {
    address: String(robot?.Id ?? 0),
    target: robot?.Name ?? '-',
    payload: { title, text, atMobiles },
    ...(problem ? { problem } : {}),
  }
}

const toBell = async (db: Db, m: Message): Promise<Prepared> => {
  const [person] = await db.rows<{ UserName: string }>(
    sql`select u."UserName" from "user" u where u."Id" = ${m.UserId ?? 0} and ${isOf('u', m.EnterpriseId)}`,
  )
  const made = m.made && { ...m.made, Source: `push/${m.Source}`, AlmInfoId: m.AlmInfoId ?? null }
  const payload = { title: m.values.title ?? '', text: paragraphs(m.values), ...(made ? { made } : {}) }
  return { address: String(m.UserId ?? 0), target: person?.UserName ?? '-', payload, ...(person ? {} : { problem: 'notFound' as const }) }
}

const hookAddress = /^hook (\d+)$/
/** Of a message to a subscribed webhook: which. */
export const subscribed = (address: string) => Number(hookAddress.exec(address)?.[1] ?? 0)

const toWebhook = async (db: Db, m: Message): Promise<Prepared> => {
  if (m.AlarmWebhookId) {
    const [hook] = await db.rows<{ Url: string }>(
      sql`select "Url" from alarm_webhook where "EnterpriseId" = ${m.EnterpriseId} and "Id" = ${m.AlarmWebhookId}`,
    )
    const payload = { title: m.values.title ?? '', text: paragraphs(m.values), body: m.body ?? {} }
    const target = hook && URL.canParse(hook.Url) ? new URL(hook.Url).host : '-'
    return { address: `hook ${m.AlarmWebhookId}`, target, payload, ...(hook ? {} : { problem: 'noWebhook' as const }) }
  }
  if (m.Url) {
    const payload = { title: m.values.title ?? '', text: paragraphs(m.values), values: m.values }
    return { address: m.Url, target: new URL(m.Url).host, payload }
  }
  const [row] = await db.rows<{ url: string | null }>(
    sql`select "Config"->>'WebhookUrl' as url from tenant_config where "EnterpriseId" = ${m.EnterpriseId} and "Name" = 'pushConfig'`,
  )
  const target = row?.url && URL.canParse(row.url) ? new URL(row.url).host : '-'
  const payload = { title: m.values.title ?? '', text: paragraphs(m.values), values: m.values }
  return { address: 'webhook', target, payload, ...(row?.url ? {} : { problem: 'noWebhook' }) }
}

export const prepare = (db: Db, m: Message): Promise<Prepared> =>
  ({ dingtalk: toRobot, webhook: toWebhook, site: toBell, wechat: toPerson, email: toPerson, sms: toPerson })[m.Method](db, m)
