import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { createContext, useContext, useMemo } from 'react'
import { seriesIn } from '../../../../console/chart/deltas.ts'
import type { Range } from '../../../../console/chart/ranges.ts'
import { useLatest } from '../../../../console/live/points.ts'
import type { Fault } from '../../../../console/session/request.ts'
import type { ParaInfo, Series } from '../../../../contract/telemetry.ts'
import { type BoardContent, type BoardData, ofPast, visualBoardCalls, type Widget } from '../contract.ts'
import type { Cursor } from './cursor.ts'
import { type Asked, type Part, readPart } from './readParts.ts'

export type Choice = { ProjectId?: number; ModelId?: number; DeviceId?: number; DeviceIds?: number[] }

const buckets = 400
const often = 30_000

/** Whole steps, so that a range that follows the time asks again only when its newest bucket has filled. */
const anchored = ({ start, end }: Range, live: boolean) => {
  if (!live) return { Start: Math.round(start), End: Math.round(end), every: undefined }
  const span = end - start
  const every = Math.min(320_000, 10_000 * 2 ** Math.max(0, Math.round(Math.log2(((span / buckets) * 4) / 10_000))))
  const anchor = Math.floor(end / every) * every
  return { Start: Math.round(anchor - span), End: anchor + every, every }
}

type Options = { enabled?: boolean; refetchInterval?: number }
/** A part of what a board shows. Changes of the resources `of` invalidate it. */
const usePart = (part: Part, body: Asked, of: readonly string[], options: Options) =>
  useQuery<BoardData, Fault>({
    queryKey: [of, visualBoardCalls.data.path, part, body],
    queryFn: () => readPart(part, body),
    placeholderData: keepPreviousData,
    ...options,
  })

/** Everything that a board shows: what is there now, and the past of its range. Values come in live after that. */
export const useBoardData = (Id: number, content: BoardContent, range: Range, live: boolean, choice: Choice) => {
  const { Start, End } = anchored(range, live)
  const hasPast = content.Widgets.some(({ Kind }) => ofPast.includes(Kind))
  const body = { Id, Start, End, Buckets: buckets, ...choice }
  const hour = Math.floor(End / 3_600_000) * 3_600_000
  // The range is none of what is there now: a new one is no reason to ask.
  const anyTime = { ...body, Start: hour - 1, End: hour }
  const now = usePart('now', anyTime, ['visualBoard', 'point', 'device', 'alarmInfo'], { refetchInterval: often })
  const past = usePart('past', body, ['visualBoard', 'point'], { enabled: hasPast })
  const hasPictures = content.Widgets.some(({ Flowchart }) => Flowchart)
  // They come once, and again when one of them, or an alarm on them, changes.
  const pictures = usePart('pictures', anyTime, ['visualBoard', 'flowchart', 'point', 'device', 'alarmInfo'], { enabled: hasPictures })
  return { now, past, pictures }
}

export type Shown = {
  data: BoardData | undefined
  series: ReadonlyMap<number, Series>
  /** Width of a bucket of the past, ms. */
  step: number
  isPastThere: boolean
  isEdited: boolean
  range: Range
  show: (range: Range) => void
  cursor: Cursor
  /** The board's address of a point's trend keeps the range. */
  rangeQuery: string
  pictures: BoardData['Pictures'] | undefined
  /** Where images are for people without an account. */
  images?: Readonly<Record<string, string>> | undefined
}
const BoardContext = createContext<Shown | undefined>(undefined)
export const BoardProvider = BoardContext.Provider
export const useBoard = () => useContext(BoardContext)!

/** The device of a row that is repeated; elsewhere the first of the chosen ones. */
export const DeviceOfRow = createContext<number | undefined>(undefined)
export const useDeviceOfRow = () => {
  const own = useContext(DeviceOfRow)
  const { data } = useBoard()
  return own ?? data?.DeviceId ?? undefined
}

/** The past by point, decoded once. */
export const useSeries = (past: BoardData | undefined) =>
  useMemo(() => {
    const found = past?.Past
    return { series: new Map(found ? seriesIn(found).map((s) => [s.ParaId, s]) : []), step: found ? found.Step : 0 }
  }, [past])

/** The points of a widget, in its own order; those that the reader does not see are left out. */
export const pointsOf = (
  { Kind, Points = [], PointNames = [], Group }: Widget,
  data: BoardData | undefined,
  device: number | undefined,
): ParaInfo[] => {
  const all = data?.Points ?? []
  const own = Points.flatMap((id) => all.find((p) => p.ParaId === id) ?? [])
  const named = PointNames.flatMap((name) => all.find((p) => p.ParaName === name && p.DeviceId === device) ?? [])
  const grouped = data?.Groups.find(({ Id }) => Id === Group)?.Points ?? []
  const ofGroup = grouped.flatMap((id) => all.find((p) => p.ParaId === id && !Points.includes(id)) ?? [])
  // What is computed has a past alone.
  return [...own, ...named, ...ofGroup].filter(({ DeviceId }) => DeviceId > 0 || ofPast.includes(Kind))
}
export const usePoints = (widget: Widget) => {
  const { data } = useBoard()
  const device = useDeviceOfRow()
  return useMemo(() => pointsOf(widget, data, device), [widget, data, device])
}

/** The newest reading: live, or until then the one that the board was opened with. */
export const useReading = (id: number) => {
  const live = useLatest(id)
  const first = useBoard().data?.Latest.find(({ ParaId }) => ParaId === id)
  return live ?? first
}
