// Answers of thousands of rows, which arrive faster than they are parsed.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { freshDatabase } from '../../main/testing/database.ts'
import { connect } from './connect.ts'

test('other work runs between the parts of a long answer', async () => {
  const fresh = await freshDatabase()
  const database = connect(fresh.url, 2)
  let turns = 0
  let isOver = false
  const count = () => {
    turns++
    if (!isOver) setImmediate(count)
  }
  const wide = sql<{ t: string }>`select repeat('x', 1000) as t from generate_series(1, 4000)`
  const answer = database.as({ EnterpriseId: 1, platform: true }).rows(wide)
  await new Promise((r) => setTimeout(r, 20))
  // Until most of the 4 MB are buffered in the socket.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
  setImmediate(count)
  expect(await answer).toHaveLength(4000)
  isOver = true
  expect(turns).toBeGreaterThan(30)
  await database.close()
  await fresh.drop()
})
