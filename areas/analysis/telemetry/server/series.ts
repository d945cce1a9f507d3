import type { SeriesAnswer, SeriesColumn } from '../../../../contract/telemetry.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import { indexAt } from '../../../../server/telemetry/meaning/counter.ts'
import { statisticsInPieces } from '../../../../server/telemetry/meaning/inPieces.ts'
import { periodsOf } from '../../../../server/telemetry/meaning/periods.ts'
import type { Entry, Meaning } from '../../../../server/telemetry/meaning/statistics.ts'
import { maxEntries, maxUnits } from '../../../../server/telemetry/query.ts'
import { quarter } from '../../../../server/telemetry/store/store.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'

export type Unit = 'minute' | 'hour' | 'day'
type Series = SeriesAnswer['Series'][number]
const computed: readonly SeriesColumn[] = ['Mean', 'Coverage', 'Sum']
const usual: readonly SeriesColumn[] = ['Min', 'Max', 'Avg', 'First', 'Last', 'Count']
export const ofComputed: readonly SeriesColumn[] = ['Sum', 'Mean', 'Coverage']

const lengths = { minute: 60_000, hour: 3_600_000, day: 86_400_000 }
const coarser = { minute: 'hour', hour: 'day', day: 'month' } as const
/** No reading is older. */
const oldest = Date.UTC(2000, 0, 1)

type Sized = { Start: number; End: number; Compare?: number[]; Buckets?: number; Width?: number }
/** The most entries that an answer can have. */
export const entriesOf = (ids: number, { Start, End, Compare = [], Buckets = 1000, Width }: Sized, unit: Unit | undefined) => {
  const width = unit ? lengths[unit] : Width
  return ids * (1 + Compare.length) * (width ? (End - Math.max(Start, oldest)) / width : Buckets)
}

/** Refuses more entries than a browser takes; the message names what to reduce. */
export const assertEntries = (
  ids: number,
  { Start, End, Compare = [] }: { Start: number; End: number; Compare?: number[] },
  of: Unit | number,
) => {
  const units = (End - Math.max(Start, oldest)) / (typeof of === 'number' ? of : lengths[of])
  if (units <= maxUnits && units * ids * (1 + Compare.length) <= maxEntries) return
  const field = units > maxUnits ? 'End' : ids * units > maxEntries ? 'ParaIds' : 'Compare'
  throw new FieldFaults([{ field, rule: typeof of === 'number' ? 'coarser.width' : `coarser.${coarser[of]}` }], 'rangeTooLong')
}

/** Starts and ends of the buckets of an answer, each once, in order. */
const edgesOf = ({ Start, End, Step, Series, TimeZone }: SeriesAnswer, unit: Unit | undefined) => {
  if (unit === 'hour' || unit === 'day') return periodsOf(unit, Start, End, TimeZone).edges
  const edges = new Set<number>()
  for (const { Raw, Time } of Series)
    if (!Raw) for (const at of Time) for (const edge of [at, at + Step]) edges.add(Math.min(End, Math.max(Start, edge)))
  return [...edges].sort((a, b) => a - b)
}

const valuesOf = (columns: readonly SeriesColumn[], part: Entry | undefined, single: boolean, now: number) => {
  const ms = part ? Math.min(part.end, now) - part.start : 0
  const all: Partial<Record<SeriesColumn, number | null>> = {
    Mean: single && part?.heldMs ? part.integral / part.heldMs : null,
    Coverage: single && part && ms > 0 ? part.goodMs / ms : null,
    Sum: part?.total ?? null,
  }
  return columns.map((name) => all[name]!)
}

/** The columns that were asked for: computed ones are added, others that were not asked for are emptied. */
export const withColumns = async (
  { statistics, clock }: Pick<Telemetry, 'statistics' | 'clock'>,
  meanings: readonly Meaning[],
  answer: SeriesAnswer,
  { columns, unit, isBrief = false }: { columns: readonly SeriesColumn[]; unit?: Unit | undefined; isBrief?: boolean },
): Promise<SeriesAnswer> => {
  const left = usual.filter((name) => !columns.includes(name))
  const more = computed.filter((name) => columns.includes(name))
  const emptied = Object.fromEntries(left.map((name) => [name, []])) as Partial<Series>
  const edges = more.length ? edgesOf(answer, unit) : []
  const shown = (series: Series): Series => ({ ...series, ...emptied })
  if (edges.length < 2)
    return { ...answer, Series: answer.Series.map((s) => ({ ...shown(s), ...Object.fromEntries(more.map((name) => [name, []])) })) }
  const now = clock()
  const byId = new Map(answer.Series.map((series) => [series.ParaId, series]))
  const none = valuesOf(more, undefined, false, now)
  const rows = new Map(answer.Series.map(({ ParaId, Time }) => [ParaId, Time.map(() => none)]))
  // Roll-ups know whole quarter-hours.
  const isKnown = isBrief && answer.Step % quarter === 0
  for await (const { id, parts, timed } of statisticsInPieces(statistics, meanings, edges, isKnown)) {
    const [series, of] = [byId.get(id), rows.get(id)]
    if (!series || !of) continue
    const { Time } = series
    for (const part of parts) {
      const i = indexAt(Time, part.start)
      if (i >= 0 && Math.max(Time[i]!, answer.Start) === part.start) of[i] = valuesOf(more, part, timed, now)
    }
  }
  return {
    ...answer,
    Series: answer.Series.map((series) => {
      // A single reading is its own mean, and covers nothing that is known.
      if (series.Raw) return { ...shown(series), ...Object.fromEntries(more.map((name) => [name, name === 'Mean' ? series.Last : []])) }
      const of = rows.get(series.ParaId)!
      return { ...shown(series), ...Object.fromEntries(more.map((name, i) => [name, of.map((row) => row[i]!)])) }
    }),
  }
}
