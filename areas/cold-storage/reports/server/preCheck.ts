// Pre-checks of a mapping report (annex 5): points, positions, duration, data, calibrations.
import type { Answer, Body } from '../../../../contract/call.ts'
import type { Language } from '../../../../contract/languages.ts'
import type { Db } from '../../../../server/database/db.ts'
import { word } from '../../../../server/http/words.ts'
import { quarter } from '../../../../server/telemetry/store/store.ts'
import { calibrated, Sensor, type SensorType } from '../../rooms/contract.ts'
import { wallText } from '../../rooms/server/service.ts'
import type { coldReportCalls } from '../contract.ts'
import { boundDuring, calibrationsOf, type Reads } from './gather.ts'

/** Maximum distance between neighbouring points, m. */
const [acrossM, upM] = [5, 2]
/** Points at each door and air outlet. */
const atOpenings = 5
const [corner, centre, door, outlet] = [1, 2, 3, 4]

type Items = Answer<typeof coldReportCalls.preCheck>['Items']
type Point = Awaited<ReturnType<typeof boundDuring>>[number]
type Room = { DoorCount: number | null; Zone: string }

/** Points too far from their nearest neighbour; null if too few have a position. */
const farOf = (points: readonly Point[]): number | null => {
  const placed = points.filter(({ X, Y, Z }) => X !== null && Y !== null && Z !== null)
  if (placed.length < 2 || placed.length < points.length) return null
  const isNear = (a: Point, b: Point) => Math.hypot(a.X! - b.X!, a.Y! - b.Y!) <= acrossM && Math.abs(a.Z! - b.Z!) <= upM
  return placed.filter((point) => !placed.some((other) => other !== point && isNear(point, other))).length
}

const known = async (
  points: readonly Point[],
  { Start, End, IntervalMin }: Body<typeof coldReportCalls.preCheck>,
  { telemetry }: Reads,
) => {
  const ids = points.map(({ ParaId }) => ParaId)
  const wanted = (End - Start) / (IntervalMin * 60_000)
  const [from, to] = [Math.floor(Start / quarter) * quarter, Math.ceil(End / quarter) * quarter]
  const buckets = ids.length ? await telemetry.aside.buckets(ids, from, to, { ms: quarter, origin: 0 }) : []
  const counts = new Map(buckets.map(({ point, count }) => [point, count.reduce((sum, n) => sum + n, 0)]))
  return points.filter(({ ParaId }) => (counts.get(ParaId) ?? 0) < wanted * 0.98).length
}

export const preCheck = async (
  db: Db,
  room: Room & { Id: number },
  asked: Body<typeof coldReportCalls.preCheck>,
  reads: Reads,
  language: Language,
): Promise<Items> => {
  const { Start, End, MinPoints, MinHours } = asked
  const sensors = await boundDuring(db, room.Id, asked)
  const points = sensors.filter(({ SensorType }) => SensorType === Sensor.temperature)
  const lastDay = wallText(End - 1, room.Zone).slice(0, 10)
  const calibrations = await calibrationsOf(db, sensors, lastDay)
  const at = (position: number) => points.filter(({ Position }) => Position === position).length
  const uncalibrated = sensors.filter(
    ({ Id, SensorType }) => calibrated.includes(SensorType as SensorType) && !((calibrations.get(Id)?.at(-1)?.CalibDue ?? '') >= lastDay),
  ).length
  const item = (Code: string, isOk: boolean | null, values: Record<string, number> = {}) => ({
    ...{ Code, IsOk: isOk === null ? 2 : Number(isOk), Text: word(language, `cold.pre.${Code}`, values) },
  })
  const far = farOf(points)
  const openings = Math.min(at(door), at(outlet))
  const missing = await known(points, asked, reads)
  return [
    item('points', points.length >= MinPoints, { count: points.length, least: MinPoints }),
    item('places', at(corner) > 0 && at(centre) > 0),
    item('openings', room.DoorCount === 0 ? null : openings >= atOpenings, { count: openings, least: atOpenings }),
    item('distances', far === null ? null : far === 0, { count: far ?? 0, across: acrossM, up: upM }),
    item('hours', End - Start >= MinHours * 3_600_000, { least: MinHours }),
    item('data', missing === 0, { count: missing }),
    item('calibrations', uncalibrated === 0, { count: uncalibrated }),
  ]
}
