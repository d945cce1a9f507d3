import { createHmac, randomBytes } from 'node:crypto'

type Verify = (sn: string, password: Buffer) => Promise<boolean>
export type Verdict = 'right' | 'wrong' | 'tooMany'

const remembered = 10_000

/**
 * Slows guessing down and reconnect storms up. An address may fail 20 times, and once more every three seconds; beyond that nothing
 * is checked for it but keys that were right within the last 30 s, so one gateway with a wrong key does not lock out its neighbours.
 */
export const limitTries = (verify: Verify, now = () => performance.now()) => {
  const key = randomBytes(32)
  const right = new Map<string, { sn: string; until: number }>()
  const failures = new Map<string, { left: number; at: number }>()
  const mark = (sn: string, password: Buffer) => createHmac('sha256', key).update(`${sn}\n`).update(password).digest('base64')
  const oldest = <V>(map: Map<string, V>) => {
    if (map.size >= remembered) map.delete(map.keys().next().value!)
  }
  const left = (address: string) => {
    const found = failures.get(address)
    return found ? Math.min(20, found.left + (now() - found.at) / 3000) : 20
  }
  const spend = (address: string, rest: number) => {
    failures.delete(address)
    oldest(failures)
    if (rest < 20) failures.set(address, { left: rest, at: now() })
  }
  let resets = 0
  return {
    async check(sn: string, password: Buffer, address: string): Promise<Verdict> {
      const id = mark(sn, password)
      if ((right.get(id)?.until ?? 0) > now()) return 'right'
      const rest = left(address)
      if (rest < 1) return 'tooMany'
      // Taken before the answer is known, so that tries at once count as well.
      spend(address, rest - 1)
      const asked = resets
      if (!(await verify(sn, password)) || (resets !== asked && !(await verify(sn, password)))) return 'wrong'
      spend(address, left(address) + 1)
      oldest(right)
      right.set(id, { sn, until: now() + 30_000 })
      return 'right'
    },
    forget(sn: string) {
      resets++
      for (const [id, found] of right) if (found.sn === sn) right.delete(id)
    },
  }
}
