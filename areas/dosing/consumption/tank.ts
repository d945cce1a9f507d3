// Reads consumption from falls of a tank's level, and deliveries from rises. Pure; thousandths of a unit.

/** Levels at moments, ascending. */
export type Levels = { time: readonly number[]; qty: readonly number[] }
/** From the level before it to the level after it. */
export type Rise = { start: number; end: number; qty: number }

/** A rise of less is noise, or the wind: this share of the tank. */
const leastShare = 0.05
export const leastRise = (tank: number) => tank * leastShare

/** Rises in one go: a filling takes several readings. */
export const risesIn = ({ time, qty }: Levels, least: number): Rise[] => {
  const rises: Rise[] = []
  for (let i = 1; i < qty.length; i++) {
    if (qty[i]! <= qty[i - 1]!) continue
    const first = i - 1
    let top = i
    for (; i < qty.length && qty[i]! >= qty[i - 1]!; i++) if (qty[i]! > qty[top]!) top = i
    const more = qty[top]! - qty[first]!
    if (more >= least) rises.push({ start: time[first]!, end: time[top]!, qty: more })
  }
  return rises
}

/** Hours without a level for which the fall over them is not known by the hour. */
const longGap = 2 * 3_600_000
export type Fallen = { qty: number | null; missing: number }
/** What was taken in each part: falls count in the part in which they end, small rises against them, deliveries not at all. */
export const fallenIn = (levels: Levels, rises: readonly Rise[], edges: readonly number[]): Fallen[] => {
  const parts = edges.slice(1).map((): Fallen => ({ qty: null, missing: 0 }))
  let [part, rise] = [0, 0]
  for (let i = 1; i < levels.time.length; i++) {
    const [before, at] = [levels.time[i - 1]!, levels.time[i]!]
    while (rise < rises.length && rises[rise]!.end < at) rise++
    if (at <= edges[0]!) continue
    while (part < parts.length && at > edges[part + 1]!) part++
    if (part === parts.length) break
    const to = parts[part]!
    to.qty ??= 0
    const isRise = rise < rises.length && rises[rise]!.start < at && at <= rises[rise]!.end
    if (isRise) continue
    const fall = levels.qty[i - 1]! - levels.qty[i]!
    to.qty += fall
    if (at - before > longGap) to.missing += Math.max(0, fall)
  }
  for (const one of parts) if (one.qty !== null) one.qty = Math.max(0, one.qty)
  return parts
}
