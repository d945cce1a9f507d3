import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { chunksOf } from './engine.ts'
import { numbersOf } from './numbers.ts'

test('columns of doubles are read with their nulls over many chunks, and any other column is refused', async () => {
  const instance = await DuckDBInstance.create()
  const db = await instance.connect()
  const read = async (columns: string) => numbersOf((await chunksOf(db, `select ${columns} from range(5000) r(i)`)).chunks, 2)
  const [whole, half] = await read('i::double, case when i % 2 = 0 then i / 2.0 end')
  expect(whole).toEqual(Array.from({ length: 5000 }, (_, i) => i))
  expect(half).toEqual(Array.from({ length: 5000 }, (_, i) => (i % 2 ? null : i / 2)))
  expect(await read('i::double, null::double')).toEqual([whole, whole!.map(() => null)])
  for (const other of ['null', 'i', '(i % 200)::utinyint', 'i::varchar'])
    await expect(read(`i::double, ${other}`)).rejects.toThrow(TypeError)
  db.closeSync()
  instance.closeSync()
})
