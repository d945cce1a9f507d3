import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parse } from 'csv-parse'
import type { SheetRow } from '../../contract/cell.ts'
import { withoutPrototype } from '../../contract/prototypes.ts'
import { sheetLimits } from './sheetLimits.ts'

const chunkBytes = 64 * 1024
const recordBytes = 1024 * 1024

function* texts(file: Uint8Array) {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for (let at = 0; at < file.length; at += chunkBytes) yield decoder.decode(file.subarray(at, at + chunkBytes), { stream: true })
  yield decoder.decode()
}

/** Rows of a text table; commas, semicolons or tabs, whichever its first line has most of. Stops after the row that is one too many. */
export async function* csvRows(file: Uint8Array): AsyncGenerator<SheetRow[]> {
  const end = file.indexOf(10)
  const head = new TextDecoder().decode(file.subarray(0, Math.min(end < 0 ? file.length : end, recordBytes)))
  const delimiter = [',', ';', '\t'].sort((a, b) => head.split(b).length - head.split(a).length)[0]!
  const parser = parse(
    withoutPrototype({
      ...{ bom: true, delimiter, relax_column_count: true, skip_empty_lines: true },
      ...{ to: sheetLimits.rows + 2, max_record_size: recordBytes },
    }),
  )
  const parsing = pipeline(Readable.from(texts(file)), parser)
  parsing.catch(() => undefined)
  let row = 0
  for await (const record of parser as AsyncIterable<string[]>)
    yield [{ row: ++row, cells: record.map((text) => (text === '' ? null : text)) }]
  await parsing
}
