import { nothingDecoded, type Refusal, readingFault, refuser } from './decode.ts'
import { believedAheadMs, type PointRegistry } from './sample.ts'

/**
 * A reading whose point is known; time null: it arrived now; value null: of a quality from 2 on. History moves neither latest values nor
 * alarms, however new it is.
 */
export type ParsedReading = { point: number; time: number | null; value: number | null; quality?: 0 | 1 | 2 | 3 | 4; isHistory?: true }
/** Parsed message of a foreign sender: readings, rejections, and the number of values without a point. History moves neither latest values nor alarms. */
export type ParsedMessage = { readings: readonly ParsedReading[]; refusals?: readonly Refusal[]; unmatched?: number; isHistory?: true }

/** Points whose newest time is remembered until the store's answer has it. */
const remembered = 100_000

/**
 * Judges readings of foreign senders as `decode` judges ours. They do not mark back-fill: a reading older than the newest of its
 * point is.
 */
export const createParsedReader = (registry: PointRegistry, newestOf: (point: number) => number | undefined = () => undefined) => {
  const taken = new Map<number, number>()
  const isLive = (point: number, time: number, now: number) => {
    const newest = Math.max(taken.get(point) ?? 0, newestOf(point) ?? 0)
    if (time < newest && newest <= now + believedAheadMs) return false
    if (taken.size >= remembered) taken.clear()
    taken.set(point, time)
    return true
  }
  return (sn: string, { readings, refusals = [], unmatched = 0, isHistory }: ParsedMessage, now: number) => {
    const out = nothingDecoded()
    const refuse = refuser(out)
    for (const refusal of refusals) {
      if (refusal.count === undefined) refuse(refusal.reason, refusal.detail, () => refusal.payload)
      else {
        out.refused += refusal.count
        out.refusals.push(refusal)
      }
    }
    if (unmatched) out.unmatched = unmatched
    for (const { point, time: given, value, quality = 0, isHistory: isOld } of readings) {
      const time = given ?? now
      const known = registry.get(point)
      const fault = readingFault(sn, known, time, value ?? 0, now)
      if (fault || !known) {
        const { reason, detail } = fault ?? { reason: 'unknownPoint' as const, detail: String(point) }
        if (reason === 'unknownPoint') out.unknown.push(point)
        refuse(reason, detail, () => JSON.stringify({ ParaId: point, T: time, V: value !== null && Number.isFinite(value) ? value : null }))
        continue
      }
      const sample = { point, time, value, quality, n: 0, live: !isHistory && !isOld && isLive(point, time, now) }
      if (known.IsStore === 1) out.liveOnly.push(sample)
      else out.samples.push(sample)
    }
    return out
  }
}
