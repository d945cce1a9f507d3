import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { Fault } from '../http/faults.ts'
import { boundedQueue } from '../jobs/boundedQueue.ts'
import { common } from './common-passwords.ts'

/** argon2id, 19 MiB, two passes (OWASP; security.md S12): about 12 ms a hash. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * A flood of sign-ins is an attack on the processor. Hashing leaves one core to the other callers, and twenty hashes may wait: on one
 * core the last of them waits a quarter of a second.
 */
const queued = boundedQueue({ concurrency: Math.max(1, availableParallelism() - 1), backlog: 20 })

export const hashPassword = (password: string) => queued(() => hash(password, cost))

/** Replaces the hash of an account that does not exist, so that both answers take equally long (S09). */
const nobody = hash('nobody knows this', cost)
export const verifyPassword = (stored: string | undefined, password: string) =>
  queued(async () => {
    const against = stored ?? (await nobody)
    return (await verify(against, password)) && stored !== undefined
  })

/** Codes of 8 random characters (40 bits), of which a thousand are hashed at once: 4 MiB, one pass, about 2 ms. */
const codeCost = { memoryCost: 4096, timeCost: 1, parallelism: 1 }
/** Companies take turns. All codes that are being made take one place among the sign-ins. */
const making = boundedQueue({ concurrency: 1, backlog: 100 })
export const hashCode = (code: string, tenant = 0) => making(() => queued(() => hash(code, codeCost), { admitted: true }), { key: tenant })
const noCode = hashCode('nothing in stock')
/** As long for a code that does not exist. */
export const verifyCode = (stored: string | undefined, code: string) =>
  queued(async () => (await verify(stored ?? (await noCode), code)) && stored !== undefined)

/** Ruling 17: 8 to 128 characters, a higher minimum if the tenant sets one, no composition rules; common ones, the account and the tenant's name are refused. */
export const checkNewPassword = (password: string, own: readonly string[], min = 8) => {
  if ([...password].length < min || password.length > 128) throw new Fault('passwordTooShort', { min, max: 128 })
  const plain = password.toLowerCase()
  if (common.has(plain) || own.some((name) => name.length > 2 && plain.includes(name.toLowerCase())) || new Set(plain).size < 3)
    throw new Fault('passwordCommon')
}
