import { createReadStream, existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { sql } from 'kysely'
import { pushConfig, wechatConfig } from '../../contract/channel-settings.ts'
import type { Database } from '../database/db.ts'
import type { Vault } from '../identity/vault.ts'
import { readSettings } from '../resource/settings.ts'
import { sendDing } from './dingtalk.ts'
import { sendEmail } from './email.ts'
import type { Allowed } from './outbound.ts'
import { failed, type Outcome, ofError, sent } from './outcome.ts'
import { type Payload, subscribed, type Way } from './prepare.ts'
import { sendAliyun, sendTencent } from './sms.ts'
import { sendWebhook } from './webhook.ts'
import type { wechatClient } from './wechat.ts'

/** Addresses of the providers; each is a setting, for tests and proxies. */
export type Providers = { wechat: string; dingtalk: string; aliyunSms: string; tencentSms: string }

export type Queued = {
  Id: number
  EnterpriseId: number
  Method: Way
  BizType: number
  Address: string
  Title: string
  Payload: Payload
  UserId: number | null
  CreateTime: Date
}

/** Messages a channel knows again by their id, so that a second try cannot arrive twice. */
export const knowsAgain = (method: Way) => method === 'wechat' || method === 'webhook' || method === 'site'

/** Under which the secret of a webhook that has subscribed to alarms is sealed. */
export const hookSecret = (id: number) => `alarmWebhook.${id}`

/** Stores a notice for a person, once for its Source. */
export type Bell = (m: { EnterpriseId: number; UserId: number; BizType: number } & NonNullable<Payload['made']>) => Promise<unknown>

type Needs = {
  database: Database
  vault: Vault
  providers: Providers
  wechat: ReturnType<typeof wechatClient>
  allowed: Allowed
  clock: () => number
  bell: Bell
  /** The folder of the files that go along. */
  files?: string | undefined
}

/** One attempt at one message; never throws. */
export const sender = ({ database, vault, providers, wechat, allowed, clock, bell, files }: Needs) => {
  const off = failed('channelOff')
  const ways: Record<Way, (m: Queued) => Promise<Outcome>> = {
    async email({ Id, EnterpriseId, Address: to, Payload: { title: subject, text, attachment } }) {
      const c = await readSettings(database.system, pushConfig, EnterpriseId)
      if (c.EmailOn !== 1 || !c.EmailHost || !c.EmailFrom) return off
      const mailbox = {
        host: String(c.EmailHost),
        port: Number(c.EmailPort),
        tls: c.EmailTls as 'tls',
        user: String(c.EmailUser ?? ''),
        password: await vault.get(EnterpriseId, 'pushConfig.EmailPassword'),
        from: String(c.EmailFrom),
      }
      const path = files && attachment ? join(files, basename(attachment.file)) : ''
      // A file that was removed since does not hold the message back.
      const attached = path && existsSync(path) ? [{ filename: attachment?.name ?? '', content: createReadStream(path) }] : []
      return sendEmail(mailbox, { allowed, tenant: EnterpriseId }, { to, subject, text, attached, id: `push-${EnterpriseId}-${Id}` })
    },
    async sms({ Id, EnterpriseId, Address: phone, Payload: { template = '', sign, map = {} } }) {
      const c = await readSettings(database.system, pushConfig, EnterpriseId)
      const secret = await vault.get(EnterpriseId, 'pushConfig.SmsSecret')
      if (c.SmsOn !== 1 || !c.SmsKeyId || !secret) return off
      const [keyId, appId, region] = [c.SmsKeyId, c.SmsAppId, c.SmsRegion].map((v) => String(v ?? '')) as [string, string, string]
      const account = { keyId, secret, appId, region, sign: sign ?? String(c.SmsSign ?? '') }
      const sms = { phone, template, params: map, outId: String(Id) }
      return c.SmsProvider === 'tencent'
        ? sendTencent(providers.tencentSms, account, clock(), sms)
        : sendAliyun(providers.aliyunSms, account, clock(), sms)
    },
    async wechat({ Id, EnterpriseId, Address: touser, Payload: { template = '', url, map = {} } }) {
      const c = await readSettings(database.system, wechatConfig, EnterpriseId)
      const secret = await vault.get(EnterpriseId, 'wechatConfig.AppSecret')
      if (c.Status !== 1 || !c.AppId || !secret) return off
      return wechat.send(
        { appId: String(c.AppId), secret },
        {
          touser,
          template_id: template,
          client_msg_id: `push-${EnterpriseId}-${Id}`,
          ...(url ? { url } : {}),
          data: Object.fromEntries(Object.entries(map).map(([k, value]) => [k, { value }])),
        },
      )
    },
    async dingtalk({ EnterpriseId, Address, Payload: { title, text, atMobiles = [] } }) {
      const [token, secret] = await Promise.all([
        vault.get(EnterpriseId, `dingRobot.${Address}.AccessToken`),
        vault.get(EnterpriseId, `dingRobot.${Address}.Secret`),
      ])
      return token ? sendDing(providers.dingtalk, { token, secret, at: clock() }, { title, text, atMobiles }) : off
    },
    async site({ EnterpriseId, BizType, UserId, Payload: { made } }) {
      if (!made || !UserId) return off
      await bell({ EnterpriseId, BizType, UserId, ...made })
      return sent
    },
    async webhook({ Id, EnterpriseId, BizType, CreateTime, Address, Payload: { title, text, values, body } }) {
      const to = { within: { allowed, tenant: EnterpriseId }, at: clock() }
      const hook = subscribed(Address)
      if (hook) {
        // Read at send time, so that a corrected address applies to queued messages too.
        const [row] = await database.system.rows<{ Url: string }>(
          sql`select "Url" from alarm_webhook where "Id" = ${hook} and "EnterpriseId" = ${EnterpriseId} and "Enabled" = 1`,
        )
        const secret = await vault.get(EnterpriseId, hookSecret(hook))
        return row ? sendWebhook({ ...to, url: row.Url, secret }, `msg_${EnterpriseId}_${Id}`, body ?? {}) : off
      }
      const c = await readSettings(database.system, pushConfig, EnterpriseId)
      const own = Address === 'webhook'
      if (own && (c.WebhookOn !== 1 || !c.WebhookUrl)) return off
      const secret = await vault.get(EnterpriseId, 'pushConfig.WebhookSecret')
      const message = { BizType, Title: title, Content: text, Time: CreateTime.toISOString(), Values: values ?? {} }
      return sendWebhook({ ...to, url: own ? String(c.WebhookUrl) : Address, secret }, `msg_${EnterpriseId}_${Id}`, message)
    },
  }
  return (m: Queued): Promise<Outcome> => ways[m.Method](m).catch(ofError)
}
