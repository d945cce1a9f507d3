// Operating stages of a room by minute, from its sensors. The first match counts: without power, defrost, door
// open, recovery until the room is back in its band, pull-down while the compressor cools a room that is above it, otherwise holding.

export const minute = 60_000
export const Stage = { pullDown: 1, holding: 2, defrost: 3, door: 4, recovery: 5, off: 6 } as const

/** By minute; null: unknown. Leaves out switched sensors that a room does not have. */
export type Signals = {
  temperature: readonly (number | null)[]
  door?: readonly (number | null)[]
  defrost?: readonly (number | null)[]
  compressor?: readonly (number | null)[]
  powerCut?: readonly (number | null)[]
  low: number | null
  high: number | null
}

/** Stage of each minute; null where the temperature is not known and nothing else decides. */
export const stagesOf = ({ temperature, door, defrost, compressor, powerCut, low, high }: Signals): (number | null)[] => {
  const isOn = (of: readonly (number | null)[] | undefined, i: number) => (of?.[i] ?? 0) !== 0
  let recovering = false
  let before: number | null = null
  return temperature.map((value, i) => {
    const isOutside = value !== null && ((high !== null && value > high) || (low !== null && value < low))
    const falls = value !== null && before !== null && value < before
    if (value !== null) before = value
    if (isOn(powerCut, i)) {
      recovering = true
      return Stage.off
    }
    if (isOn(defrost, i)) {
      recovering = true
      return Stage.defrost
    }
    if (isOn(door, i)) {
      recovering = true
      return Stage.door
    }
    if (value === null) return null
    if (!isOutside) {
      recovering = false
      return Stage.holding
    }
    if (recovering) return Stage.recovery
    return high !== null && value > high && isOn(compressor, i) && falls ? Stage.pullDown : Stage.holding
  })
}
