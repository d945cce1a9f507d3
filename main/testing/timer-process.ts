// One of several server processes of a test: runs timers on the given database, and records its runs.
import { sql } from 'kysely'
import { timerMethodNames } from '../../areas/system/timers/contract.ts'
import { type Methods, startTimers } from '../../areas/system/timers/server/runner.ts'
import { connect } from '../../server/database/connect.ts'

const [url, name] = process.argv.slice(2) as [string, string]
const database = connect(url, 4)
const run = async ({ keep }: { keep: number }) => {
  await database.system.rows(sql`insert into timer_effect ("Task", "Process") values (${keep}, ${name})`)
  return { Wording: 'removed', WordValues: { count: 1 } }
}
const methods = Object.fromEntries(timerMethodNames.map((method) => [method, run])) as unknown as Methods
startTimers({ database, methods, name, clock: Date.now, everyMs: 20, log: { warn: (fields) => console.error(fields) } })
process.send?.('ready')
// Alive until it is killed.
setInterval(() => undefined, 60_000)
