import { createHash, createHmac, randomUUID } from 'node:crypto'
import { post } from './outbound.ts'
import { answerOf, failed, type Outcome, ofStatus, retry, sent } from './outcome.ts'

export type SmsAccount = { keyId: string; secret: string; appId: string; region: string; sign: string }
export type Sms = { phone: string; template: string; params: Record<string, string>; outId: string }

/** RFC 3986: of the marks only - _ . ~ stay. */
const percent = (text: string) => encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

/** Aliyun's RPC signature, version 1.0: HMAC-SHA1 over the sorted parameters, the key being the secret with "&". */
export const aliyunSign = (params: Record<string, string>, secret: string, method = 'POST') => {
  const query = Object.keys(params)
    .sort()
    .map((k) => `${percent(k)}=${percent(params[k]!)}`)
    .join('&')
  return createHmac('sha1', `${secret}&`)
    .update(`${method}&${percent('/')}&${percent(query)}`)
    .digest('base64')
}

const seconds = (at: number) => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')

export const sendAliyun = async (base: string, account: SmsAccount, at: number, sms: Sms): Promise<Outcome> => {
  const params: Record<string, string> = {
    Action: 'SendSms',
    Version: '2017-05-25',
    Format: 'JSON',
    RegionId: account.region || 'cn-hangzhou',
    AccessKeyId: account.keyId,
    SignatureMethod: 'HMAC-SHA1',
    SignatureVersion: '1.0',
    SignatureNonce: randomUUID(),
    Timestamp: seconds(at),
    PhoneNumbers: sms.phone,
    SignName: account.sign,
    TemplateCode: sms.template,
    TemplateParam: JSON.stringify(sms.params),
    OutId: sms.outId,
  }
  const body = new URLSearchParams({ ...params, Signature: aliyunSign(params, account.secret) }).toString()
  const reply = await post(`${base}/`, { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body })
  const { Code, Message } = answerOf<{ Code: string; Message: string }>(reply)
  if (Code === 'OK') return sent
  // Wrong parameters come as HTTP 400 with a code of their own.
  if (!Code) return ofStatus(reply) ?? failed('The answer cannot be read.')
  const error = `${Code} ${Message}`
  return reply.status >= 500 || /Throttling|LIMIT_CONTROL|ServiceUnavailable|InternalError|SYSTEM_ERROR/i.test(Code)
    ? retry(error)
    : failed(error)
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

export type TencentRequest = {
  host: string
  service: string
  /** Seconds since 1970. */
  timestamp: number
  body: string
  contentType: string
  /** Signed beside content-type and host, lower case. */
  headers?: Record<string, string>
}

/** Tencent Cloud's API 3.0 signature, TC3-HMAC-SHA256; answers the authorization header. */
export const tencentAuthorization = (keyId: string, secret: string, r: TencentRequest) => {
  const signed: Record<string, string> = { 'content-type': r.contentType, host: r.host, ...r.headers }
  const names = Object.keys(signed).sort()
  const canonical = [
    'POST',
    '/',
    '',
    ...names.map((n) => `${n}:${signed[n]!.trim().toLowerCase()}`),
    '',
    names.join(';'),
    sha256(r.body),
  ].join('\n')
  const date = new Date(r.timestamp * 1000).toISOString().slice(0, 10)
  const scope = `${date}/${r.service}/tc3_request`
  const toSign = ['TC3-HMAC-SHA256', r.timestamp, scope, sha256(canonical)].join('\n')
  const key = hmac(hmac(hmac(`TC3${secret}`, date), r.service), 'tc3_request')
  const signature = hmac(key, toSign).toString('hex')
  return `TC3-HMAC-SHA256 Credential=${keyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`
}

export const sendTencent = async (base: string, account: SmsAccount, at: number, sms: Sms): Promise<Outcome> => {
  const { host } = new URL(base)
  const body = JSON.stringify({
    // A mainland number has no country code at home; Tencent wants E.164.
    PhoneNumberSet: [/^1\d{10}$/.test(sms.phone) ? `+86${sms.phone}` : sms.phone],
    SmsSdkAppId: account.appId,
    SignName: account.sign,
    TemplateId: sms.template,
    // {1}, {2} … in the template: by number, since jsonb keeps no order.
    TemplateParamSet: Object.keys(sms.params)
      .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
      .map((k) => sms.params[k]),
    SessionContext: sms.outId,
  })
  const timestamp = Math.floor(at / 1000)
  const contentType = 'application/json; charset=utf-8'
  const signed = { host, service: 'sms', timestamp, body, contentType, headers: { 'x-tc-action': 'SendSms' } }
  const reply = await post(`${base}/`, {
    headers: {
      'content-type': contentType,
      host,
      authorization: tencentAuthorization(account.keyId, account.secret, signed),
      'x-tc-action': 'SendSms',
      'x-tc-timestamp': String(timestamp),
      'x-tc-version': '2021-01-11',
      'x-tc-region': account.region || 'ap-guangzhou',
    },
    body,
  })
  const refused = ofStatus(reply)
  if (refused) return refused
  type Coded = { Code: string; Message: string }
  const { Response } = answerOf<{ Response: { Error?: Coded; SendStatusSet?: Coded[] } }>(reply)
  const status = Response?.Error ?? Response?.SendStatusSet?.[0]
  if (!status) return failed('The answer cannot be read.')
  if (status.Code === 'Ok') return sent
  const words = `${status.Code} ${status.Message}`
  return /^(RequestLimitExceeded|InternalError|LimitExceeded)/.test(status.Code) ? retry(words) : failed(words)
}
