import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { type Method, wechatConfig } from '../../../../contract/channel-settings.ts'
import type { Language } from '../../../../contract/languages.ts'
import type { Delivery } from '../../../../server/channels/delivery.ts'
import { WechatRefusal, type wechatClient } from '../../../../server/channels/wechat.ts'
import type { Database, Db } from '../../../../server/database/db.ts'
import { Fault, notFound } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { noteDeed } from '../../../../server/identity/note.ts'
import { authorizeAll } from '../../../../server/identity/rights.ts'
import type { Vault } from '../../../../server/identity/vault.ts'
import { assertSecretsBound, readSettings } from '../../../../server/resource/settings.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { store } from '../../../../server/resource/store.ts'
import { user } from '../../../people/users/contract.ts'
import { notify } from '../../notices/server/service.ts'
import { dingRobot, robotSecrets, type Switch } from '../contract.ts'

type Values = Record<string, unknown>
const robots = store(dingRobot)
const person = user
const grantMinutes = 10
const freshMinutes = 15

export type WechatNeeds = {
  database: Database
  vault: Vault
  delivery: Delivery
  wechat: ReturnType<typeof wechatClient>
  clock: () => number
  /** Where people reach the console, when the settings say it. */
  url: string | undefined
}
export type Wechat = ReturnType<typeof wechatService>

