import { createHmac } from 'node:crypto'
import { post } from './outbound.ts'
import { answerOf, failed, type Outcome, ofStatus, retry, sent } from './outcome.ts'

/** DingTalk's custom robots: base64(HMAC-SHA256(secret, timestamp + "\n" + secret)); the timestamp is good for an hour. */
export const dingSign = (secret: string, timestamp: number) =>
  createHmac('sha256', secret).update(`${timestamp}\n${secret}`).digest('base64')

/** More than 20 messages in a minute and the robot is blocked for ten. */
export const dingRate = { most: 20, windowMs: 60_000 }

export type DingMessage = { title: string; text: string; atMobiles: string[] }

export const sendDing = async (
  base: string,
  { token, secret, at }: { token: string; secret?: string | undefined; at: number },
  { title, text, atMobiles }: DingMessage,
): Promise<Outcome> => {
  const query = new URLSearchParams({
    access_token: token,
    ...(secret ? { timestamp: String(at), sign: dingSign(secret, at) } : {}),
  })
  const markdown = { title, text: [text, ...atMobiles.map((m) => `@${m}`)].join('\n\n') }
  const reply = await post(`${base}/robot/send?${query}`, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ msgtype: 'markdown', markdown, at: { atMobiles, isAtAll: false } }),
  })
  const refused = ofStatus(reply)
  if (refused) return refused
  const { errcode, errmsg } = answerOf<{ errcode: number; errmsg: string }>(reply)
  if (errcode === 0) return sent
  // 130101: sending too fast. -1: the service is busy.
  return errcode === 130_101 || errcode === -1 ? retry(`${errcode} ${errmsg}`) : failed(`${errcode} ${errmsg}`)
}
