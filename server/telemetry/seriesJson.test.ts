import fc from 'fast-check'
import { expect, test } from 'vitest'
import { noPause } from '../jobs/ownTurn.ts'
import { seriesJson } from './seriesJson.ts'

const value = fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }))
const row = fc.tuple(fc.nat(8.64e15), value, value, value, value, value, fc.nat())
const series = fc.tuple(fc.nat(), fc.array(row, { maxLength: 20 }), fc.boolean()).map(([ParaId, rows, Raw]) => {
  const [Time, Min, Max, Avg, First, Last, Count] = [0, 1, 2, 3, 4, 5, 6].map((i) => rows.map((of) => of[i]!)) as [number[], ...number[][]]
  // All columns of single readings are one array.
  const values = Raw ? { Min, Max: Min, Avg: Min, First: Min, Last: Min } : { Min, Max, Avg, First, Last }
  return { ParaId, Raw, Time, ...(values as { [name in keyof typeof values]-?: number[] }), Count: Count! }
})

test('an answer is the text that JSON.stringify makes of it, whether its columns are one array or not', async () => {
  const lists = fc.array(series, { maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(
      lists,
      fc.array(lists, { maxLength: 2 }),
      fc.constantFrom('UTC', '"Series":[]', '$&'),
      async (Series, more, TimeZone) => {
        const range = { Start: 1, End: 2, Step: 0, TimeZone }
        const answer = { ...range, Series, ...(more.length ? { Compared: more.map((Series) => ({ ...range, Series })) } : {}) }
        expect(Buffer.concat(await seriesJson(answer as never, noPause)).toString()).toBe(JSON.stringify(answer))
      },
    ),
  )
})
