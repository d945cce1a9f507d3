import { createHash, randomBytes } from 'node:crypto'
import { post, type Reply } from './outbound.ts'
import { answerOf, failed, type Outcome, ofStatus, retry, sent } from './outcome.ts'

/** Signature of a page for WeChat's JavaScript: SHA-1 over the sorted pairs, the address without what follows #. */
export const jsapiSign = (of: { ticket: string; nonce: string; timestamp: number; url: string }) =>
  createHash('sha1')
    .update(`jsapi_ticket=${of.ticket}&noncestr=${of.nonce}&timestamp=${of.timestamp}&url=${of.url.split('#')[0]}`)
    .digest('hex')

type Account = { appId: string; secret: string }
type Coded = { errcode: number; errmsg: string }
export class WechatRefusal extends Error {
  readonly code: number
  constructor({ errcode = 0, errmsg = '' }: Partial<Coded>) {
    super(`${errcode} ${errmsg}`)
    this.code = errcode
  }
}

/** Codes after which another try may do: busy, quota of the minute. */
const passing = new Set([-1, 45_009, 45_011])
/** The access token is wrong or over. */
const stale = new Set([40_001, 40_014, 42_001])

/** A client of the platform; access tokens and tickets are cached until shortly before they expire. */
export const wechatClient = (base: string, clock: () => number) => {
  const tokens = new Map<string, { value: string; until: number }>()
  const keep = async (key: string, ask: () => Promise<{ value?: string | undefined; seconds?: number | undefined; reply: Reply }>) => {
    const known = tokens.get(key)
    if (known && known.until > clock()) return known.value
    const { value, seconds = 7200, reply } = await ask()
    if (!value) throw new WechatRefusal(answerOf<Coded>(reply))
    if (tokens.size > 5000) tokens.clear()
    tokens.set(key, { value, until: clock() + Math.max(0, seconds - 300) * 1000 })
    return value
  }
  const token = ({ appId, secret }: Account) =>
    keep(`token ${appId} ${createHash('sha256').update(secret).digest('hex')}`, async () => {
      const reply = await post(`${base}/cgi-bin/stable_token`, {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ grant_type: 'client_credential', appid: appId, secret }),
      })
      const { access_token: value, expires_in: seconds } = answerOf<{ access_token: string; expires_in: number }>(reply)
      return { value, seconds, reply }
    })
  const forget = (appId: string) => {
    for (const key of tokens.keys()) if (key.split(' ')[1] === appId) tokens.delete(key)
  }

  return {
    async send(account: Account, message: WechatMessage): Promise<Outcome> {
      for (const again of [true, false]) {
        const access = await token(account).catch((error: unknown) => error)
        if (access instanceof WechatRefusal) return passing.has(access.code) ? retry(access.message) : failed(access.message)
        if (typeof access !== 'string') throw access
        const reply = await post(`${base}/cgi-bin/message/template/send?${new URLSearchParams({ access_token: access })}`, {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(message),
        })
        const refused = ofStatus(reply)
        if (refused) return refused
        const { errcode, errmsg } = answerOf<Coded>(reply)
        if (errcode === 0) return sent
        if (again && errcode !== undefined && stale.has(errcode)) {
          forget(account.appId)
          continue
        }
        return errcode !== undefined && passing.has(errcode) ? retry(`${errcode} ${errmsg}`) : failed(`${errcode} ${errmsg}`)
      }
      return failed('The access token is refused.')
    },
    async signPage(account: Account, url: string) {
      const ticket = await keep(`ticket ${account.appId}`, async () => {
        const query = new URLSearchParams({ access_token: await token(account), type: 'jsapi' })
        const reply = await post(`${base}/cgi-bin/ticket/getticket?${query}`, { method: 'GET' })
        const { ticket: value, expires_in: seconds } = answerOf<{ ticket: string; expires_in: number }>(reply)
        return { value, seconds, reply }
      })
      const signed = { nonce: randomBytes(8).toString('hex'), timestamp: Math.floor(clock() / 1000) }
      return {
        AppId: account.appId,
        Timestamp: signed.timestamp,
        NonceStr: signed.nonce,
        Signature: jsapiSign({ ticket, url, ...signed }),
      }
    },
    /** Whose code of the grant page this is. */
    async openId({ appId, secret }: Account, code: string): Promise<{ openid: string; unionid?: string }> {
      const query = new URLSearchParams({ appid: appId, secret, code, grant_type: 'authorization_code' })
      const reply = await post(`${base}/sns/oauth2/access_token?${query}`, { method: 'GET' })
      const { openid, unionid, ...rest } = answerOf<{ openid: string; unionid: string } & Coded>(reply)
      if (!openid) throw new WechatRefusal(rest)
      return { openid, ...(unionid ? { unionid } : {}) }
    },
  }
}

export type WechatMessage = {
  touser: string
  template_id: string
  url?: string
  /** WeChat sends a message of the same id once (within ten minutes). */
  client_msg_id: string
  data: Record<string, { value: string }>
}
