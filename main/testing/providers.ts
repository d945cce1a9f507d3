// One server that speaks all providers of messages: it checks their signatures, records requests, and fails on demand.
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { dingSign } from '../../server/channels/dingtalk.ts'
import { aliyunSign, tencentAuthorization } from '../../server/channels/sms.ts'
import { webhookSign } from '../../server/channels/webhook.ts'

type Body = Record<string, unknown>
export type Received = {
  by: 'wechat' | 'dingtalk' | 'aliyun' | 'tencent' | 'webhook'
  path: string
  body: Body
  headers: Record<string, string>
}
/** `cut`: takes the message, then breaks the connection without an answer. */
type Trouble = { status?: number; body?: unknown; cut?: true }

export const account = {
  appId: 'wx0123456789abcdef',
  secret: 'wechat secret',
  webAppId: 'wxfedcba9876543210',
  webSecret: 'open platform secret',
  key: 'LTAItest',
  sms: 'sms secret',
  ding: 'ding token',
  robot: 'SECrobot',
}

export const startProviders = async () => {
  const inbox: Received[] = []
  /** What happens to the next messages, one by one. */
  const troubles: Trouble[] = []
  let tokens = 0
  let current = ''
  const hookSecrets: string[] = []
  /** Codes of sign-ins on the web, good once, and whose. */
  const webCodes = new Map<string, string>()

  const receive = (by: Received['by'], request: IncomingMessage, body: Body, answer: unknown) => {
    const headers = Object.fromEntries(Object.entries(request.headers).map(([k, v]) => [k, String(v)]))
    inbox.push({ by, path: request.url!, body, headers })
    return { body: answer, ...troubles.shift() }
  }
  const wechat = (request: IncomingMessage, url: URL, body: Body) => {
    if (url.pathname.endsWith('/stable_token')) {
      if (body.appid !== account.appId || body.secret !== account.secret) return { body: { errcode: 40125, errmsg: 'invalid appsecret' } }
      current = `token${++tokens}`
      return { body: { access_token: current, expires_in: 7200 } }
    }
    if (url.pathname.endsWith('/oauth2/access_token')) {
      const { appid, secret, code = '' } = Object.fromEntries(url.searchParams)
      if (appid === account.webAppId && secret === account.webSecret && webCodes.has(code)) {
        const unionid = webCodes.get(code)!
        webCodes.delete(code)
        return { body: { access_token: 'x', openid: `web openid of ${unionid}`, unionid } }
      }
      return secret === account.secret && code === 'good code'
        ? { body: { openid: 'openid-of-somebody', unionid: 'union' } }
        : { body: { errcode: 40029, errmsg: 'invalid code' } }
    }
    if (url.searchParams.get('access_token') !== current) return { body: { errcode: 40001, errmsg: 'invalid credential' } }
    if (url.pathname.endsWith('/getticket')) return { body: { errcode: 0, ticket: 'a ticket', expires_in: 7200 } }
    const data = body.data as Record<string, { value: string }>
    const tooLong = Object.entries(data).some(([k, { value }]) => k.startsWith('thing') && [...value].length > 20)
    if (tooLong) return { body: { errcode: 47003, errmsg: 'argument invalid' } }
    if (body.touser === 'gone') return receive('wechat', request, body, { errcode: 43004, errmsg: 'require subscribe' })
    return receive('wechat', request, body, { errcode: 0, msgid: inbox.length })
  }
  const ding = (request: IncomingMessage, url: URL, body: Body) => {
    const at = Number(url.searchParams.get('timestamp'))
    const right = url.searchParams.get('access_token') === account.ding && url.searchParams.get('sign') === dingSign(account.robot, at)
    return right
      ? receive('dingtalk', request, body, { errcode: 0, errmsg: 'ok' })
      : { body: { errcode: 310000, errmsg: 'sign not match' } }
  }
  const aliyun = (request: IncomingMessage, text: string) => {
    const { Signature, ...params } = Object.fromEntries(new URLSearchParams(text))
    if (Signature !== aliyunSign(params, account.sms)) return { status: 400, body: { Code: 'SignatureDoesNotMatch', Message: 'wrong' } }
    return receive('aliyun', request, params, { Code: 'OK', BizId: '1', Message: 'OK' })
  }
  const tencent = (request: IncomingMessage, text: string) => {
    const { host = '', 'content-type': contentType = '', 'x-tc-timestamp': timestamp, 'x-tc-action': action } = request.headers
    const signed = {
      host,
      contentType,
      timestamp: Number(timestamp),
      service: 'sms',
      body: text,
      headers: { 'x-tc-action': String(action) },
    }
    if (request.headers.authorization !== tencentAuthorization(account.key, account.sms, signed))
      return { body: { Response: { Error: { Code: 'AuthFailure.SignatureFailure', Message: 'wrong' } } } }
    return receive('tencent', request, JSON.parse(text), { Response: { SendStatusSet: [{ Code: 'Ok', Message: 'send success' }] } })
  }
  const hook = (request: IncomingMessage, text: string) => {
    const [id, seconds] = [String(request.headers['webhook-id']), Number(request.headers['webhook-timestamp'])]
    const [secret] = hookSecrets
    if (secret && request.headers['webhook-signature'] !== webhookSign(secret, id, seconds, text)) return { status: 401, body: {} }
    return receive('webhook', request, JSON.parse(text), {})
  }

  const server = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    const url = new URL(request.url!, 'http://provider')
    const json = () => (text ? (JSON.parse(text) as Body) : {})
    const {
      status = 200,
      body,
      cut,
    } = (
      url.pathname === '/hook'
        ? hook(request, text)
        : url.pathname.startsWith('/robot/')
          ? ding(request, url, json())
          : url.pathname === '/'
            ? request.headers['x-tc-action']
              ? tencent(request, text)
              : aliyun(request, text)
            : wechat(request, url, json())
    ) as Trouble
    if (cut) return void request.socket.destroy()
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    /** A code with which somebody returns from WeChat's page. */
    webCode(code: string, unionid: string) {
      webCodes.set(code, unionid)
      return code
    },
    url: `http://127.0.0.1:${port}`,
    inbox,
    troubles,
    /** Revokes all access tokens issued so far. */
    expire: () => {
      current = 'none'
    },
    signHooksWith: (secret: string) => hookSecrets.splice(0, 1, secret),
    close: () =>
      new Promise((done) => {
        server.closeAllConnections()
        server.close(done)
      }),
  }
}

