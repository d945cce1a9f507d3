// Test fixture: readings to export, and helpers that parse the exported files.
import type { Sample } from '../../../../server/telemetry/sample.ts'

const [minute, day] = [60_000, 86_400_000]
/** A level with a gap and bad readings, a counter, and a state, of a day. */
export const readingsOf = (points: readonly number[], start: number, d: number): Sample[] =>
  Array.from({ length: 24 * 60 }, (_, i) => i).flatMap((i) => {
    const time = start + d * day + i * minute
    const bad = i % 500 === 7
    return [
      ...(i >= 600 && i < 660
        ? []
        : [{ point: points[0]!, time: time + 250, value: bad ? null : i / 7, quality: bad ? 2 : i % 90 ? 0 : 1 }]),
      { point: points[1]!, time, value: d * 14_400 + i * 10, quality: 0 },
      ...(i % 5 ? [] : [{ point: points[2]!, time, value: Math.floor(i / 30) % 2, quality: 0 }]),
    ]
  })
const textOf = (bytes: Buffer) => bytes.toString().slice(1).trimEnd()
/** The cells of a csv file, line by line. */
export const linesOf = (bytes: Buffer, separator = ',') =>
  textOf(bytes)
    .split('\r\n')
    .map((line) => line.split(separator))
