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

/** Rounds to whole steps, so that a live range is refetched only after its newest bucket is complete. */
const anchored = ({ start, end }: Range, live: boolean) => {
  if (!live) return { Start: Math.round(start), End: Math.round(end), every: undefined }
  const span = end - start
  const every = Math.min(320_000, 10_000 * 2 ** Math.max(0, Math.round(Math.log2(((span / buckets) * 4) / 10_000))))
  const anchor = Math.floor(end / every) * every
  return { Start: Math.round(anchor - span), End: anchor + every, every }
}

type Options = { enabled?: boolean; refetchInterval?: number }
/** One part of the board's data. Changes of the resources `of` invalidate it. */
const usePart = (part: Part, body: Asked, of: readonly string[], options: Options) =>
  useQuery<BoardData, Fault>({
    queryKey: [of, visualBoardCalls.data.path, part, body],
    queryFn: () => readPart(part, body),
    placeholderData: keepPreviousData,
    ...options,
  })

/** All data of a board: current values, and the history of its range. Live updates follow. */
export const useBoardData = (Id: number, content: BoardContent, range: Range, live: boolean, choice: Choice) => {
  const { Start, End } = anchored(range, live)
  const hasPast = content.Widgets.some(({ Kind }) => ofPast.includes(Kind))
  const body = { Id, Start, End, Buckets: buckets, ...choice }
  const hour = Math.floor(End / 3_600_000) * 3_600_000
  // Current values do not depend on the range, so a new range must not refetch them.
  const anyTime = { ...body, Start: hour - 1, End: hour }
  const now = usePart('now', anyTime, ['visualBoard', 'point', 'device', 'alarmInfo'], { refetchInterval: often })
  const past = usePart('past', body, ['visualBoard', 'point'], { enabled: hasPast })
  const hasPictures = content.Widgets.some(({ Flowchart }) => Flowchart)
  // Fetched once, and again when a picture, or an alarm on it, changes.
  const pictures = usePart('pictures', anyTime, ['visualBoard', 'flowchart', 'point', 'device', 'alarmInfo'], { enabled: hasPictures })
  return { now, past, pictures }
}

export type Shown = {
  data: BoardData | undefined
  series: ReadonlyMap<number, Series>
  /** Bucket width of the history, ms. */
  step: number
  isPastThere: boolean
  isEdited: boolean
  range: Range
  show: (range: Range) => void
  cursor: Cursor
  /** Query string of the range, for links to a point's trend. */
  rangeQuery: string
  pictures: BoardData['Pictures'] | undefined
  /** Image URLs for viewers without an account. */
  images?: Readonly<Record<string, string>> | undefined
}
const BoardContext = createContext<Shown | undefined>(undefined)
export const BoardProvider = BoardContext.Provider
export const useBoard = () => useContext(BoardContext)!

/** Device of a repeated row; elsewhere the first selected device. */
export const DeviceOfRow = createContext<number | undefined>(undefined)
export const useDeviceOfRow = () => {
  const own = useContext(DeviceOfRow)
  const { data } = useBoard()
  return own ?? data?.DeviceId ?? undefined
}

/** History by point, decoded once. */
export const useSeries = (past: BoardData | undefined) =>
  useMemo(() => {
    const found = past?.Past
    return { series: new Map(found ? seriesIn(found).map((s) => [s.ParaId, s]) : []), step: found ? found.Step : 0 }
  }, [past])

/** The points of a widget, in order; invisible ones are left out. */
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
  // Formula points have only a history.
  return [...own, ...named, ...ofGroup].filter(({ DeviceId }) => DeviceId > 0 || ofPast.includes(Kind))
}
export const usePoints = (widget: Widget) => {
  const { data } = useBoard()
  const device = useDeviceOfRow()
  return useMemo(() => pointsOf(widget, data, device), [widget, data, device])
}

/** The newest reading: live, or the initial one of the board. */
export const useReading = (id: number) => {
  const live = useLatest(id)
  const first = useBoard().data?.Latest.find(({ ParaId }) => ParaId === id)
  return live ?? first
}
