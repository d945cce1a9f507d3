// Sums of the days of local months, stored so that a year is not added up from its quarter-hours each time.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { day } from '../../../../server/telemetry/store/store.ts'
import { keyOf, offsets, startOfKey } from '../../../../server/telemetry/zone.ts'
import type { Circuit } from './circuits.ts'
import type { Span } from './days.ts'
import type { Reading } from './reading.ts'
import { daysOfMonth, monthOfKey, monthText, type SumKeys, sumKeysOf } from './sumKeys.ts'
import { addSum, emptySum, type Sum } from './sums.ts'

type Coded = [string, string[], string[], string[], string, number, string, number, number, string, number | null, number]
const texts = (values: readonly bigint[]) => values.map(String)
export const encodeSum = (of: Sum): Coded => [
  ...([String(of.energy), texts(of.made), texts(of.levels), texts(of.costs), String(of.cost), Number(of.isPriced)] as const),
  ...([String(of.unpriced), of.known, of.count, String(of.peak), of.peakAt, of.open] as const),
]
export const decodeSum = ([energy, made, levels, costs, cost, isPriced, unpriced, known, count, peak, peakAt, open]: Coded): Sum => ({
  ...{ energy: BigInt(energy), made: made.map(BigInt), levels: levels.map(BigInt), costs: costs.map(BigInt), cost: BigInt(cost) },
  ...{ isPriced: isPriced === 1, unpriced: BigInt(unpriced), known, count, peak: BigInt(peak), peakAt, open },
})
/** As without prices. */
const withoutPrices = (sum: Sum): Sum => {
  const { levels, costs } = emptySum()
  levels[0] = sum.energy
  return { ...sum, levels, costs, cost: 0n, isPriced: false, unpriced: sum.energy }
}

type Row = { EnergyInfoId: number; Month: number; Key: string; Days: number }
const monthColumn = sql`(extract(year from "Month") * 12 + extract(month from "Month") - 1)::int as "Month"`

/** Groups the whole local days of each part of a range by month. */
type Stretch = { part: number; month: number; from: number; to: number }
/** `isWhole`: all days of the month that are stored. */
type Use = { id: number; row: Row; stretch: Stretch; isWhole: boolean }

const columnsOf = async <T>(db: Db, uses: readonly Use[], column: 'Total' | 'Parts'): Promise<ReadonlyMap<string, Row & { value: T }>> => {
  const rows = uses.length
    ? await db.rows<Row & { Text: string }>(sql`
        select s."EnergyInfoId", ${monthColumn}, s."Key", s."Days", s.${sql.id(column)} as "Text" from energy_sum s
        join (select distinct id, month::date as month
          from unnest(${uses.map(({ id }) => id)}::bigint[], ${uses.map(({ row }) => monthText(row.Month))}::text[]) w(id, month)) w
          on s."EnergyInfoId" = w.id and s."Month" = w.month`)
    : []
  return new Map(rows.map(({ Text, ...row }) => [`${row.EnergyInfoId} ${row.Month}`, { ...row, value: JSON.parse(Text) as T }]))
}
const daysOfUse = ({ stretch: { month, from, to } }: Use, parts: readonly Coded[] = []) => {
  const { from: begin } = daysOfMonth(month)
  return parts.slice(from - begin, to - begin + 1).map(decodeSum)
}

/** Caches sums of months and of day ranges within a month. Entries are immutable per key, so a lookup only queries keys. */
const mostKept = 20_000
type Kept = { key: string; days: number; priced: Sum; unpriced: Sum | undefined }
const keptBy = new WeakMap<object, Map<string, Kept>>()
/** One cache per server. */
const keptOf = ({ deriving: { telemetry } }: Reading) => {
  const kept = keptBy.get(telemetry) ?? new Map<string, Kept>()
  keptBy.set(telemetry, kept)
  return kept
}
const keptSum = (one: Kept, priced: boolean) => {
  if (priced) return one.priced
  one.unpriced ??= withoutPrices(one.priced)
  return one.unpriced
}
const placeOf = ({ id, stretch: { from, to } }: Use) => `${id} ${from} ${to}`
const rowOf = ({ id, row }: Use) => `${id} ${row.Month}`
const isOf = (one: Kept | undefined, { Key, Days }: Row): one is Kept => one?.key === Key && one.days === Days
/** Sums of several days from the cache, or from the database on a miss. */
const keptSums = async (reading: Reading, wanted: readonly Use[]) => {
  const kept = keptOf(reading)
  const missing = wanted.filter((use) => !isOf(kept.get(placeOf(use)), use.row))
  if (kept.size + missing.length > mostKept) kept.clear()
  const { whole = [], some = [] } = Object.groupBy(missing, ({ isWhole }) => (isWhole ? 'whole' : 'some'))
  const keep = (use: Use, row: Row | undefined, sum: () => Sum) =>
    row && kept.set(placeOf(use), { key: row.Key, days: row.Days, priced: sum(), unpriced: undefined })
  const totals = await columnsOf<Coded>(reading.db, whole, 'Total')
  for (const use of whole) keep(use, totals.get(rowOf(use)), () => decodeSum(totals.get(rowOf(use))!.value))
  const parts = await columnsOf<Coded[]>(reading.db, some, 'Parts')
  for (const use of some) keep(use, parts.get(rowOf(use)), () => daysOfUse(use, parts.get(rowOf(use))!.value).reduce(addSum, emptySum()))
  return kept
}

