// Signed messages over HTTP (Standard Webhooks 1.0): a shared secret signs id, timestamp and body.
import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { webhookSign } from '../../../../server/channels/webhook.ts'
import { networkOf } from '../../../../server/http/addresses.ts'
import type { Vault } from '../../../../server/identity/vault.ts'
import { openLoginThrottle } from '../../../../server/mqtt/loginThrottle.ts'
import type { Door, Doors } from './doors.ts'
import type { Taken } from './intake.ts'
import { Refused } from './refused.ts'
import { senderSecret } from './service.ts'

/** Maximum clock difference, ms; maximum remembered message ids of a sender and of all, for replay protection. */
const [windowMs, mostIds, mostIdsOfAll] = [300_000, 100_000, 500_000]
/** A company's share of the ids, so that one company cannot displace the others. */
const mostIdsOfCompany = mostIdsOfAll / 4
/** How far a sender's clock may be ahead, ms. Limits replay of messages signed shortly before a restart. */
const aheadMs = 60_000
/** Stored length of a parser's error, for repeated answers. */
const faultLength = 100
const idPattern = /^[\x21-\x7e]{1,128}$/

type Signed = { sn: string; body: Buffer; headers: IncomingHttpHeaders; ip: string }
type Message = { id: string; seconds: number; signatures: string[] }
const messageOf = ({ headers }: Signed): Message | undefined => {
  const [id, stamp, given] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => String(headers[name] ?? ''))
  if (!idPattern.test(id!) || !/^\d{1,12}$/.test(stamp!) || given!.length > 2000) return undefined
  return { id: id!, seconds: Number(stamp), signatures: given!.split(' ').slice(0, 10) }
}
const isEqual = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/** A sender's message ids by arrival. `taken` is missing while a message is being processed. */
type Known = Map<string, { EnterpriseId: number; until: number; taken?: Taken }>

export const openSignatures = ({ doors, vault, now }: { doors: Pick<Doors, 'ofSn'>; vault: Pick<Vault, 'get'>; now(): number }) => {
  /** Messages signed earlier may have been stored before a restart. */
  const began = now()
  /** Keyed by object: a changed sender gets a new one. */
  const secrets = new WeakMap<Door, Promise<string | undefined>>()
  const throttle = openLoginThrottle(async (_sn, isRight) => isRight[0] === 1)
  const known = new Map<number, Known>()
  const ofCompany = new Map<number, number>()
  let held = 0
  const count = ({ EnterpriseId }: Pick<Door, 'EnterpriseId'>, by: 1 | -1) => {
    held += by
    const rest = (ofCompany.get(EnterpriseId) ?? 0) + by
    if (rest) ofCompany.set(EnterpriseId, rest)
    else ofCompany.delete(EnterpriseId)
  }

  const secretOf = (door: Door) => {
    const secret = secrets.get(door) ?? vault.get(door.EnterpriseId, senderSecret(door.Id))
    secrets.set(door, secret)
    secret.catch(() => secrets.delete(door))
    return secret
  }
  /** The sender of a message with a valid signature. */
  const doorOf = async (signed: Signed, message: Message | undefined): Promise<Door> => {
    const found = doors.ofSn(signed.sn)
    const door = found?.Status === 1 && found.Signed === 1 ? found : undefined
    const secret = door && message ? await secretOf(door) : undefined
    const wanted = secret && message && webhookSign(secret, message.id, message.seconds, signed.body)
    const isRight = wanted !== undefined && wanted !== '' && message!.signatures.some((given) => isEqual(given, wanted))
    const verdict = await throttle.check(signed.sn, Buffer.of(isRight ? 1 : 0), networkOf(signed.ip))
    if (verdict === 'tooMany') throw new Refused(429, 'too many wrong signatures')
    if (verdict === 'wrong' || !isRight || !door) throw new Refused(401, 'unauthorized access')
    return door
  }
  const idsOf = (door: Door): Known => {
    const ids = known.get(door.Id) ?? new Map()
    known.set(door.Id, ids)
    return ids
  }
  const forgetOld = () => {
    for (const [door, ids] of known) {
      for (const [id, of] of ids) {
        if (of.until > now()) break
        ids.delete(id)
        count(of, -1)
      }
      if (!ids.size) known.delete(door)
    }
  }

  return {
    /** Takes a message once. A repeated id gets the first answer and is not stored again. */
    once: async (signed: Signed, take: (door: Door) => Promise<Taken>): Promise<Taken> => {
      const message = messageOf(signed)
      const door = await doorOf(signed, message)
      const { id, seconds } = message!
      const at = seconds * 1000
      if (Math.abs(now() - at) > windowMs) throw new Refused(401, 'the timestamp is more than 5 minutes from the clock of this server')
      if (at - now() > aheadMs) throw new Refused(401, 'the timestamp is ahead of the clock of this server')
      if (at + 1000 <= began) throw new Refused(503, 'the server was started after this was signed')
      const ids = idsOf(door)
      const before = ids.get(id)
      if (before?.taken) return before.taken
      if (before) throw new Refused(503, 'this message is under way')
      const [oldest] = ids.values()
      const isFull = () => held >= mostIdsOfAll || (ofCompany.get(door.EnterpriseId) ?? 0) >= mostIdsOfCompany
      if (isFull() || (oldest && oldest.until <= now())) forgetOld()
      if (ids.size >= mostIds || isFull()) throw new Refused(429, 'too many messages')
      const own: { EnterpriseId: number; until: number; taken?: Taken } = { EnterpriseId: door.EnterpriseId, until: now() + 2 * windowMs }
      known.set(door.Id, ids.set(id, own))
      count(door, 1)
      const keep = (taken: Taken) => {
        own.taken = taken.fault ? { ...taken, fault: Buffer.from(taken.fault.slice(0, faultLength)).toString() } : taken
        return taken
      }
      const forget = () => {
        if (ids.delete(id)) count(door, -1)
      }
      try {
        return keep(await take(door))
      } catch (error) {
        // Storing may still succeed, so its id stays in progress until then.
        const work = error instanceof Refused ? error.work : undefined
        if (work) void work.then((taken) => (taken ? keep(taken as Taken) : forget()), forget)
        else forget()
        throw error
      }
    },
  }
}
export type Signatures = ReturnType<typeof openSignatures>
