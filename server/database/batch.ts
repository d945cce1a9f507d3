import { createRequire } from 'node:module'
import pg from 'pg'

/** pg's own mapping of parameters: dates, arrays, buffers, JSON. */
const { prepareValue } = createRequire(import.meta.url)('pg/lib/utils.js') as { prepareValue(value: unknown): unknown }

export type Statement = { text: string; values: unknown[]; name?: string }

/** What pg's own Query uses of its connection; the types leave it out. */
type Wire = {
  stream: { cork(): void; uncork(): void }
  close(statement: { type: 'S'; name: string }): void
  parse(statement: { text: string; name: string }): void
  bind(portal: { statement: string; values: unknown[]; valueMapper(value: unknown): unknown }): void
  describe(portal: { type: 'P'; name: string }): void
  execute(portal: { portal: string }): void
  sync(): void
}

/** Names that a connection has prepared. */
const prepared = new WeakMap<Wire, Set<string>>()

/**
 * Several statements with one Sync at their end: one write, one transaction, one answer (PostgreSQL, Frontend/Backend Protocol,
 * Extended Query, Pipelining). An error undoes them all. Outside an explicit BEGIN the Sync commits.
 */
class Batch extends pg.Query {
  readonly statements: readonly Statement[]
  private fresh: { wire: Wire; names: string[] } | undefined

  constructor(statements: readonly Statement[], done: (error: Error | undefined, results: unknown) => void) {
    super({ text: '' }, done as never)
    this.statements = statements
    this.submit = (connection) => this.send(connection as unknown as Wire)
  }

  private send(wire: Wire) {
    const names = prepared.get(wire) ?? new Set()
    prepared.set(wire, names)
    this.fresh = { wire, names: [] }
    wire.stream.cork()
    for (const { text, values, name = '' } of this.statements) {
      if (!names.has(name)) {
        // After an error it is unknown which statements of a batch were prepared. Closing one that does not exist is allowed.
        if (name) wire.close({ type: 'S', name })
        wire.parse({ text, name })
        if (name) this.fresh.names.push(name)
        if (name) names.add(name)
      }
      wire.bind({ statement: name, values, valueMapper: prepareValue })
      wire.describe({ type: 'P', name: '' })
      wire.execute({ portal: '' })
    }
    wire.sync()
    wire.stream.uncork()
    return null
  }

  handleError(error: Error, connection: unknown) {
    for (const name of this.fresh?.names ?? []) prepared.get(this.fresh!.wire)?.delete(name)
    // pg's types leave this method out as well.
    const parent = pg.Query.prototype as unknown as { handleError(error: Error, connection: unknown): void }
    parent.handleError.call(this, error, connection)
  }
}

/** Sends the statements together; the rows of each, in their order. */
export const send = (client: pg.ClientBase, statements: readonly Statement[]) =>
  new Promise<Record<string, unknown>[][]>((done, failed) => {
    client.query(
      new Batch(statements, (error, results) => (error ? failed(error) : done([results].flat().map((r) => (r as pg.QueryResult).rows)))),
    )
  })
