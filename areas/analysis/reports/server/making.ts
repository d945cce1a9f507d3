import type { Language } from '../../../../contract/languages.ts'
import { fullName, type ParaInfo } from '../../../../contract/telemetry.ts'
import type { Db } from '../../../../server/database/db.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Entry, Meaning, StatisticsOf } from '../../../../server/telemetry/meaning/statistics.ts'
import type { Query } from '../../../../server/telemetry/query.ts'
import type { Store } from '../../../../server/telemetry/store/store.ts'
import { isState } from '../../history/figure.ts'
import type { Block } from '../blocks.ts'
import type { ReportAsk } from '../contract.ts'
import type { FiguresOf } from './figures.ts'
import type { Span } from './periods.ts'

/** What parts of a report are made with. */
export type Making = {
  db: Db
  actor: Actor
  language: Language
  zone: string
  points: readonly ParaInfo[]
  meanings: readonly Meaning[]
  span: Span
  asked: Pick<ReportAsk, 'Period'>
  now: number
  /** Columns of points in a table; further points go into another one below. */
  columns: number
  figures: FiguresOf
  statistics: StatisticsOf
  query: Query
  store: Pick<Store, 'buckets'>
}

const kinds: Record<NonNullable<Block['Points']>, readonly number[]> = { all: [0, 1, 2, 3, 4], levels: [0, 4], counts: [1, 2], states: [3] }

/** The points of a block with the meaning of their values. */
export const taken = ({ points, meanings }: Pick<Making, 'points' | 'meanings'>, { Points = 'all' }: Pick<Block, 'Points'>) => {
  const chosen = points.flatMap((p, i) => (kinds[Points].includes(p.CalDataType) ? [{ p, meaning: meanings[i]! }] : []))
  return { points: chosen.map(({ p }) => p), meanings: chosen.map(({ meaning }) => meaning) }
}

export const meanOf = (part: Entry): number | null =>
  part.heldMs ? part.integral / part.heldMs : part.count ? part.sum / part.count : null

/** The figure that tables show: what was counted or added up, the share of the time on in percent, otherwise the mean over time. */
export const shownOf = (p: ParaInfo, part: Entry | undefined): number | null => {
  if (!part) return null
  if (p.CalDataType === 1 || p.CalDataType === 2) return part.total
  const mean = meanOf(part)
  if (isState(p)) return mean === null || (part.max ?? 0) > 1 ? null : 100 * mean
  return mean
}
export const unitOf = (p: ParaInfo, language: Language) => (isState(p) ? word(language, 'explore.shareOn') : p.ParaUnitName)
export const digitsOf = (p: ParaInfo) => (isState(p) ? 1 : p.DecimalDigits)
export const withUnit = (name: string, unit: string) => (unit ? `${name} (${unit})` : name)

/** Column titles: point names, prefixed with the device unless all points belong to one. */
export const shortNames = (points: readonly ParaInfo[]): string[] => {
  const isOne = new Set(points.map((p) => p.DeviceId)).size === 1
  return points.map((p) => (isOne ? p.ParaName : fullName(p)))
}
/** Share of the time, as far as it is over, with good readings. */
export const coverageOf = (making: Pick<Making, 'now'>, part: Entry | undefined, timed: boolean): number | null => {
  const ms = part ? Math.min(part.end, making.now) - part.start : 0
  return part && timed && ms > 0 ? part.goodMs / ms : null
}

/** `2026-11-24 06:00` in a zone. */
export const minuteText = (at: number, zone: string) => new Date(at).toLocaleString('sv-SE', { timeZone: zone }).slice(0, 16)
