/** Changes from which alarms that come and go are joined, and changes of one alarm that stay as they are. */
const [manyChanges, ofOne] = [100, 20]

/**
 * Of changes in their order: an alarm that has ended and come again many times goes on instead. A value that jumps across its limit with each
 * reading would fill the table of alarms, and those of other companies would wait until it is written. Few changes stay as they are.
 */
export const withoutChatter = <T extends { kind: string }>(
  changes: readonly T[],
  keyOf: (change: T) => string | number,
  goesOn: (ended: T, again: T) => boolean,
  most = ofOne,
): readonly T[] => {
  if (changes.length < manyChanges) return changes
  const seen = new Map<string | number, { count: number; ended: number }>()
  const kept: (T | undefined)[] = []
  for (const change of changes) {
    const key = keyOf(change)
    const of = seen.get(key) ?? { count: 0, ended: -1 }
    seen.set(key, of)
    const { ended } = of
    of.ended = change.kind === 'recovered' ? kept.length : -1
    if (change.kind === 'raised' && ended >= 0 && of.count > most && goesOn(kept[ended]!, change)) {
      kept[ended] = undefined
      continue
    }
    of.count++
    kept.push(change)
  }
  return kept.filter((change) => change !== undefined)
}
