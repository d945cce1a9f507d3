import type { FastifyInstance } from 'fastify'
import type { batchAddOf } from '../../contract/batch.ts'
import { type Resource, writable } from '../../contract/resource.ts'
import type { Db } from '../database/db.ts'
import { FieldFaults } from '../http/faults.ts'
import { serve } from '../http/serve.ts'
import { fitting } from '../http/validation.ts'
import type { Actor } from '../identity/actor.ts'
import { saveMany } from './bulk.ts'
import { type Check, checkRefs, tenantOf } from './store.ts'

type Values = Record<string, unknown>

/** Adds records of one owner in a few statements, all or none. A refusal names the record by its place: `Items.3.Code`. */
export const addMany = (db: Db, actor: Actor, r: Resource, items: readonly Values[], check: Check = async (_db, _actor, given) => given) =>
  db.tx(async (db) => {
    const enterprise = await tenantOf(db, actor, r, items[0]!)
    const defaults = Object.fromEntries(writable(r, 'create').map(([name, f]) => [name, f.default ?? null]))
    const add: Values[] = []
    for (const [i, item] of items.entries()) {
      const draft = await check(db, actor, fitting(r, 'create', item)).catch((error) => Promise.reject(at(i, error)))
      await checkRefs(db, actor, r, draft, enterprise).catch((error) => Promise.reject(at(i, error)))
      add.push({ ...defaults, ...draft })
    }
    await saveMany(db, actor, r, enterprise, { add, change: [] })
    return { Added: add.length }
  })

const at = (i: number, error: unknown) =>
  error instanceof FieldFaults ? new FieldFaults(error.fields.map((f) => ({ ...f, field: `Items.${i}.${f.field}` }))) : error

/** Serves `BatchAdd` of a resource. */
export const serveBatchAdd = (app: FastifyInstance, r: Resource, call: ReturnType<typeof batchAddOf>, check?: Check) =>
  serve(app, call, ({ db, actor, body }) => addMany(db, actor, r, body.Items as Values[], check))
