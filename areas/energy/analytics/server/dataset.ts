// Values of circuits and points side by side, by full hours or days of the company.

import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { indexAt } from '../../../../server/telemetry/meaning/counter.ts'
import { statisticsInPieces } from '../../../../server/telemetry/meaning/inPieces.ts'
import { lengthOf, periodsOf } from '../../../../server/telemetry/meaning/periods.ts'
import type { Entry, Meaning } from '../../../../server/telemetry/meaning/statistics.ts'
import { quarter } from '../../../../server/telemetry/store/store.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { engineOf, meaningsOf } from '../../../analysis/telemetry/server/service.ts'
import { circuitAmounts, type Deriving, openReading } from '../../consumption/server/service.ts'
import { mostFeatures, mostRows, type Step } from '../contract.ts'

export type Reader = {
  db: Db
  actor: Actor
  telemetry: Pick<Telemetry, 'statistics' | 'withFormulas' | 'aside'>
  clock: () => number
}
export type Of = { circuits: readonly number[]; points: readonly number[] }
export type Range = { Start: number; End: number; Step?: Step | undefined }
/** `key`: `e12` or `p34`. NaN: unknown. `isState`: a point of type Bool; 1 if it was on for most of the time. */
export type Column = { key: string; values: Float64Array; onMs?: Float64Array; isState: boolean }
/** `edges`: where the periods begin, and the end of the last one. */
export type Dataset = { edges: number[]; columns: Column[] }

/** Share of a period of which values must be known. */
const leastKnown = 0.9
const earliest = Date.UTC(2000, 0, 1)
const state = 3

/** Full periods that are over. @throws FieldFaults where there are more than can be worked with */
const edgesOf = ({ Start, End, Step = 'hour' }: Range, zone: string, now: number) => {
  const [start, end] = [Math.max(Start, earliest), Math.min(End, now)]
  if (End <= Start) throw new FieldFaults([{ field: 'End', rule: 'afterStart' }])
  if ((end - start) / lengthOf[Step] > mostRows)
    throw new FieldFaults([{ field: 'End', rule: 'analytics.manyRows', values: { max: mostRows } }])
  if (end <= start) return []
  // The periods of a wider range, without the first and the last one, which it cuts.
  return periodsOf(Step, start - quarter, end + quarter, zone)
    .edges.slice(1, -1)
    .filter((edge) => edge >= start && edge <= end)
}

const partValue = (part: Entry, { type, timed }: { type: number; timed: boolean }): number => {
  if (timed && part.goodMs < leastKnown * (part.end - part.start)) return Number.NaN
  if (type === state) return part.onMs + part.offMs ? Number(part.onMs >= part.offMs) : Number.NaN
  if (type) return part.total ?? Number.NaN
  if (timed) return part.heldMs ? part.integral / part.heldMs : Number.NaN
  return part.count ? part.sum / part.count : Number.NaN
}
const emptyColumn = (id: number, type: number, count: number): Column => ({
  ...{ key: `p${id}`, values: new Float64Array(count).fill(Number.NaN), isState: type === state },
  ...(type === state ? { onMs: new Float64Array(count) } : {}),
})
/** The columns of points between edges. */
const columnsOf = async (statistics: Telemetry['statistics'], meanings: readonly Meaning[], edges: readonly number[]) => {
  const columns = new Map(meanings.map(({ id, type }) => [id, emptyColumn(id, type, edges.length - 1)]))
  const types = new Map(meanings.map(({ id, type }) => [id, type]))
  for await (const { id, parts, timed } of statisticsInPieces(statistics, meanings, edges)) {
    const [{ values, onMs }, type] = [columns.get(id)!, types.get(id)!]
    for (const part of parts) {
      const i = indexAt(edges, part.start)
      values[i] = partValue(part, { type, timed })
      if (onMs) onMs[i] = part.onMs
    }
  }
  return columns
}

/** Reads the columns in the order that they are asked for, circuits first. @throws 404 where the reader does not see one of them */
export const datasetOf = async ({ db, actor, telemetry, clock }: Reader, { circuits, points }: Of, range: Range): Promise<Dataset> => {
  if (circuits.length + points.length > mostFeatures + 1)
    throw new FieldFaults([
      { field: points.length > 1 ? 'ParaIds' : 'EnergyInfoIds', rule: 'analytics.manyFeatures', values: { max: mostFeatures } },
    ])
  const deriving: Deriving = { telemetry, now: clock() }
  const meaning = points.length ? await meaningsOf(db, actor, points) : undefined
  const reading = circuits.length ? await openReading(db, actor, deriving, { EnergyInfoIds: circuits }) : undefined
  const edges = edgesOf(range, (reading ?? meaning)!.zone, clock())
  if (edges.length < 2) return { edges: [], columns: [] }
  const amounts = reading ? await circuitAmounts(reading, circuits, edges, leastKnown) : new Map<number, Float64Array>()
  const byPoint = meaning
    ? await columnsOf(engineOf(telemetry, meaning.formulas).statistics, meaning.meanings, edges)
    : new Map<number, Column>()
  return {
    edges,
    columns: [
      ...circuits.map((id) => ({ key: `e${id}`, values: amounts.get(id)!, isState: false })),
      ...points.map((id) => byPoint.get(id)!),
    ],
  }
}

/** Rows of which every value is known. */
export const completeRows = (columns: readonly Pick<Column, 'values'>[]) => {
  const count = columns[0]?.values.length ?? 0
  const rows: number[] = []
  for (let row = 0; row < count; row++) if (columns.every(({ values }) => !Number.isNaN(values[row]!))) rows.push(row)
  return { rows, leftOut: count - rows.length }
}
export const picked = (values: Float64Array, rows: readonly number[]) => Float64Array.from(rows, (row) => values[row]!)
