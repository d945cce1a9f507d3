import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { wechatConfig } from '../../../../contract/channel-settings.ts'
import { WechatRefusal, type wechatClient } from '../../../../server/channels/wechat.ts'
import type { Database, Db } from '../../../../server/database/db.ts'
import { Fault } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { noteDeed } from '../../../../server/identity/note.ts'
import { authorizeAll } from '../../../../server/identity/rights.ts'
import type { Vault } from '../../../../server/identity/vault.ts'
import { readSettings } from '../../../../server/resource/settings.ts'
import { notify } from '../../notices/server/service.ts'
import { personOf, setting } from './pushSettings.ts'

const grantMinutes = 10
const freshMinutes = 15

export type TieNeeds = {
  database: Database
  vault: Vault
  wechat: ReturnType<typeof wechatClient>
  clock: () => number
  /** Public address of the console, if configured. */
  url: string | undefined
}

type Tied = { UserId: number; UserNO: string; EnterpriseId: number }
/** Records a tie in the log and notifies the account's owner, since WeChat signs in without the password. */
const announce = async (db: Db, by: Pick<Actor, 'UserId' | 'origin'>, who: Tied, Bound: 0 | 1) => {
  const { EnterpriseId, UserId, UserNO } = who
  await noteDeed(db, { ...by, EnterpriseId }, { Resource: 'userPush', RecordId: UserId, Verb: 'update' }, { Title: UserNO, Bound })
  await notify(db, {
    EnterpriseId,
    BizType: 11,
    Wording: Bound ? 'wechatTied' : 'wechatUntied',
    WordValues: { UserNO },
    Source: `wechat ${randomUUID()}`,
    UserIds: [UserId],
  })
}

const refused = (error: unknown) => {
  throw error instanceof WechatRefusal ? new Fault('wechatRefused', { code: error.message.slice(0, 100) }) : new Fault('unavailable')
}

/** WeChat bindings: a person binds a WeChat account to the user account, or unbinds it. */
export const tiesService = ({ database, vault, wechat, clock, url }: TieNeeds) => {
  const account = async (enterprise: number) => {
    const c = await readSettings(database.system, wechatConfig, enterprise)
    const secret = await vault.get(enterprise, 'wechatConfig.AppSecret')
    return c.Status === 1 && c.AppId && secret ? { appId: String(c.AppId), secret } : undefined
  }
  return {
    async signature(actor: Actor, page: string) {
      const held = await account(actor.EnterpriseId)
      return held ? wechat.signPage(held, page).catch(refused) : null
    },
    /** Redirects the phone only to the configured address: a Host header could be forged. */
    async grantUrl(actor: Actor) {
      const held = await account(actor.EnterpriseId)
      if (!held) throw new Fault('channelOff')
      if (!url) throw new Fault('noAddress')
      const state = randomBytes(24).toString('base64url')
      const db = database.system
      // Someone at an unlocked screen does not know the password, so a recent sign-in is required.
      const fresh = await db.rows(
        sql`select 1 from session where "Id" = ${actor.session} and "CreateTime" > now() - make_interval(mins => ${freshMinutes})`,
      )
      if (!fresh.length) throw new Fault('signInAgain', { minutes: freshMinutes })
      await db.rows(sql`delete from wechat_grant where "UserId" = ${actor.UserId} or "ExpireTime" < ${new Date(clock())}`)
      await db.rows(
        sql`insert into wechat_grant ("State", "UserId", "Session", "ExpireTime") values (${state}, ${actor.UserId}, ${actor.session}, ${new Date(clock() + grantMinutes * 60_000)})`,
      )
      const query = new URLSearchParams({
        appid: held.appId,
        redirect_uri: `${url}/api/WeChat/WeiXinGrant/Callback`,
        response_type: 'code',
        scope: 'snsapi_base',
        state,
      })
      return { Url: `https://open.weixin.qq.com/connect/oauth2/authorize?${query}#wechat_redirect`, ExpireSeconds: grantMinutes * 60 }
    },
    /** Binds the WeChat account of a callback; false unless the state is valid, not expired, and its session still active. */
    async bind(state: string, code: string): Promise<boolean> {
      const system = database.system
      const asked = sql`g."State" = ${state} and g."ExpireTime" > ${new Date(clock())} and u."Id" = g."UserId" and u."Status" = 1 and u."IsLock" = 0
        and exists (select 1 from session s where s."Id" = g."Session" and s."EndTime" is null)`
      const [grant] = await system.rows<{ EnterpriseId: number }>(sql`select u."EnterpriseId" from wechat_grant g, "user" u where ${asked}`)
      const held = grant && (await account(grant.EnterpriseId))
      if (!held) return false
      const { openid, unionid } = await wechat.openId(held, code).catch(refused)
      return system.tx(async (db) => {
        const [who] = await db.rows<Tied>(sql`
          delete from wechat_grant g using "user" u where ${asked} returning u."Id" as "UserId", u."UserNO", u."EnterpriseId"`)
        if (!who) return false
        await db.rows(sql`
          insert into user_push ("EnterpriseId", "UserId", "OpenId", "UnionId") values (${who.EnterpriseId}, ${who.UserId}, ${openid}, ${unionid ?? null})
          on conflict ("UserId") do update set "OpenId" = excluded."OpenId", "UnionId" = excluded."UnionId", "OpenStatus" = 1`)
        await announce(db, who, who, 1)
        return true
      })
    },
    /** Unbinds the caller's WeChat, or that of a user whose account the caller may change. */
    untie: (actor: Actor, id?: number) =>
      database.system.tx(async (db) => {
        const who = await personOf(db, actor, id, true)
        await authorizeAll(db, actor, [who.UserId])
        await db.rows(sql`delete from wechat_grant where "UserId" = ${who.UserId}`)
        await db.rows(sql`update user_push set "OpenId" = null, "UnionId" = null where "UserId" = ${who.UserId}`)
        if (who.OpenId) await announce(db, actor, who, 0)
        return setting(db, actor, id)
      }),
  }
}
