import { createHash, createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * A token is `id.secret`: the id names the session, the secret is 256 random bits with a keyed check,
 * so that a forged one is distinguished from an expired one without a query (ruling 15).
 */
export const makeToken = (key: KeyObject) => {
  const id = randomBytes(12).toString('base64url')
  const secret = randomBytes(32).toString('base64url')
  return { id, token: `${id}.${secret}${check(key, id, secret)}`, secretHash: secretHash(secret) }
}

const check = (key: KeyObject, id: string, secret: string) =>
  createHmac('sha256', key).update(`${id}.${secret}`).digest('base64url').slice(0, 16)
const secretHash = (secret: string) => createHash('sha256').update(secret).digest()

/** Nothing for what we did not make. */
export const readToken = (key: KeyObject, token: string): { id: string; secretHash: Buffer } | undefined => {
  const [, id, secret, mark] = /^([\w-]{16})\.([\w-]{43})([\w-]{16})$/.exec(token) ?? []
  if (!id || !secret || !mark) return
  return timingSafeEqual(Buffer.from(mark), Buffer.from(check(key, id, secret))) ? { id, secretHash: secretHash(secret) } : undefined
}
