import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Programs of the oldest installed PostgreSQL server (Debian package postgresql), where there is one. */
export const debianPostgres = () => {
  const root = '/usr/lib/postgresql'
  const releases = existsSync(root)
    ? readdirSync(root)
        .map(Number)
        .sort((a, b) => a - b)
    : []
  return releases.map((release) => join(root, String(release), 'bin')).find((bin) => existsSync(join(bin, 'postgres')))
}
