// Quarter-hours of circuits, whatever they come from: meters, entries of people, or formulas over other circuits.
import type { Db } from '../../../../server/database/db.ts'
import { ownTurn, pausing } from '../../../../server/jobs/ownTurn.ts'
import { emptyQuarters, type QuarterParts } from '../../../../server/telemetry/meaning/quarters.ts'
import { quarter } from '../../../../server/telemetry/store/store.ts'
import { fromEntries, fromFormula } from '../../circuits/contract.ts'
import { compileFormula, readStored } from '../../circuits/server/service.ts'
import type { QuarterHours } from '../../tariffs/quarterHours.ts'
import { type Circuit, segmentsOf } from './circuits.ts'
import { type Deriving, meteredQuarters, type Span } from './days.ts'
import { enteredQuarters, entriesOf } from './entered.ts'

/** `coarse`: 1 where the amount is of a day or a month; it belongs to no price level. `events`: moments of meter events without an answer. */
export type Quarters = QuarterHours & { coarse?: Uint8Array; events: number[] }

const high = 4_294_967_296
/** Whole numbers as 64-bit integers, without an object for each. */
export const toIntegers = (values: Float64Array): BigInt64Array => {
  const answer = new BigInt64Array(values.length)
  const halves = new Int32Array(answer.buffer)
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    const top = Math.floor(value / high)
    halves[2 * i] = value - top * high
    halves[2 * i + 1] = top
  }
  return answer
}
const ofParts = ({ value, ...parts }: QuarterParts & { coarse?: Uint8Array }): Quarters => ({ ...parts, value: toIntegers(value) })

/** The given circuits with all their operands, in topological order. Cycles are left out. */
export const ordered = <T extends Pick<Circuit, 'Id' | 'Source' | 'FormulaIds'>>(
  asked: readonly T[],
  byId: ReadonlyMap<number, T>,
): T[] => {
  const done = new Map<number, T>()
  const open = new Set<number>()
  // A list instead of calls: formulas may stand on each other thousands deep.
  const left = asked.toReversed()
  for (let circuit = left.at(-1); circuit; circuit = left.at(-1)) {
    const { Id, Source, FormulaIds } = circuit
    const needed = Source === fromFormula && !open.has(Id) && !done.has(Id) ? FormulaIds.flatMap((id) => byId.get(id) ?? []) : []
    open.add(Id)
    const more = needed.filter((one) => !done.has(one.Id) && !open.has(one.Id))
    if (more.length) {
      left.push(...more.toReversed())
      continue
    }
    left.pop()
    done.set(Id, circuit)
  }
  return [...done.values()]
}

/** Quarter-hours of a product that are worked out in one go. */
const together = 100
/** Amounts above this are not exact and would overflow 64 bits. */
const most = BigInt(Number.MAX_SAFE_INTEGER)
/** Works out a formula per quarter-hour: unknown where an operand is, where a divisor is 0, or beyond what is counted; as well known as the worst of its operands. */
const formulaQuarters = async (
  circuit: Circuit,
  of: (id: number) => Quarters | undefined,
  range: { start: number; count: number },
): Promise<Quarters> => {
  const answer: Quarters = { ...ofParts(emptyQuarters(range)), coarse: new Uint8Array(range.count) }
  const node = readStored(circuit.Formula ?? '')
  if (!node) return answer
  const { codes, evaluate, sum } = compileFormula(node)
  const operands = codes.map((code) => of(Number(code.slice(1))))
  if (operands.some((operand) => !operand)) return answer
  const all = operands as Quarters[]
  const isPlain = sum?.divisor === 1n
  const values: (bigint | null)[] = codes.map(() => null)
  for (let i = 0; i < range.count; i++) {
    // Fractions grow with each product: a quarter-hour of a long one takes a tenth of a millisecond.
    if (!sum && i % together === together - 1) await ownTurn()
    let [isUnknown, worst, coarse] = [false, 0, 0]
    for (const operand of all) {
      if (operand.unknown[i]) isUnknown = true
      if (operand.quality[i]! > worst) worst = operand.quality[i]!
      if (operand.coarse?.[i]) coarse = 1
    }
    if (isUnknown) continue
    let value: bigint | null = 0n
    if (isPlain) for (let k = 0; k < all.length; k++) value += sum!.weights[k]! * all[k]!.value[i]!
    else {
      for (let k = 0; k < all.length; k++) values[k] = all[k]!.value[i]!
      value = evaluate(values)
    }
    if (value === null || value > most || value < -most) continue
    answer.value[i] = value
    answer.quality[i] = worst
    answer.coarse![i] = coarse
    answer.unknown[i] = 0
  }
  answer.events = all.flatMap(({ events }) => events)
  return answer
}

/** Quarter-hours of some circuits in a range of whole quarter-hours; `all` are those of the tenant, which formulas may name. */
export const quartersOf = async (
  db: Db,
  deriving: Deriving,
  asked: readonly Circuit[],
  all: readonly Circuit[],
  span: Span,
): Promise<Map<number, Quarters>> => {
  const needed = ordered(asked, new Map(all.map((circuit) => [circuit.Id, circuit])))
  const range = { start: span.start, count: Math.round((span.end - span.start) / quarter) }
  const answer = new Map<number, Quarters>()
  const pause = pausing()
  const entered = needed.filter(({ Source }) => Source === fromEntries).map(({ Id }) => Id)
  const [segments, found] = await Promise.all([segmentsOf(db, needed), entriesOf(db, entered, span.start, span.end)])
  for (const [id, parts] of await meteredQuarters(db, deriving, segments, span)) {
    answer.set(id, ofParts(parts))
    await pause()
  }
  const entries = Map.groupBy(found, ({ circuit }) => circuit)
  for (const id of entered) {
    answer.set(id, ofParts(enteredQuarters(entries.get(id) ?? [], range)))
    await ownTurn()
  }
  let worked = 0
  for (const circuit of needed) {
    if (circuit.Source !== fromFormula) continue
    answer.set(circuit.Id, await formulaQuarters(circuit, (id) => answer.get(id), range))
    worked += range.count
    if (worked < 50_000) continue
    worked = 0
    await ownTurn()
  }
  return answer
}
