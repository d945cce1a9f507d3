import { hash, verify } from '@node-rs/argon2'
import { Fault } from '../http/faults.ts'
import { common } from './common-passwords.ts'

/** argon2id, 19 MiB, two passes (OWASP; security.md S12): about 12 ms a hash. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** A flood of sign-ins is an attack on the processor: two hashes at a time, a hundred in line, the rest come back later. */
let running = 0
const line: (() => void)[] = []
const inLine = async <T>(work: () => Promise<T>): Promise<T> => {
  if (running >= 2) {
    if (line.length >= 100) throw new Fault('unavailable')
    await new Promise<void>((resolve) => line.push(resolve))
  }
  running++
  try {
    return await work()
  } finally {
    running--
    line.shift()?.()
  }
}

export const hashPassword = (password: string) => inLine(() => hash(password, cost))

/** Stands in for an account that does not exist, so that the answer takes as long as for one that does (S09). */
const nobody = hash('nobody knows this', cost)
export const verifyPassword = (stored: string | undefined, password: string) =>
  inLine(async () => {
    const against = stored ?? (await nobody)
    return (await verify(against, password)) && stored !== undefined
  })

/** Ruling 17: 8 to 128 characters as they are, more where the tenant says so, no composition rule; common ones, the account and the tenant's name are refused. */
export const checkNewPassword = (password: string, own: readonly string[], min = 8) => {
  if ([...password].length < min || password.length > 128) throw new Fault('passwordTooShort', { min, max: 128 })
  const plain = password.toLowerCase()
  if (common.has(plain) || own.some((name) => name.length > 2 && plain.includes(name.toLowerCase())) || new Set(plain).size < 3)
    throw new Fault('passwordCommon')
}
