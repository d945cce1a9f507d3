import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { call } from '../../contract/call.ts'
import { Id, type Resource, valueSchema } from '../../contract/resource.ts'
import { serve } from '../http/serve.ts'
import { column, named, table } from './sql.ts'
import { store } from './store.ts'

type Given = { Id?: number } & Record<string, number | string>

/** Serves the checks of a resource: whether a value that must be unique is free, beside the record that is being edited. */
export const serveChecks = (app: FastifyInstance, r: Resource) => {
  for (const [name, suffix] of Object.entries(r.checks ?? {})) {
    const field = { ...r.fields[name]!, required: true }
    const within = field.unique !== true && field.unique !== 'everywhere' ? field.unique : undefined
    const [path, ...aliases] = [r.path, ...r.aliases].map((path) => `${path}/${suffix}`)
    const body = Type.Object({ ...(within && { [within]: Id }), [name]: valueSchema(field), Id: Type.Optional(Id) })
    const about = call({ method: 'POST', path: path!, aliases, permission: r.readBy ?? r.permission, reads: true, body })
    serve(app, { ...about, answer: Type.Object({ Valid: Type.Boolean() }) }, async ({ db, actor, body }) => {
      const given = body as Given
      if (given.Id) await store(r).find(db, actor, given.Id)
      const above = within && r.fields[within]
      if (above?.kind === 'ref') await store(named(above.to)).find(db, actor, Number(given[within!]))
      const scope = within ? sql`${column(within)} = ${given[within]}` : sql`${column('EnterpriseId')} = ${actor.EnterpriseId}`
      const taken = await db.rows(
        sql`select 1 from ${table(r)} t where ${scope} and ${column(name)} = ${given[name]} and "Id" <> ${given.Id ?? 0}`,
      )
      return { Valid: taken.length === 0 }
    })
  }
}
