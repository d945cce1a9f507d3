import type { Logger } from 'pino'
import type { Database } from '../database/db.ts'
import type { Vault } from '../identity/vault.ts'
import { startDelivery } from './delivery.ts'
import type { Allowed } from './outbound.ts'
import { type Bell, sender } from './send.ts'
import { wechatClient } from './wechat.ts'

type Needs = {
  database: Database
  vault: Vault
  settings: { wechatUrl: string; dingtalkUrl: string; aliyunSmsUrl: string; tencentSmsUrl: string; outbound: Allowed }
  clock: () => number
  bell: Bell
  log: Pick<Logger, 'warn'>
  isOwner?: () => boolean
  /** The folder of the files that go along with e-mails. */
  files?: string
  limits?: Parameters<typeof startDelivery>[0]['limits']
}

/** Everything that leaves for people: `delivery.deliver` is what other areas use. */
export const openChannels = ({ database, vault, settings, clock, bell, log, limits, files, isOwner = () => true }: Needs) => {
  const wechat = wechatClient(settings.wechatUrl, clock)
  const providers = {
    wechat: settings.wechatUrl,
    dingtalk: settings.dingtalkUrl,
    aliyunSms: settings.aliyunSmsUrl,
    tencentSms: settings.tencentSmsUrl,
  }
  const send = sender({ database, vault, providers, wechat, allowed: settings.outbound, clock, bell, files })
  return { wechat, delivery: startDelivery({ database, send, clock, log, isOwner, ...(limits ? { limits } : {}) }) }
}

export type Channels = ReturnType<typeof openChannels>
