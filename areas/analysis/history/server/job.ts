// What a worker needs to write a file of readings: plain data, as it is copied to it.
import type { ParaInfo } from '../../../../contract/telemetry.ts'
import type { CsvStyle, TableBlock, TableFormat } from '../../../../server/files/table/table.ts'
import type { Shift } from '../../../../server/telemetry/meaning/shifts.ts'
import type { Meaning } from '../../../../server/telemetry/meaning/statistics.ts'
import type { HistoryAsk, HistoryFigure, HistoryUnit } from '../contract.ts'
import type { Layout } from './blocks.ts'

export type HistoryJob = {
  path: string
  format: TableFormat
  unit: HistoryUnit
  shape: HistoryAsk['Shape']
  figures: readonly HistoryFigure[]
  coverage: boolean
  layout: Layout
  /** Texts of a column of qualities, by their code. */
  qualities: readonly (string | null)[] | null
  /** Title of the UTC offset column. */
  offsetTitle: string
  csv: CsvStyle
  about: readonly (readonly [string, string])[]
  points: readonly ParaInfo[]
  meanings: readonly Meaning[]
  /** The company's. */
  zone: string
  start: number
  end: number
  /** Shifts in the range, for tables by shift. */
  shifts: readonly Shift[]
  /** When the file was asked for: nothing later is in it. */
  now: number
  /** Start of retention by point Id. */
  since: ReadonlyMap<number, number>
  /** Rows of the file. */
  most: number
}

/** `share`: of the range, 0 to 1; `total`: rows of the file, where they are known. */
export type Batch = { block: TableBlock; share: number; total: number | null }

export type Question = { ask: 'packed' | 'buckets'; id: number; of: unknown[] }
export type Reply = { id: number; answer?: unknown; fault?: { key: string; values: Record<string, string | number> } }
export type Said =
  | Question
  | { rows: number; total: number | null; share: number }
  | { end: number }
  | { fault: { key: string; values: Record<string, string | number> } }
  | { failed: string; code?: string }
