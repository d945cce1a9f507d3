// Files of journeys walk one at a time: beside another's, a screen is later than a program that presses its buttons. What takes time and
// presses nothing, the start of a server and a browser and their end, happens while another file walks.
import pg from 'pg'
import { inject } from 'vitest'

/** Any number that nothing else in the run's PostgreSQL locks. */
const lock = 54_250

let turn: Promise<pg.Client> | undefined
/** Waits until no other file walks. Who ends, however he does, gives his turn back: his connection is gone. */
export const takeTurn = () =>
  (turn ??= (async () => {
    const client = new pg.Client({ connectionString: inject('postgresUrl') })
    await client.connect()
    await client.query('select pg_advisory_lock($1)', [lock])
    return client
  })())
export const giveTurn = async () => {
  const mine = turn
  turn = undefined
  await (await mine)?.end()
}
