import { useMemo } from 'react'
import type { Range } from '../../../../console/chart/ranges.ts'
import { useTrendView } from '../../../../console/chart/trendView.ts'
import { useAddress as useAddressOfScreen } from '../../../../console/shell/useAddress.ts'
import { timeText, wallToEpoch } from '../../../../console/words/formats.ts'
import { useChosenPoints } from '../../telemetry/console/index.ts'
import type { Narrowed } from '../../telemetry/console/PointChoice.tsx'

/** Screen state kept in the URL, so that a shared link opens the same view. */
export const useAddress = () => {
  const [params, set] = useAddressOfScreen()
  return { params, set }
}

/** One of several words of the address, the first unless another is named. */
export const useChoice = <const T extends readonly string[]>(name: string, choices: T) => {
  const { params, set } = useAddress()
  const chosen: T[number] = choices.find((choice) => choice === params.get(name)) ?? choices[0]!
  return [chosen, (next: T[number]) => set({ [name]: next === choices[0] ? undefined : next })] as const
}

/** A range that follows now moves on by the minute, so that its answer is not asked for every second. */
export const useSteadyRange = ({ start, end }: Range, live: boolean): Range => {
  const step = live ? 60_000 : 1
  const until = Math.ceil(end / step) * step
  const from = until - Math.round((end - start) / step) * step
  return useMemo(() => ({ start: from, end: until }), [from, until])
}

type Began = {
  standard?: string
  narrowed?: Narrowed
  /** The standard parameters whose points are shown until somebody chooses others. */
  codes?: string
}

/** What every screen of the analysis begins with: points and a range, both of the address. */
export const useExplore = (most: number, { standard = '24h', narrowed = {}, codes }: Began = {}) => {
  const chosen = useChosenPoints(most, codes)
  const view = useTrendView(standard)
  const range = useSteadyRange(view.range, view.live)
  const { points } = chosen
  return { most, narrowed, chosen, view, range, points, ids: points.map((p) => p.ParaId) }
}
export type Explore = ReturnType<typeof useExplore>

/** The periods that one is compared with: as long before, the day or week before, the month or year before by the calendar, a year by weekdays. */
export const earlierPeriods = ['previous', 'day', 'week', 'month', 'year', 'weeks52'] as const
export type EarlierPeriod = (typeof earlierPeriods)[number]

/** So many months earlier on the reader's calendar; the last day of a shorter month. */
const monthsBefore = (at: number, months: number) => {
  const [date, time] = timeText(at).split(' ') as [string, string]
  const [year, month, day] = date.split('-').map(Number) as [number, number, number]
  const first = new Date(Date.UTC(year, month - 1 - months, 1))
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  const then = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth(), Math.min(day, last))).toISOString().slice(0, 10)
  return wallToEpoch(`${then} ${time}`)
}
/** The same wall clock so many days earlier. */
const daysBefore = (at: number, days: number) => {
  const [date, time] = timeText(at).split(' ') as [string, string]
  const then = new Date(Date.parse(`${date}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10)
  return wallToEpoch(`${then} ${time}`)
}

/** Whether a range ends later than now: what is known of it is compared with a whole one. */
export const isNotOver = ({ end }: Range, live: boolean, now: number) => !live && end > now

export const earlierOf = (period: EarlierPeriod, { start, end }: Range): Range => {
  if (period === 'previous') return { start: start - (end - start), end: start }
  const shift = {
    day: (at: number) => daysBefore(at, 1),
    week: (at: number) => daysBefore(at, 7),
    month: (at: number) => monthsBefore(at, 1),
    year: (at: number) => monthsBefore(at, 12),
    weeks52: (at: number) => daysBefore(at, 364),
  }[period]
  const from = shift(start)
  return { start: from, end: Math.max(from + 1, shift(end)) }
}
