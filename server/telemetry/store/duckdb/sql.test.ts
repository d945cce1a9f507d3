import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { rowsOf } from './engine.ts'
import { newestOf, readingOf } from './sql.ts'

test('the newest readings of a table are found without a copy of the table', async () => {
  const db = await (await DuckDBInstance.create(':memory:')).connect()
  await db.run(`create table hot as select range % 3 as point, range as time, 1.5::double as value, 0::utinyint as quality, range as n
    from range(10)`)
  const query = newestOf(`select ${readingOf} from hot`)
  const [plan] = await rowsOf<{ explain_value: string }>(db, `explain ${query}`)
  expect(plan!.explain_value).toContain('SEQ_SCAN')
  expect(plan!.explain_value).not.toContain('CTE')
  expect(await rowsOf(db, `select point::double as point, n::double as n from (${query}) order by 1`)).toEqual([
    { point: 0, n: 9 },
    { point: 1, n: 7 },
    { point: 2, n: 8 },
  ])
  db.closeSync()
})
