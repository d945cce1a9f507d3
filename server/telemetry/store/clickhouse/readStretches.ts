import { quarter } from '../store.ts'
import { type Holding, mostUnread, type Stretches, stretchesOf, stretchNames, type Unread } from '../stretches.ts'

type Rows = (query: string) => Promise<(number | null)[][]>

const mostOf = ({ most }: Holding, time: number) => most.find(({ until }) => until > time)!.ms

/** Quarter-hours by arrays of their readings, for servers without window functions; the longest hold inside comes last. */
const sqlOf = (newest: string) => {
  const orNull = (sql: string) => `if(length(present) = 0, NULL, ${sql})`
  return `SELECT toFloat64(point), toFloat64(times[1]), toFloat64(times[-1]), if(isNaN(values[-1]), NULL, values[-1]), toFloat64(qualities[-1]),
    toFloat64(length(present)), toFloat64(length(times)), toFloat64(arraySum(arrayMap((v, q) -> NOT isNaN(v) AND q = 1, values, qualities))),
    ${orNull(`arrayReduce('min', present)`)}, ${orNull(`arrayReduce('max', present)`)}, arraySum(present), ${orNull('present[1]')}, ${orNull('present[-1]')},
    arraySum(arrayMap((v, m) -> (v - m) * (v - m), present, means)), arraySum(arrayMap(v -> floor(v * 1000 + 0.5), present)),
    arraySum(arrayMap((v, m) -> if(isNaN(v), 0, v * m), values, held)), toFloat64(arraySum(held)),
    toFloat64(arraySum(arrayMap((q, m) -> if(q = 0, m, 0), qualities, held))), toFloat64(arraySum(arrayMap((v, m) -> if(v = 0, 0, m), values, held))),
    toFloat64(arraySum(arrayMap((a, b) -> (a = 0) != (b = 0), arrayPopBack(present), arrayPopFront(present)))), toFloat64(arrayReduce('max', held))
  FROM (SELECT point, grain, times, values, qualities, present, arrayMap(v -> arraySum(present) / length(present), present) AS means,
      arrayMap((t, n, v) -> if(isNaN(v), 0, n - t), times, arrayPushBack(arrayPopFront(times), times[-1]), values) AS held
    FROM (SELECT point, grain, times, values, qualities, arrayFilter(v -> NOT isNaN(v), values) AS present
      FROM (SELECT point, grain, arrayMap(r -> tupleElement(r, 1), readings) AS times, arrayMap(r -> tupleElement(r, 2), readings) AS values,
          arrayMap(r -> tupleElement(r, 3), readings) AS qualities
        FROM (SELECT point, intDiv(time, ${quarter}) AS grain, arraySort(r -> tupleElement(r, 1), groupArray((time, v, q))) AS readings
          FROM (${newest}) GROUP BY point, grain))))
  ORDER BY point, grain`
}

/** Every quarter-hour is a stretch of its own: what settled files keep is worked out here each time. */
export const readStretches = async (
  rows: Rows,
  newest: (points: readonly number[], start: number, end: number) => string,
  points: readonly Holding[],
  edges: readonly number[],
): Promise<Stretches> => {
  const [start, end] = [Math.ceil(edges[0]! / quarter) * quarter, Math.floor(edges.at(-1)! / quarter) * quarter]
  if (!points.length || end <= start) return { stretches: [], unread: [], unknown: [], fresh: [] }
  const byId = new Map(points.map((point) => [point.point, point]))
  const changes = points.flatMap(({ most }) => most.map(({ until }) => until))
  const cut = new Set([...edges, ...changes].filter((at) => at % quarter).map((at) => Math.floor(at / quarter)))
  const found = await rows(sqlOf(newest([...byId.keys()], start, end)))
  const longest = stretchNames.length
  const isBare = (row: (number | null)[]) =>
    cut.has(Math.floor(row[1]! / quarter)) || row[longest]! > mostOf(byId.get(row[0]!)!, Math.floor(row[1]! / quarter) * quarter)
  const kept = found.filter((row) => !isBare(row))
  const unread = found.filter(isBare).map((row): Unread => {
    const from = Math.floor(row[1]! / quarter) * quarter
    return { point: row[0]!, start: from, end: from + quarter, rows: row[6]! }
  })
  const many = [...Map.groupBy(unread, ({ point }) => point)].filter(([, pieces]) => pieces.length > mostUnread)
  const unknown = many.map(([point]) => point)
  return { stretches: stretchesOf(stretchNames.map((_, column) => kept.map((row) => row[column]!))), unread, unknown, fresh: [] }
}
