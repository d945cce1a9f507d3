// Alarms with messages and actions: a real mail server, one for the providers, and a manual clock.
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import pino from 'pino'
import { vi } from 'vitest'
import * as own from '../../areas/alarms/alarm-settings/server/service.ts'
import { type ActionNeeds, type Actions, startActions } from '../../areas/alarms/alarms/server/alarming/actions/runner.ts'
import { type Pushes, startPushes } from '../../areas/alarms/alarms/server/alarming/push/runner.ts'
import { startWebhooks, type Webhooks } from '../../areas/alarms/alarms/server/alarming/webhooks/runner.ts'
import { above, at, base, configure, openJournal, startArea } from '../../areas/alarms/alarms/server/harness.ts'
import { webhookRoutes } from '../../areas/alarms/alarms/server/webhooks.ts'
import { startNotices } from '../../areas/system/notices/server/runner.ts'
import { createNotice } from '../../areas/system/notices/server/service.ts'
import { wechatRoutes } from '../../areas/system/wechat/server/routes.ts'
import { wechatService } from '../../areas/system/wechat/server/service.ts'
import { openChannels } from '../../server/channels/channels.ts'
import { allowedBy } from '../../server/channels/outbound.ts'
import type { Database } from '../../server/database/db.ts'
import { openVault } from '../../server/identity/vault.ts'
import { startMailServer, startProviders } from './providers.ts'

export type PushArea = Awaited<ReturnType<typeof startPushArea>>

export const startPushArea = async (more: readonly ((api: FastifyInstance) => void)[] = []) => {
  const [providers, mail] = [await startProviders(), await startMailServer()]
  let now = base
  const clock = () => now
  const log = pino({ level: 'silent' })
  const { url } = providers
  const settings = {
    ...{ wechatUrl: url, dingtalkUrl: url, aliyunSmsUrl: url, tencentSmsUrl: url },
    outbound: allowedBy([`127.0.0.1/32:${providers.port}`, `127.0.0.1/32:${mail.port}`]),
  }
  const channelsOf = (database: Database) => {
    const vault = openVault(database, Buffer.alloc(32, 7))
    return {
      vault,
      ...openChannels({
        database,
        vault,
        settings,
        clock,
        log,
        limits: { pollMs: 3_600_000 },
        bell: (m) => createNotice(database.system, m),
      }),
    }
  }
  let channels!: ReturnType<typeof channelsOf>
  const area = await startArea((database) => {
    channels = channelsOf(database)
    return [
      (api) => wechatRoutes(api, wechatService({ database, clock, url: undefined, ...channels })),
      (api) => webhookRoutes(api, { database, ...channels }),
      ...more,
    ]
  })
  const { kit } = area
  const written: Parameters<ActionNeeds['write']>[0][] = []
  /** The next answer of gateways; by default a write succeeds. */
  const answers: number[] = []
  const write: ActionNeeds['write'] = async (w) => {
    written.push(w)
    return { Code: answers.shift() ?? 0, Msg: '' }
  }
  const limits = { pollMs: 3_600_000 }
  let pushes!: Pushes
  let actions!: Actions
  let webhooks!: Webhooks
  const begin = () => {
    const parts = { database: kit.database, delivery: channels.delivery, clock, log, limits }
    pushes = startPushes({ ...parts, own })
    actions = startActions({ ...parts, write })
    webhooks = startWebhooks(parts)
  }
  begin()
  const notices = startNotices({ database: kit.database, hub: { send: () => {} }, log, limits: { gatherMs: 1 } })
  let journal = openJournal()
  let engine = area.start(journal, {}, true)

  const settle = async () => {
    await engine.alarms.idle()
    for (let i = 0; i < 2; i++) {
      await pushes.settle()
      await actions.settle()
      await webhooks.settle()
      await channels.delivery.settle()
    }
  }
  await kit.data('owner', 'PUT', '/System/WechatConfig/MessagePush', {
    ...{ EmailOn: 1, EmailHost: '127.0.0.1', EmailPort: mail.port, EmailTls: 'none', EmailUser: 'mailer', EmailPassword: 'mail secret' },
    ...{ EmailFrom: 'Penstock <alarms@example.com>', WebhookOn: 1, WebhookUrl: `${url}/hook`, WebhookSecret: 'hook secret' },
  })
  providers.signHooksWith('hook secret')
  await kit.db.rows(sql`update "user" set "Email" = "UserNO" || '@example.com', "Language" = 'en'`)

  await kit.db.rows(sql`update enterprise set "Language" = 'en'`)

  return {
    ...area,
    providers,
    mail,
    written,
    answers,
    settle,
    get pushes() {
      return pushes
    },
    clock,
    /** Advances the clock, and runs what is due. */
    async after(seconds: number) {
      now += seconds * 1000
      area.setClock(now)
      await settle()
    },
    /** A reading of now. */
    async reads(point: number, value: number) {
      journal.write(at(point, (now - base) / 1000, value))
      await settle()
    },
    /** A rule with one condition: the point is above 10. */
    rule: (point: number, more: object, conditions: object = {}) =>
      kit.data<{ Id: number }>('owner', 'POST', '/Alarm/AlarmRule', {
        ...{ RuleName: `Too high ${point} ${++made}`, Status: 1, RuleConfigure: configure([above(point)], conditions) },
        ...more,
      }),
    /** Mails as person and first words of the subject, in their order. */
    mails: () => mail.mails.map((m) => `${m.to[0]!.split('@')[0]}: ${/^Subject: (.*)$/m.exec(m.text)![1]!.trim()}`),
    /** Restarts everything on the same database, as after a restart of the process. */
    async restart() {
      await Promise.all([pushes.stop(), actions.stop(), webhooks.stop(), channels.delivery.stop()])
      channels = channelsOf(kit.database)
      begin()
      await settle()
    },
    /** Restarts only the engine, from its saved state. */
    async restartEngine() {
      await engine.alarms.stop()
      engine = area.start(journal, {}, true)
      await settle()
    },
    async fresh() {
      await area.reset()
      await vi.waitFor(() => pushes.settle())
      await kit.db.rows(sql`delete from alm_push_record`)
      await kit.db.rows(sql`delete from notice`)
      await kit.db.rows(sql`delete from alarm_roster`)
      await kit.db.rows(sql`delete from alarm_webhook`)
      await kit.db.rows(sql`delete from alarm_user_setting`)
      await kit.db.rows(sql`delete from tenant_config where "Name" = 'alarmReminder'`)
      for (const list of [mail.mails, providers.inbox, written, answers]) list.length = 0
      now = base
      area.setClock(now)
      journal = openJournal()
      engine = area.start(journal, {}, true)
      await settle()
    },
    async close() {
      await Promise.all([pushes.stop(), actions.stop(), webhooks.stop(), notices.stop(), channels.delivery.stop()])
      await area.reset()
      await kit.close()
      await providers.close()
      await mail.close()
    },
  }
}
let made = 0
