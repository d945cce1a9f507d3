// A second, slow implementation of the alarm rules, as an oracle for tests of the engine: it steps through time in ms and checks
// at each step how long the condition has been true or false.
import type { Stored } from '../../../../../server/telemetry/sample.ts'
import type { Watch } from './condition.ts'

export type OracleEvent = { kind: 'raised' | 'recovered'; limit: 'low' | 'high'; time: number }

const clearAt = (watch: Watch, side: 'low' | 'high') => {
  const limit = watch[side]!
  let band = watch.binary ? 0 : 0.01 * (watch.range || Math.abs(limit))
  if (!watch.binary && watch.low !== null && watch.high !== null) band = Math.min(band, Math.max(0, (watch.high - watch.low) / 2))
  return side === 'high' ? limit - band : limit + band
}

type Turned = { kind: string; n: number; value: number }
/** The extreme of each cleared alarm, from the values in effect when it was raised and cleared and all readings in between. */
export const extremes = (side: 'low' | 'high', samples: readonly Stored[], point: number, events: readonly Turned[]) => {
  let newest = -1
  const taken = samples.filter((s) => {
    if (s.point !== point || s.value === null || s.quality >= 2 || s.time < newest) return false
    newest = s.time
    return true
  })
  return events.flatMap((end, i) => {
    if (end.kind !== 'recovered') return []
    const start = events[i - 1]!
    const between = taken.filter(({ n }) => n >= start.n && n < end.n).map(({ value }) => value!)
    return [(side === 'high' ? Math.max : Math.min)(start.value, end.value, ...between)]
  })
}

/** Events of one side of one point until `end` (ms, excluded). */
export const oracle = (watch: Watch, side: 'low' | 'high', samples: readonly Stored[], end: number): OracleEvent[] => {
  if (watch[side] === null) return []
  const sign = side === 'high' ? 1 : -1
  const events: OracleEvent[] = []
  let newest = -1
  const taken = samples.filter((s) => {
    if (s.point !== watch.point || s.value === null || s.quality >= 2 || s.time < newest) return false
    newest = s.time
    return true
  })
  let standing = false
  let since: number | undefined // when the opposite of `standing` started
  const due = (time: number) => {
    if (since === undefined || time - since < ((standing ? watch.clearMs : watch.raiseMs) ?? 0)) return
    standing = !standing
    events.push({ kind: standing ? 'raised' : 'recovered', limit: side, time })
    since = undefined
  }
  for (let time = 0; time < end; time++) {
    due(time)
    for (const s of taken.filter((t) => t.time === time)) {
      const over = sign * (s.value! - watch[side]!) > 0
      const clear = sign * (s.value! - clearAt(watch, side)) <= 0
      if (!standing) since = over ? (since ?? time) : undefined
      else if (since === undefined) since = clear ? time : undefined
      else if (over) since = undefined
      due(time)
    }
  }
  return events
}
