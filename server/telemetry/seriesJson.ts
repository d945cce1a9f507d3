// JSON of charts, written column by column: half a million entries in one go would block all other calls.
import type { Pause } from '../jobs/ownTurn.ts'
import type { SeriesAnswer } from './query.ts'

type Columns = { ParaId: number; Raw: boolean }
type Written = SeriesAnswer & { Deltas?: readonly Columns[] }

/** Five columns of single readings are one array, which is written only once: that halves the work. */
const seriesText = async ({ ParaId, Raw, ...columns }: Columns, pause: Pause) => {
  const texts = new Map<unknown, string>()
  for (const column of Object.values(columns)) {
    if (texts.has(column)) continue
    texts.set(column, JSON.stringify(column))
    await pause()
  }
  const fields = Object.entries(columns).map(([name, column]) => `,"${name}":${texts.get(column)}`)
  return Buffer.from(`{"ParaId":${ParaId},"Raw":${Raw}${fields.join('')}}`)
}

const write = async ({ Series, Deltas, Compared, ...range }: Written, pieces: Buffer[], pause: Pause) => {
  const add = (text: string) => void pieces.push(Buffer.from(text))
  const addList = async <T>(name: string, entries: readonly T[], addOne: (entry: T) => Promise<unknown>) => {
    add(`,"${name}":[`)
    for (const [i, entry] of entries.entries()) {
      if (i) add(',')
      await addOne(entry)
      await pause()
    }
    add(']')
  }
  const addSeries = async (series: Columns) => pieces.push(await seriesText(series, pause))
  add(JSON.stringify(range).slice(0, -1))
  await addList('Series', Series, addSeries)
  if (Deltas) await addList('Deltas', Deltas, addSeries)
  if (Compared) await addList('Compared', Compared, (one) => write(one, pieces, pause))
  add('}')
}

/** The JSON of an answer in pieces, as `JSON.stringify` writes it. */
export const seriesJson = async (answer: SeriesAnswer, pause: Pause): Promise<Buffer[]> => {
  const pieces: Buffer[] = []
  await write(answer, pieces, pause)
  return pieces
}
