/**
 * Numbers of PostgreSQL's advisory locks (one key of 64 bits each), which all sessions of a database share: two things under one number wait
 * for each other. Where a lock is one tenant's the number goes with its Id (two keys of 32 bits, a space of their own) or is a hash of what it is of.
 */
export const locks = {
  /** Migrations, and what puts a backup back. */
  migrations: 842_084,
  /** Held by the server that works, for as long as it does (lease.ts). */
  owner: 842_083,
  /** People who administer the platform are changed one after the other. */
  administrators: 842_085,
  menus: 842_086,
  /** Held for a moment, to see whether a pooler leads to the same database. */
  pooler: 842_087,
  /** Companies get their numbers one after the other. */
  enterpriseNumbers: 842_089,
  /** The log's chain is linked by one at a time. */
  log: 84_201,
} as const
/** Advisory locks, combined with the tenant's Id. Lock order, to avoid deadlocks: `trials`, `sight`, a tree's lock, row locks. */
export const tenantLocks = { files: 84_200, trials: 842_086, sight: 842_087, mapLayers: 842_088 } as const