/** A sum of some time of a part. */
export type Piece = { part: number; start: number; sum: Sum }
/** What is stored of circuits, and of which spans nothing is. */
export type Found = { pieces: Map<number, Piece[]>; lacking: { span: Span; circuits: Circuit[] }[] }

const keysByReading = new WeakMap<Reading, Promise<SumKeys>>()
/** An answer sees one state of all that its sums depend on. */
const keysFor = (reading: Reading) => {
  const known = keysByReading.get(reading) ?? sumKeysOf(reading.db, reading.all, reading.all)
  keysByReading.set(reading, known)
  return known
}

const stretchesOf = (startOf: (key: number) => number, keyAt: (time: number) => number, edges: readonly number[], end: number) => {
  const found: Stretch[] = []
  for (let part = 0; part + 1 < edges.length; part++) {
    const [begin, over] = [edges[part]!, Math.min(end, edges[part + 1]!)]
    if (over <= begin) continue
    const first = keyAt(begin)
    let from = startOf(first) === begin ? first : first + 1
    const last = keyAt(over) - 1
    while (from <= last) {
      const month = monthOfKey(from)
      const to = Math.min(last, daysOfMonth(month).to)
      found.push({ part, month, from, to })
      from = to + 1
    }
  }
  return found
}

/** Fewer days than these are added up from their quarter-hours. */
const leastDays = 3

export const storedSums = async (
  reading: Reading,
  circuits: readonly Circuit[],
  span: Span,
  edges: readonly number[],
  priced: boolean,
): Promise<Found> => {
  const none: Found = { pieces: new Map(), lacking: [{ span, circuits: [...circuits] }] }
  const { db, zone } = reading
  if (span.end - span.start < leastDays * day) return none
  const spans = offsets(zone, span.start, span.end)
  const startOf = (key: number) => startOfKey('day', spans, key)
  const stretches = stretchesOf(startOf, (time) => keyOf('day', spans, time), edges, span.end)
  const [first, last] = [stretches[0], stretches.at(-1)]
  if (!first || !last) return none
  const { keyOf: sumKey, untilOf } = await keysFor(reading)
  const candidates = circuits.filter(({ Id }) => untilOf(Id) > 0)
  if (!candidates.length) return none
  const rows = await db.rows<Row>(sql`
    select "EnergyInfoId", ${monthColumn}, "Key", "Days" from energy_sum
    where "EnergyInfoId" = any(${candidates.map(({ Id }) => Id)}::bigint[])
      and "Month" >= ${monthText(first.month)}::date and "Month" <= ${monthText(last.month)}::date`)
  const byPlace = new Map(
    rows.flatMap((row) => (row.Key === sumKey(row.EnergyInfoId, row.Month) ? [[`${row.EnergyInfoId} ${row.Month}`, row] as const] : [])),
  )
  const uses: Use[] = []
  const free = new Map<string, { span: Span; circuits: Circuit[] }>()
  for (const circuit of circuits) {
    let at = span.start
    const lack = (start: number, end: number) => {
      if (end <= start) return
      const one = free.get(`${start} ${end}`) ?? { span: { start, end }, circuits: [] }
      free.set(`${start} ${end}`, one)
      one.circuits.push(circuit)
    }
    for (const stretch of stretches) {
      const row = byPlace.get(`${circuit.Id} ${stretch.month}`)
      const begin = daysOfMonth(stretch.month).from
      const to = Math.min(stretch.to, begin + (row?.Days ?? 0) - 1)
      if (!row || to < stretch.from) continue
      lack(at, startOf(stretch.from))
      at = startOf(to + 1)
      uses.push({ id: circuit.Id, row, stretch: { ...stretch, to }, isWhole: stretch.from === begin && to === begin + row.Days - 1 })
    }
    lack(at, span.end)
  }
  const isSeveral = ({ stretch: { from, to }, isWhole }: Use) => isWhole || to > from
  const kept = await keptSums(reading, uses.filter(isSeveral))
  /** Undefined also if the month was stored again after its key was read. */
  const keptOne = (use: Use) => {
    const one = isSeveral(use) ? kept.get(placeOf(use)) : undefined
    return isOf(one, use.row) ? keptSum(one, priced) : undefined
  }
  const parts = await columnsOf<Coded[]>(
    db,
    uses.filter((use) => !keptOne(use)),
    'Parts',
  )
  const pieces = new Map<number, Piece[]>()
  for (const use of uses) {
    const { part, from } = use.stretch
    const own = pieces.get(use.id) ?? []
    pieces.set(use.id, own)
    const sum = keptOne(use)
    if (sum) own.push({ part, start: startOf(from), sum })
    else
      for (const [i, sum] of daysOfUse(use, parts.get(rowOf(use))?.value).entries())
        own.push({ part, start: startOf(from + i), sum: priced ? sum : withoutPrices(sum) })
  }
  return { pieces, lacking: [...free.values()] }
}
