import type pg from 'pg'

const refusal =
  'DATABASE_URL leads to a pooler, such as PgBouncer, in whatever mode. A pooler lends sessions, and two processes could own the database. ' +
  "Give the PostgreSQL server's own address and port."

/** Connects to PostgreSQL itself. Through a pooler the process number of the greeting is not that of the session. */
export const connectDirectly = async (client: pg.Client) => {
  try {
    await client.connect()
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    if (rows[0]?.pid !== (client as pg.Client & { processID: number | null }).processID) throw new Error(refusal)
  } catch (error) {
    void client.end().catch(() => {})
    // Poolers know few parameters. PostgreSQL knows all that we send.
    throw /unsupported startup parameter/.test((error as Error).message) ? new Error(refusal) : error
  }
}
