// Test harness of channels: one fake provider for all, a real mail server, and a manual clock.
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { startKit } from '../../../../main/testing/kit.ts'
import { account, startMailServer, startProviders } from '../../../../main/testing/providers.ts'
import { openChannels } from '../../../../server/channels/channels.ts'
import { allowedBy } from '../../../../server/channels/outbound.ts'
import type { Database } from '../../../../server/database/db.ts'
import type { Sessions } from '../../../../server/identity/sessions.ts'
import { openVault } from '../../../../server/identity/vault.ts'
import { messageRoutes } from '../../message-templates/server/routes.ts'
import { createNotice } from '../../notices/server/service.ts'
import { wechatRoutes } from './routes.ts'
import { wechatService } from './service.ts'
import { wechatSignIn } from './signIn.ts'

const key = Buffer.alloc(32, 7)

export type Channels = Awaited<ReturnType<typeof startChannels>>
type More = (
  database: Database,
  sessions: Sessions,
  channels: ReturnType<typeof openChannels>,
) => readonly ((api: FastifyInstance) => void)[]
/** `more`: routes of other areas that send; `signIns`: the clock of the rest. */
export const startChannels = async ({ more = () => [], signIns = Date.now }: { more?: More; signIns?: () => number } = {}) => {
  const [providers, mail] = [await startProviders(), await startMailServer()]
  let now = Date.parse('2026-03-01T08:00:00Z')
  const clock = () => now
  const { url } = providers
  const settings = {
    wechatUrl: url,
    dingtalkUrl: url,
    aliyunSmsUrl: url,
    tencentSmsUrl: url,
    outbound: allowedBy([`127.0.0.1/32:${providers.port}`, `127.0.0.1/32:${mail.port}`]),
  }
  const open = (database: Database) => {
    const vault = openVault(database, key)
    const limits = { pollMs: 3_600_000 }
    return {
      vault,
      ...openChannels({
        database,
        vault,
        settings,
        clock,
        bell: (m) => createNotice(database.system, m),
        log: pino({ level: 'silent' }),
        limits,
      }),
    }
  }
  let held: ReturnType<typeof open> | undefined
  const kit = await startKit({
    clock: signIns,
    wechat: (database) => wechatSignIn({ database, clock, url: 'https://console.example.com', ...held! }),
    areas: (database, sessions) => {
      const channels = open(database)
      held = channels
      const wechat = wechatService({ database, clock, url: 'https://console.example.com', ...channels })
      return [(api) => messageRoutes(api, channels.delivery), (api) => wechatRoutes(api, wechat), ...more(database, sessions, channels)]
    },
  })
  const push = (given: object, as = 'owner') => kit.data(as, 'PUT', '/System/WechatConfig/MessagePush', given)
  return {
    ...kit,
    providers,
    mail,
    delivery: held!.delivery,
    vault: held!.vault,
    clock,
    /** Advances the clock and sends due messages. */
    async after(seconds: number) {
      now += seconds * 1000
      await held!.delivery.settle()
    },
    /** Imitates another process of the same installation. */
    open: () => open(kit.database),
    push,
    /** Sets up all channels of a tenant through the API. */
    async setUp(as = 'owner') {
      await push(
        {
          ...{
            EmailOn: 1,
            EmailHost: '127.0.0.1',
            EmailPort: mail.port,
            EmailTls: 'none',
            EmailUser: 'mailer',
            EmailPassword: 'mail secret',
          },
          ...{ EmailFrom: 'Penstock <alarms@example.com>', SmsOn: 1, SmsProvider: 'aliyun', SmsKeyId: account.key, SmsSecret: account.sms },
          ...{ SmsSign: '水厂', SmsAppId: '1400000000', WebhookOn: 1, WebhookUrl: `${url}/hook`, WebhookSecret: 'hook secret' },
        },
        as,
      )
      providers.signHooksWith('hook secret')
      await kit.data(as, 'PUT', '/System/WechatConfig', { AppId: account.appId, AppSecret: account.secret, Status: 1 })
      await kit.data(as, 'PUT', '/System/User/Account', { Email: `${as}@example.com`, Phone: '13800000000', Pwd: kit.password })
    },
    close: async () => {
      await held!.delivery.stop()
      await kit.close()
      await providers.close()
      await mail.close()
    },
  }
}
