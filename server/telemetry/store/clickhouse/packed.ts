import { buffer } from 'node:stream/consumers'
import { withoutPrototype } from '../../../../contract/prototypes.ts'
import { type PackedColumns, packedOf } from '../columns.ts'
import type { Store } from '../store.ts'
import type { Replicas } from './replicas.ts'

/** Bytes of a row: point, time and value of 8 each, and quality. */
const rowBytes = 25

const columnsOf = (bytes: Buffer<ArrayBuffer>): PackedColumns => {
  const rows = bytes.length / rowBytes
  if (!Number.isInteger(rows)) throw new Error('ClickHouse ended in the middle of a row.')
  const doubles = () => new Float64Array(rows)
  const answer = { point: doubles(), time: doubles(), value: doubles(), quality: new Uint8Array(rows) }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  for (let row = 0, at = 0; row < rows; row++, at += rowBytes) {
    answer.point[row] = view.getFloat64(at, true)
    answer.time[row] = view.getFloat64(at + 8, true)
    answer.value[row] = view.getFloat64(at + 16, true)
    answer.quality[row] = bytes[at + 24]!
  }
  return answer
}

type Newest = (points: readonly number[], start: number, end: number) => string
/** Readings in binary rows: JSON of a piece would block the main thread for a tenth of a second. */
export const packedBy =
  (replicas: Replicas, newest: Newest, kind: 'client' | 'aside' = 'aside'): Store['aside']['packed'] =>
  async (points, start, end) => {
    if (!points.length) return []
    const query = `SELECT toFloat64(point), toFloat64(time), v, q FROM (${newest(points, start, end)}) ORDER BY point, time FORMAT RowBinary`
    // The answer begins when it is complete: an error in the middle of it would look like rows.
    const clickhouse_settings = withoutPrototype({ wait_end_of_query: 1 } as const)
    const bytes = await replicas.ask(kind, async (by) => buffer((await by.exec({ query, clickhouse_settings })).stream))
    return packedOf(columnsOf(bytes as Buffer<ArrayBuffer>))
  }
