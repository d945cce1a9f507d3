import { createHmac, randomBytes } from 'node:crypto'

type Verify = (sn: string, password: Buffer) => Promise<boolean>
export type Verdict = 'right' | 'wrong' | 'tooMany'

const remembered = 10_000

/**
 * Throttles failed logins per IP address: a burst of 20, then one every 3 s. Keys that worked in the last 30 s always pass, so one bad
 * gateway cannot lock out its neighbours behind the same NAT. An address gets no more concurrent checks than it has failures left; the
 * others queue, because hundreds of gateways behind one router reconnect together. A check that throws counts as no failure.
 */
export const openLoginThrottle = (verify: Verify, now = () => performance.now()) => {
  const key = randomBytes(32)
  const right = new Map<string, { sn: string; until: number }>()
  const failures = new Map<string, { left: number; at: number }>()
  /** Of each address, checks under way, and those who wait for one of them to end. */
  const checks = new Map<string, { running: number; waiting: (() => void)[] }>()
  const mark = (sn: string, password: Buffer) => createHmac('sha256', key).update(`${sn}\n`).update(password).digest('base64')
  const oldest = <V>(map: Map<string, V>) => {
    if (map.size >= remembered) map.delete(map.keys().next().value!)
  }
  const left = (address: string) => {
    const found = failures.get(address)
    return found ? Math.min(20, found.left + (now() - found.at) / 3000) : 20
  }
  const fail = (address: string) => {
    const rest = left(address) - 1
    failures.delete(address)
    oldest(failures)
    failures.set(address, { left: rest, at: now() })
  }
  let resets = 0
  const isRight = async (sn: string, password: Buffer) => {
    const asked = resets
    return (await verify(sn, password)) && (resets === asked || (await verify(sn, password)))
  }
  return {
    async check(sn: string, password: Buffer, address: string): Promise<Verdict> {
      const id = mark(sn, password)
      const own = checks.get(address) ?? { running: 0, waiting: [] }
      checks.set(address, own)
      try {
        for (;;) {
          if ((right.get(id)?.until ?? 0) > now()) return 'right'
          if (left(address) < 1) return 'tooMany'
          if (left(address) - own.running >= 1) break
          await new Promise<void>((done) => own.waiting.push(done))
        }
        own.running++
        try {
          if (!(await isRight(sn, password))) {
            fail(address)
            return 'wrong'
          }
        } finally {
          own.running--
        }
        oldest(right)
        right.set(id, { sn, until: now() + 30_000 })
        return 'right'
      } finally {
        // Run the next waiting check, regardless of this one's result.
        const next = own.waiting.shift()
        if (next) next()
        else if (!own.running && checks.get(address) === own) checks.delete(address)
      }
    },
    forget(sn: string) {
      resets++
      for (const [id, found] of right) if (found.sn === sn) right.delete(id)
    },
  }
}
