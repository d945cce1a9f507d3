// Web sign-in through WeChat's open platform: the returned code identifies a person by the UnionId bound earlier.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { WechatRefusal } from '../../../../server/channels/wechat.ts'
import { Fault } from '../../../../server/http/faults.ts'
import { installationKey } from '../../../../server/identity/installation.ts'
import { platformEnterprise } from '../../../../server/identity/setup.ts'
import { readSettings } from '../../../../server/resource/settings.ts'
import { wxConfig } from '../contract.ts'
import type { WechatNeeds } from './service.ts'

const stateMinutes = 10

export const wechatSignIn = async ({ database, vault, wechat, clock, url }: Omit<WechatNeeds, 'delivery'>) => {
  const db = database.system
  const key = await installationKey(db, 'wechatSignIn')
  const sign = (text: string) => createHmac('sha256', key).update(text).digest()
  const account = async (enterprise: number) => {
    const c = await readSettings(db, wxConfig, enterprise)
    const secret = await vault.get(enterprise, 'wxConfig.WxAppSecret')
    return c.WxStatus === 1 && c.WxAppId && secret ? { enterprise, appId: String(c.WxAppId), secret } : undefined
  }
  /** Signed state of a sign-in, so that it can be neither forged nor used later. */
  const stateOf = (enterprise: number) => {
    const text = `${enterprise}.${clock() + stateMinutes * 60_000}.${randomBytes(12).toString('base64url')}`
    return `${text}.${sign(text).toString('base64url')}`
  }
  const read = (state: string): number => {
    const cut = state.lastIndexOf('.')
    const [text, mark] = [state.slice(0, Math.max(cut, 0)), Buffer.from(state.slice(cut + 1), 'base64url')]
    const [enterprise, until] = text.split('.').map(Number)
    if (mark.length !== 32 || !timingSafeEqual(mark, sign(text)) || !(until! > clock())) throw new Fault('wechatOver')
    return enterprise!
  }

  return {
    /** Sign-in address for the login page of a tenant or of the platform. Fault `notConfigured` if neither has WeChat, `noAddress` without `PENSTOCK_URL`. */
    async address(slug: string | undefined): Promise<string> {
      const [tenant] = slug ? await db.rows<{ Id: number }>(sql`select "Id" from enterprise where "Slug" = ${slug} and "Status" = 1`) : []
      const held = (tenant && (await account(tenant.Id))) ?? (await account(platformEnterprise))
      if (!held) throw new Fault('notConfigured')
      if (!url) throw new Fault('noAddress')
      const query = new URLSearchParams({
        appid: held.appId,
        redirect_uri: `${url}/auth-redirect`,
        response_type: 'code',
        scope: 'snsapi_login',
        state: stateOf(held.enterprise),
      })
      return `https://open.weixin.qq.com/connect/qrconnect?${query}#wechat_redirect`
    },
    /** The account of a code, or undefined. Without a state, the code is the platform's. */
    async person(code: string, state: string | undefined): Promise<number | undefined> {
      const enterprise = state ? read(state) : platformEnterprise
      const held = await account(enterprise)
      if (!held) throw new Fault('notConfigured')
      const { openid, unionid } = await wechat.openId(held, code).catch((error: unknown) => {
        throw error instanceof WechatRefusal ? new Fault('wechatOver') : new Fault('unavailable')
      })
      // A tenant's own WeChat account signs in only its own users.
      const own = enterprise === platformEnterprise ? sql`true` : sql`u."EnterpriseId" = ${enterprise}`
      const [row] = await db.rows<{ Id: number }>(sql`
        select u."Id" from user_push p join "user" u on u."Id" = p."UserId"
        where (p."UnionId" = ${unionid ?? null} or p."OpenId" = ${openid}) and u."Status" = 1 and u."IsLock" = 0 and ${own}
        order by u."LastLoginTime" desc nulls last, u."Id" limit 1`)
      return row?.Id
    },
  }
}
