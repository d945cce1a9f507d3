// What of a bucket a table shows, on the screen and in a file alike.
import type { ParaInfo, Series } from '../../../contract/telemetry.ts'
import type { StatisticsRow } from '../telemetry/contract.ts'

type Point = Pick<ParaInfo, 'CalDataType' | 'DecimalDigits'>
export type ShownFigure = { value: number | null; coverage: number | null; digits: number }

export const isState = ({ CalDataType }: Pick<ParaInfo, 'CalDataType'>) => CalDataType === 3

/** Rates in computed queries: the integral over time, in unit x hours, instead of the mean. */
export const asComputed = (p: ParaInfo): ParaInfo => (p.CalDataType === 4 ? { ...p, CalDataType: 2, ParaUnitName: unitOverTime(p) } : p)
export const unitOverTime = ({ ParaUnitName }: Pick<ParaInfo, 'ParaUnitName'>) => (ParaUnitName ? `${ParaUnitName}·h` : 'h')

/** What was counted or added up; of states the share of the time on in percent; of others the mean over time, or the plain one of roll-ups. */
export const figureOf = (p: Point, s: Series, i: number): ShownFigure => {
  const coverage = s.Coverage?.[i] ?? null
  const mean = s.Mean?.[i] ?? s.Avg[i] ?? null
  // The mean of states other than 0 and 1 has no meaning.
  if (isState(p)) return { value: mean === null || (s.Max[i] ?? 0) > 1 ? null : 100 * mean, coverage, digits: 1 }
  const isSum = p.CalDataType === 1 || p.CalDataType === 2
  return { value: isSum ? (s.Sum?.[i] ?? null) : mean, coverage, digits: p.DecimalDigits }
}

type ShiftRow = Pick<StatisticsRow, 'Start' | 'Count' | 'Min' | 'Max' | 'Avg' | 'First' | 'Last' | 'Mean' | 'Coverage' | 'Sum'>
/** Statistics of shifts as a series: shifts without readings have no row. */
export const seriesOfRows = (ParaId: number, all: readonly ShiftRow[]): Series => {
  const rows = all.filter((row) => row.Count > 0 || row.Sum !== null)
  const of = <T>(take: (row: ShiftRow) => T) => rows.map(take)
  return {
    ...{ ParaId, Raw: false, Time: of((row) => row.Start), Count: of((row) => row.Count) },
    ...{ Min: of((row) => row.Min), Max: of((row) => row.Max), Avg: of((row) => row.Avg) },
    ...{ First: of((row) => row.First), Last: of((row) => row.Last) },
    ...{ Mean: of((row) => row.Mean), Coverage: of((row) => row.Coverage), Sum: of((row) => row.Sum) },
  }
}
/** Identifies a shift by its start date and name. */
export const shiftTitle = ({ Day, Shift }: Pick<StatisticsRow, 'Day' | 'Shift'>) => `${Day} ${Shift}`
