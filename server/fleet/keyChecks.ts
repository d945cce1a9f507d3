// Compares the keys of gateways that signed in at an earlier owner with those in the database. A key may have been reset while that owner
// failed, so that it disconnected nobody.
import type { Logger } from 'pino'
import type { OpenSession } from './frames.ts'

/** Interval in ms, and maximum sessions per query. */
const [interval, most] = [250, 5000]

export type GatewayKeys = {
  /** Identifies a key without containing it. */
  proofOf(sn: string, key: Buffer): string
  /** Serial numbers whose gateway has another key, or none. */
  outdated(proofs: ReadonlyMap<string, string>): Promise<string[]>
}
type Seen = { process: string; session: OpenSession }
type Needs = GatewayKeys & { cut(process: string, sn: string, session: number): void; log: Pick<Logger, 'warn'> }

export const checkKeys = ({ outdated, cut, log }: Needs) => {
  let waiting: Seen[] = []
  let isChecking = false
  const check = async () => {
    const some = waiting.splice(0, most)
    const proofs = new Map(some.map(({ session }) => [session.sn, session.proof!]))
    try {
      const gone = new Set(await outdated(proofs))
      for (const { process, session } of some) if (gone.has(session.sn)) cut(process, session.sn, session.session)
    } catch (err) {
      log.warn({ err }, 'The keys of connected gateways could not be checked; trying again')
      waiting = [...some, ...waiting]
    }
  }
  const timer = setInterval(() => {
    if (isChecking || !waiting.length) return
    isChecking = true
    void check().finally(() => {
      isChecking = false
    })
  }, interval)
  return {
    opened: (process: string, session: OpenSession) => {
      if (session.proof !== undefined) waiting.push({ process, session })
    },
    close: () => clearInterval(timer),
  }
}
