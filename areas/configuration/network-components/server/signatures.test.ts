// Signed messages over HTTP, each stored once.
import { expect, it } from 'vitest'
import { webhookSign } from '../../../../server/channels/webhook.ts'
import type { Door } from './doors.ts'
import type { Taken } from './intake.ts'
import { Refused } from './refused.ts'
import { openSignatures } from './signatures.ts'

it('a message that is stored after its answer is under way until then, and is not taken again', async () => {
  let now = Date.UTC(2026, 0, 1)
  const secret = `whsec_${Buffer.from('a secret of tests').toString('base64')}`
  const door = { Id: 1, EnterpriseId: 7, Status: 1, Signed: 1 } as Door
  const signatures = openSignatures({ doors: { ofSn: () => door }, vault: { get: async () => secret }, now: () => now })
  now += 60_000
  const body = Buffer.from('{}')
  const send = (take: () => Promise<Taken>) => {
    const seconds = now / 1000
    const signature = webhookSign(secret, 'one', seconds, body)
    const headers = { 'webhook-id': 'one', 'webhook-timestamp': String(seconds), 'webhook-signature': signature }
    return signatures.once({ sn: 'F1', body, headers, ip: '192.0.2.1' }, take).catch((error) => error as Refused)
  }
  const { promise: work, resolve } = Promise.withResolvers<Taken>()
  const again = () => Promise.reject(new Error('taken again'))
  expect(await send(() => Promise.reject(new Refused(503, 'late', work)))).toMatchObject({ status: 503 })
  expect(await send(again)).toMatchObject({ status: 503, message: 'this message is under way' })
  resolve({ readings: 1 })
  await work
  expect(await send(again)).toEqual({ readings: 1 })
})
