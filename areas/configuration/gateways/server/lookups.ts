import { type Rate, rate } from '../../../../server/jobs/throttle.ts'

/** An id that was looked up in vain is not looked up again for so long, ms. */
const knownMs = 10_000
const known = 20_000
/** Look-ups of one gateway: rate per second and burst; ids per look-up. */
const [perSecond, burst, most] = [5, 20, 1000]
/** Timeout of a look-up that readings wait for, ms. After a timeout, look-ups pause for a while. */
const [patienceMs, restMs] = [1000, 5000]

/**
 * Points that a gateway names and nobody here knows may have been made a moment ago. `read` learns them from PostgreSQL. A flood of
 * ids that do not exist costs a gateway's few look-ups a second, and a PostgreSQL that is away costs one wait in five seconds.
 */
export const lookUps = (read: (ids: readonly number[]) => Promise<void>, now = () => performance.now()) => {
  const asked = new Map<number, number>()
  const rates = new Map<string, Rate>()
  let restUntil = 0
  const ask = async (ids: readonly number[]) => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, failed) => {
      timer = setTimeout(() => failed(new Error('late')), patienceMs)
    })
    try {
      await Promise.race([read(ids), late])
    } catch {
      restUntil = now() + restMs
    } finally {
      clearTimeout(timer)
    }
  }
  return (sn: string, ids: readonly number[]): Promise<void> | undefined => {
    const at = now()
    if (at < restUntil) return
    const fresh = [...new Set(ids)].filter((id) => id > 0 && at - (asked.get(id) ?? Number.NEGATIVE_INFINITY) > knownMs).slice(0, most)
    if (!fresh.length) return
    if (rates.size > known) rates.clear()
    const own = rates.get(sn) ?? rate(perSecond, burst, now)
    rates.set(sn, own)
    if (own.left() < 1) return
    own.take()
    if (asked.size > known) asked.clear()
    for (const id of fresh) asked.set(id, at)
    return ask(fresh)
  }
}
