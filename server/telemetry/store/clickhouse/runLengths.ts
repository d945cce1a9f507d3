import { rowKind } from '../columns.ts'
import { integer } from '../key.ts'
import type { Held } from '../store.ts'

const entries = ['times', 'values', 'qualities', 'gaps'] as const
const shifted = (column: string) => `arrayPushFront(arrayPopBack(${column}), ${column}[1])`

/** Equal neighbours as one row, by arrays of each point's readings, for servers without window functions. NaN represents null. */
export const runLengthsSql = (newest: string, points: readonly Held[], cut: number) => {
  const ms = `transform(point, [${points.map(({ point }) => integer(point)).join(', ')}], [${points.map((p) => integer(p.ms)).join(', ')}], 0)`
  const isOther = `(i = 1) OR (a != b AND NOT (isNaN(a) AND isNaN(b))) OR (q != r) OR (t - s > m) OR (t >= ${integer(cut)} AND s < ${integer(cut)})`
  return `
    SELECT point, times[i], if(isNaN(values[i]), NULL, values[i]), qualities[i], i, if(i = 1, 0, times[i - 1]),
      if(i < length(times), ${rowKind.begins}, if(begins[i], ${rowKind.beginsAndEnds}, ${rowKind.ends}))
    FROM (SELECT point, times, values, qualities, begins, arrayJoin(arrayFilter((i, b) -> b OR i = length(times), numbers, begins)) AS i
      FROM (SELECT point, times, values, qualities, numbers,
          arrayMap((i, t, s, a, b, q, r, m) -> ${isOther}, numbers, times, ${shifted('times')}, values, ${shifted('values')}, qualities, ${shifted('qualities')}, gaps) AS begins
        FROM (SELECT point, ${entries.map((name, k) => `arrayMap(r -> tupleElement(r, ${k + 1}), readings) AS ${name}`).join(', ')},
            arrayEnumerate(readings) AS numbers
          FROM (SELECT point, arraySort(r -> tupleElement(r, 1), groupArray((time, v, q, ${ms}))) AS readings FROM (${newest}) GROUP BY point))))
    ORDER BY point, i`
}
