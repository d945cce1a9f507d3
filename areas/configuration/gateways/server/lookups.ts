import { type Rate, rate } from '../../../../server/jobs/throttle.ts'

/** Time for which an id that was not found is not looked up again, ms. */
const knownMs = 10_000
const known = 20_000
/** Look-ups of one gateway: rate per second and burst; ids per look-up. */
const [perSecond, burst, most] = [5, 20, 1000]
/** Timeout of a look-up that delays readings, and pause of look-ups after a timeout, ms. */
const [patienceMs, restMs] = [1000, 5000]

/**
 * Points that a gateway names and the server does not know may be new. `read` loads them from PostgreSQL. A flood of nonexistent
 * ids uses up only the gateway's own look-ups per second. If PostgreSQL is unavailable, readings wait once in five seconds.
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