export const wechatService = ({ database, vault, delivery, wechat, clock, url }: WechatNeeds) => {
  const account = async (enterprise: number) => {
    const c = await readSettings(database.system, wechatConfig, enterprise)
    const secret = await vault.get(enterprise, 'wechatConfig.AppSecret')
    return c.Status === 1 && c.AppId && secret ? { appId: String(c.AppId), secret } : undefined
  }
  /** Oneself, or somebody of one's tenant for those who manage its accounts. */
  const personOf = async (db: Db, actor: Actor, id = actor.UserId, change = false) => {
    if (id !== actor.UserId && !actor.may.has(change ? 'm10402.edit' : 'm10402')) throw notFound()
    const hidden = (name: string) => actor.dataScope?.hidden.user?.has(name) ?? false
    const [row] = await db.rows<{
      UserId: number
      UserNO: string
      EnterpriseId: number
      Email: string | null
      Phone: string | null
      OpenId: string | null
      OpenStatus: number
      Switches: Switch[]
    }>(sql`
      select t."Id" as "UserId", t."UserNO", t."EnterpriseId", case when ${!hidden('Email')} then t."Email" end as "Email",
        case when ${!hidden('Phone')} then t."Phone" end as "Phone", p."OpenId", coalesce(p."OpenStatus", 1) as "OpenStatus", coalesce(p."Switches", '[]') as "Switches"
      from "user" t left join user_push p on p."UserId" = t."Id" where t."Id" = ${id} and ${visible(person, actor)}`)
    if (!row) throw notFound()
    return row
  }
  const setting = async (db: Db, actor: Actor, id?: number) => {
    const { OpenId, EnterpriseId: _, UserNO: __, ...rest } = await personOf(db, actor, id)
    return { ...rest, Bound: OpenId ? 1 : 0 }
  }
  const withSecrets = async (db: Db, actor: Actor, id: number, { AccessToken, Secret }: Values) => {
    const { EnterpriseId } = await robots.find(db, actor, id)
    const put = (name: string, value: unknown) => vault.put(db, EnterpriseId, `dingRobot.${id}.${name}`, value as string | null | undefined)
    await put('AccessToken', AccessToken)
    await put('Secret', Secret)
    await db.rows(sql`
      update ding_robot set
        "HasToken" = (select count(*) from sealed_secret where "EnterpriseId" = ${EnterpriseId} and "Name" = ${`dingRobot.${id}.AccessToken`}),
        "HasSecret" = (select count(*) from sealed_secret where "EnterpriseId" = ${EnterpriseId} and "Name" = ${`dingRobot.${id}.Secret`})
      where "Id" = ${id}`)
    return robots.find(db, actor, id)
  }

  return {
    async signature(actor: Actor, page: string) {
      const held = await account(actor.EnterpriseId)
      return held ? wechat.signPage(held, page).catch(refused) : null
    },
    addRobot: (actor: Actor, given: Values) =>
      database.system.tx(async (db) => withSecrets(db, actor, (await robots.create(db, actor, given)).Id, given)),
    changeRobot: (actor: Actor, id: number, given: Values) =>
      database.system.tx(async (db) => {
        const { HasSecret } = await robots.update(db, actor, id, given)
        assertSecretsBound(robotSecrets, (s) => s === 'Secret' && HasSecret === 1, {}, given)
        return withSecrets(db, actor, id, given)
      }),
    removeRobots: (actor: Actor, ids: readonly number[]) =>
      database.system.tx(async (db) => {
        for (const id of new Set(ids)) {
          const { EnterpriseId } = await robots.find(db, actor, id)
          for (const name of ['AccessToken', 'Secret']) await vault.put(db, EnterpriseId, `dingRobot.${id}.${name}`, null)
        }
        return robots.remove(db, actor, ids)
      }),
    async test(db: Db, actor: Actor, language: Language, Method: Method, RobotId: number | undefined) {
      if (RobotId) await robots.find(db, actor, RobotId)
      const [title, content, source, remark] = ['title', 'content', 'source', 'remark'].map((k) => word(language, `sample.${k}`)) as [
        string,
        string,
        string,
        string,
      ]
      const target = RobotId ? { RobotId } : { UserId: actor.UserId }
      const message = {
        EnterpriseId: actor.EnterpriseId,
        Method,
        BizType: 11,
        ...target,
        values: { title, content, source, remark },
        asked: true,
      }
      return (await delivery.deliver(db, message))!
    },
    setting,
    async change(db: Db, actor: Actor, { UserId, OpenStatus, Switches }: { UserId?: number; OpenStatus?: number; Switches?: Switch[] }) {
      const who = await personOf(db, actor, UserId, true)
      await authorizeAll(db, actor, [who.UserId])
      const key = (s: Switch) => `${s.BizType} ${s.Method}`
      // Only what is off is kept; the last word on a switch holds.
      const off = [...new Map([...who.Switches, ...(Switches ?? [])].map((s) => [key(s), s])).values()].filter((s) => s.On === 0)
      await db.rows(sql`
        insert into user_push ("EnterpriseId", "UserId", "OpenStatus", "Switches") values (${who.EnterpriseId}, ${who.UserId}, ${OpenStatus ?? 1}, ${JSON.stringify(off)}::jsonb)
        on conflict ("UserId") do update set "OpenStatus" = ${OpenStatus ?? who.OpenStatus}, "Switches" = excluded."Switches"`)
      await noteDeed(
        db,
        { ...actor, EnterpriseId: who.EnterpriseId },
        { Resource: 'userPush', RecordId: who.UserId, Verb: 'update' },
        { Title: who.UserNO, OpenStatus: OpenStatus ?? who.OpenStatus, Switches: off },
      )
      return setting(db, actor, UserId)
    },
    async openId(db: Db, actor: Actor, id?: number) {
      const { UserId, OpenId, OpenStatus } = await personOf(db, actor, id)
      return { UserId, OpenId, OpenStatus }
    },
    /** WeChat sends the phone back to the configured address only: a Host header may be anybody's. */
    async grantUrl(actor: Actor) {
      const held = await account(actor.EnterpriseId)
      if (!held) throw new Fault('channelOff')
      if (!url) throw new Fault('noAddress')
      const state = randomBytes(24).toString('base64url')
      const db = database.system
      // Whoever found a screen unlocked does not know the password.
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
    /** Ties the WeChat that came back with this state; false unless the state is ours, in time, and its session still open. */
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
    /** Unties one's own WeChat, or that of somebody whose account one may change. */
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

type Tied = { UserId: number; UserNO: string; EnterpriseId: number }
/** Tells the log and the account's owner: a WeChat signs in without the password. */
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
