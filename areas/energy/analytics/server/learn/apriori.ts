// Apriori (Agrawal and Srikant, 1994): what is true in the same hours. Items are sets of bits, an hour each.

export type Item = { key: string; of: string; hours: Uint32Array }
export type Rule = { premises: string[]; conclusion: string[]; support: number; confidence: number; lift: number }
export type Limits = { support: number; confidence: number }

/** Items of a rule, candidates of a size, and rules of an answer. */
const [longest, mostSets, mostRules] = [4, 20_000, 100]

const bits = (word: number) => {
  let value = word - ((word >>> 1) & 0x55555555)
  value = (value & 0x33333333) + ((value >>> 2) & 0x33333333)
  return Math.imul((value + (value >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
export const bitsOf = (values: ArrayLike<boolean>): Uint32Array => {
  const found = new Uint32Array(Math.ceil(values.length / 32))
  for (let i = 0; i < values.length; i++) if (values[i]) found[i >> 5]! |= 1 << (i & 31)
  return found
}
const countOf = (hours: Uint32Array) => hours.reduce((sum, word) => sum + bits(word), 0)
const both = (a: Uint32Array, b: Uint32Array) => a.map((word, i) => word & b[i]!)

type Found = { items: number[]; hours: Uint32Array; count: number }

/** Frequent sets by size; items of one feature exclude each other. @throws RangeError where there are more sets than can be looked at */
const frequentSets = (items: readonly Item[], least: number): Found[] => {
  let size = items
    .map(({ hours }, i): Found => ({ items: [i], hours, count: countOf(hours) }))
    .filter(({ count }) => count >= least && count > 0)
  const singles = size
  const all = [...size]
  for (let length = 2; length <= longest && size.length; length++) {
    const next: Found[] = []
    for (const set of size)
      for (const single of singles) {
        const [item] = single.items as [number]
        if (item <= set.items.at(-1)! || set.items.some((one) => items[one]!.of === items[item]!.of)) continue
        const hours = both(set.hours, single.hours)
        const count = countOf(hours)
        if (count < least || !count) continue
        next.push({ items: [...set.items, item], hours, count })
        if (next.length > mostSets) throw new RangeError('too many sets')
      }
    all.push(...next)
    size = next
  }
  return all
}

/** Rules with one consequence that holds more often than by chance, the strongest first. */
export const rulesOf = (items: readonly Item[], hours: number, { support, confidence }: Limits): Rule[] => {
  const sets = frequentSets(items, support * hours)
  const counts = new Map(sets.map((set) => [set.items.join(), set.count]))
  return sets
    .filter((set) => set.items.length > 1)
    .flatMap((set) =>
      set.items.map((then) => {
        const rest = set.items.filter((item) => item !== then)
        const sure = set.count / counts.get(rest.join())!
        return {
          ...{ premises: rest.map((item) => items[item]!.key), conclusion: [items[then]!.key] },
          ...{ support: set.count / hours, confidence: sure, lift: (sure * hours) / counts.get(String(then))! },
        }
      }),
    )
    .filter((rule) => rule.confidence >= confidence && rule.lift > 1)
    .sort((a, b) => b.lift - a.lift || b.support - a.support || a.premises.length - b.premises.length)
    .slice(0, mostRules)
}