export type Mail = { from: string; to: string[]; text: string }

/** A mail server that speaks SMTP with a sign-in; `refuse` answers the next recipients. */
export const startMailServer = async () => {
  const mails: Mail[] = []
  const refuse: number[] = []
  /** Passwords that were offered, right or wrong. */
  const offered: unknown[] = []
  const server = new SMTPServer({
    authMethods: ['PLAIN', 'LOGIN'],
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: (auth, _session, done) => {
      offered.push(auth.password)
      auth.username === 'mailer' && auth.password === 'mail secret' ? done(null, { user: 'mailer' }) : done(new Error('Invalid login'))
    },
    onRcptTo: (_address, _session, done) => {
      const responseCode = refuse.shift()
      done(responseCode ? Object.assign(new Error('not now'), { responseCode }) : null)
    },
    onData: (stream, session, done) => {
      let text = ''
      stream.on('data', (part) => (text += part))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        mails.push({ from: mailFrom ? mailFrom.address : '', to: rcptTo.map((r) => r.address), text })
        done()
      })
    },
  })
  // A sender that is killed resets its connection.
  server.on('error', () => undefined)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()))
  const { port } = server.server.address() as AddressInfo
  return { port, mails, refuse, offered, close: () => new Promise<void>((done) => server.close(() => done())) }
}
