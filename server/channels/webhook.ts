import { createHmac } from 'node:crypto'
import { post, type Within } from './outbound.ts'
import { type Outcome, ofStatus, sent } from './outcome.ts'

/**
 * Signature of a webhook, after Standard Webhooks 1.0: base64(HMAC-SHA256(secret, id + "." + seconds + "." + body)). The id stays the
 * same at every try, so that a receiver can detect duplicates.
 */
export const webhookSign = (secret: string, id: string, seconds: number, body: string | Uint8Array) => {
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret)
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.`).update(body).digest('base64')}`
}

type Receiver = { url: string; secret?: string | undefined; within: Within; at: number }
/** Headers of a body, signed where there is a secret. */
export const signedHeaders = (
  secret: string | undefined,
  { id, at, body, type }: { id: string; at: number; body: string; type: string },
) => {
  const seconds = Math.floor(at / 1000)
  return {
    ...{ 'content-type': type, 'webhook-id': id, 'webhook-timestamp': String(seconds) },
    ...(secret ? { 'webhook-signature': webhookSign(secret, id, seconds, body) } : {}),
  }
}
/** Posts a body once. */
const postSigned = async ({ url, secret, within, at }: Receiver, id: string, body: string, type: string): Promise<Outcome> => {
  const reply = await post(url, { within, body, headers: signedHeaders(secret, { id, at, body, type }) })
  // Does not repeat the server's answer, which would expose what is behind the address.
  const refused = ofStatus({ ...reply, text: '' })
  return refused ?? sent
}

export const sendWebhook = (to: Receiver, id: string, message: object): Promise<Outcome> =>
  postSigned(to, id, JSON.stringify(message), 'application/json')
