// Precomputes an item before values arrive.
import type { Evaluate } from '../../../contract/expression/compile.ts'
import { timeIn } from '../../../contract/formats.ts'
import type { Binding, Item } from '../../../contract/picture/scene.ts'
import type { ParaInfo } from '../../../contract/telemetry.ts'

export type Newest = { Time: number; Value: number | null; Quality: number }
/** A reference: a point, or a numeric parameter. */
export type Source = { point?: ParaInfo; id?: number; constant?: number }
export type Driven = { binding: Binding; evaluate: Evaluate | undefined }
/** A precomputed item. */
export type Compiled = {
  item: Item
  /** Keys of its references. */
  keys: readonly string[]
  ids: readonly number[]
  driven: readonly Driven[]
  value: Evaluate | undefined
  /** The single point whose value is shown unchanged. */
  single: Source | undefined
  /** For a deviation: the setpoint. */
  target: Evaluate | undefined
  /** Of a trend or table: what each line or row shows. */
  reads: readonly { text: string; evaluate: Evaluate | undefined; source: Source | undefined }[]
  /** Animated: it changes with time alone. */
  isTimed: boolean
}
const timed: readonly Item['kind'][] = ['trend', 'alarms', 'clock']
export const isTimed = (item: Item) => timed.includes(item.kind) || (item.kind === 'indicator' && item.look === 'spark')

export const mapped = ({ ranges, states, from, onto }: Binding, value: number): number | string => {
  const found = states?.find(({ at }) => at === value) ?? ranges?.find(({ below }) => below === null || value < below)
  if (found) return found.is
  if (from && onto && from[0] !== from[1]) {
    const share = Math.min(1, Math.max(0, (value - from[0]) / (from[1] - from[0])))
    return onto[0] + share * (onto[1] - onto[0])
  }
  return value
}

export const clockText = (now: number, zone: string, show: 'time' | 'date' | 'both' = 'time') => {
  const text = timeIn(now, zone)
  return show === 'both' ? text : show === 'date' ? text.slice(0, 10) : text.slice(11)
}
