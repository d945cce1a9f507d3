import type { RawBuilder } from 'kysely'

export type Rows = Record<string, unknown>[]

/**
 * A handle on PostgreSQL that already carries a scope. Queries are Kysely's `sql` templates.
 * Functions that touch data take it first and call it `db`; inside a transaction the name is shadowed.
 */
export type Db = {
  /** One statement in a transaction of its own, sent in one flush. */
  rows<T>(query: RawBuilder<T>): Promise<T[]>
  /** Several independent statements in one transaction and one flush. */
  all<T extends readonly RawBuilder<unknown>[]>(
    queries: readonly [...T],
  ): Promise<{ [K in keyof T]: T[K] extends RawBuilder<infer R> ? R[] : never }>
  /**
   * Several statements that commit together; an error undoes them all. `row` names what it locks first: transactions with the same name
   * queue before they take a connection.
   */
  tx<T>(work: (db: Db) => Promise<T>, row?: string): Promise<T>
  /** A write without a result: in a transaction it is sent with the next statement or the commit, without a round trip of its own. */
  deferred(query: RawBuilder<unknown>): Promise<void>
  /** Announces a changed row. Listeners receive it after the commit, or never. */
  emit(change: Change): void
}

/** What listeners hear of a write: live consoles, the point registry, the configuration state of gateways. */
export type Change = { resource: string; id: number; verb: 'create' | 'update' | 'remove'; EnterpriseId: number; ProjectId?: number | null }

/** The person is who makes a row, where a table keeps that. */
export type Scope = { EnterpriseId: number; platform: boolean; UserId?: number }

export type Database = {
  /** Row-level security holds the handle to the scope's tenant. */
  as(scope: Scope): Db
  /** Handle for list queries; may use a read replica (replica.ts). */
  lists(scope: Scope): Db
  /** Marks the scope as having written, so that its lists read from the primary until the replica catches up. */
  wrote(scope: Scope): void
  /** For the server's own work (ingest, sign-in, timers): sees every tenant. */
  system: Db
  /** A short read as the server on a connection outside the pool: all gateways look up their keys when they reconnect after a start. */
  priorityRead: Db['rows']
  /** Listens to every committed change. */
  onChange(listener: (change: Change) => void): () => void
  /** True when PostgreSQL answers. */
  ready(): Promise<boolean>
  close(): Promise<void>
}
