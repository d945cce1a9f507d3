// What an invoice says against what the prices and the meters say, and by which part they differ. Amounts are billionths of the currency,
// quantities thousandths. The parts add up to the difference of the totals.

export type Side = { kind: number; level: number; name: string; quantity: bigint | null; cost: bigint }
export type ComparedLine = {
  kind: number
  level: number
  name: string
  billed: { quantity: bigint | null; cost: bigint } | null
  expected: { quantity: bigint | null; cost: bigint } | null
  difference: bigint
}
/** Energy: more or less of it; level: the same at other times; price: the same at another price. */
export const parts = ['energy', 'level', 'price', 'demand', 'powerFactor', 'charge', 'tax'] as const
export type Part = (typeof parts)[number]
export type Comparison = { lines: ComparedLine[]; parts: Record<Part, bigint>; billed: bigint; expected: bigint }

const energy = 1
const partOfKind: Readonly<Record<number, Part>> = { 2: 'demand', 3: 'powerFactor', 4: 'charge', 5: 'tax' }

type Sum = { quantity: bigint | null; cost: bigint }
const add = (sum: Sum | undefined, { quantity, cost }: Sum): Sum => ({
  quantity: sum && sum.quantity !== null ? sum.quantity + (quantity ?? 0n) : quantity,
  cost: (sum?.cost ?? 0n) + cost,
})
const total = (sides: readonly Sum[]) => sides.reduce((sum, { cost }) => sum + cost, 0n)
const amount = (sides: readonly Sum[]) => sides.reduce((sum, { quantity }) => sum + (quantity ?? 0n), 0n)

/** Lines are the same by kind and level; charges and taxes by name as well. Invoices write names in their own way. */
const keyOf = ({ kind, level, name }: Side) =>
  kind === energy ? `1 ${level}` : kind > 3 ? `${kind} ${name.trim().toLowerCase()}` : String(kind)

/** What the energy of an invoice differs by: its amount, its times of day, its prices. */
const energyParts = (billed: ReadonlyMap<number, Sum>, expected: ReadonlyMap<number, Sum>) => {
  const [charged, due] = [total([...billed.values()]), total([...expected.values()])]
  const [used, counted] = [amount([...billed.values()]), amount([...expected.values()])]
  if (!counted || !used) return { energy: charged - due, level: 0n, price: 0n }
  const byAmount = ((used - counted) * due) / counted
  // Without price levels, an invoice cannot be compared by time.
  const isByLevel = [...billed.keys()].some(Boolean)
  let atPrices = due + byAmount
  if (isByLevel) {
    atPrices = 0n
    for (const [level, { quantity, cost }] of billed) {
      const of = expected.get(level)
      atPrices += of?.quantity ? ((quantity ?? 0n) * of.cost) / of.quantity : cost
    }
  }
  return { energy: byAmount, level: atPrices - due - byAmount, price: charged - atPrices }
}

export const compare = (billed: readonly Side[], expected: readonly Side[]): Comparison => {
  // An invoice without price levels has one energy line; compare it with the sum of all levels.
  const isByLevel = billed.some(({ kind, level }) => kind === energy && level > 0)
  const alike = isByLevel ? expected : expected.map((side) => (side.kind === energy ? { ...side, level: 0 } : side))
  const rows = new Map<string, ComparedLine>()
  for (const [which, sides] of [
    ['billed', billed],
    ['expected', alike],
  ] as const)
    for (const side of sides) {
      const { kind, level, name } = side
      const key = keyOf(side)
      const row = rows.get(key) ?? { kind, level, name, billed: null, expected: null, difference: 0n }
      row[which] = add(row[which] ?? undefined, side)
      rows.set(key, row)
    }
  const lines = [...rows.values()]
    .map((row) => ({ ...row, difference: (row.billed?.cost ?? 0n) - (row.expected?.cost ?? 0n) }))
    .sort((a, b) => a.kind - b.kind || (a.level || 9) - (b.level || 9))
  const found: Record<Part, bigint> = { energy: 0n, level: 0n, price: 0n, demand: 0n, powerFactor: 0n, charge: 0n, tax: 0n }
  const sums = (which: 'billed' | 'expected') =>
    new Map(lines.flatMap((line) => (line.kind === energy && line[which] ? [[line.level, line[which]] as const] : [])))
  Object.assign(found, energyParts(sums('billed'), sums('expected')))
  for (const { kind, difference } of lines) if (partOfKind[kind]) found[partOfKind[kind]] += difference
  return { lines, parts: found, billed: total(billed), expected: total(expected) }
}
