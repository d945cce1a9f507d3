import type { Database } from '../../server/database/db.ts'

type Query = Parameters<Database['system']['rows']>[0]

/** The same database; `heard` gets each query that the server itself asks one by one. */
export const watchedDatabase = (database: Database, heard: (query: Query) => void): Database => {
  const { system } = database
  const rows = (query: Query) => {
    heard(query)
    return system.rows(query)
  }
  return { ...database, system: { ...system, rows } as typeof system }
}
