import type { FastifyInstance } from 'fastify'
import type { batchAddOf } from '../../contract/batch.ts'
import { joined, type Resource, writable } from '../../contract/resource.ts'
import type { Db } from '../database/db.ts'
import { FieldFaults } from '../http/faults.ts'
import { serve } from '../http/serve.ts'
import { constraintFault, fitting } from '../http/validation.ts'
import type { Actor } from '../identity/actor.ts'
import { saveMany } from './bulk.ts'
import { type Check, checkRefs, tenantOf } from './store.ts'

type Values = Record<string, unknown>

/** Prefixes a refusal with the position of its record. */
const at = (i: number, error: unknown) => (error instanceof FieldFaults ? error.below(`Items.${i}`) : error)

/** Adds records of one owner in one transaction with few statements. Refusals name the position: `Items.3.Code`. */
export const addMany = async (
  db: Db,
  actor: Actor,
  r: Resource,
  items: readonly Values[],
  check: Check = async (_db, _actor, given) => given,
) => {
  const defaults = Object.fromEntries(writable(r, 'create').map(([name, f]) => [name, f.default ?? null]))
  const write = async (db: Db) => {
    const enterprise = await tenantOf(db, actor, r, items[0]!)
    const add: Values[] = []
    const checked = new Set<string>()
    for (const [i, item] of items.entries()) {
      try {
        const draft = await check(db, actor, fitting(r, 'create', item))
        const refs = JSON.stringify(joined(r).map(([, field]) => draft[field] ?? null))
        if (!checked.has(refs)) await checkRefs(db, actor, r, draft, enterprise)
        checked.add(refs)
        add.push({ ...defaults, ...draft })
      } catch (error) {
        throw at(i, error)
      }
    }
    return { enterprise, add }
  }
  const save = (db: Db, enterprise: number, add: readonly Values[]) => saveMany(db, actor, r, enterprise, { add, change: [] })
  try {
    return await db.tx(async (db) => {
      const { enterprise, add } = await write(db)
      await save(db, enterprise, add)
      return { Added: add.length }
    })
  } catch (error) {
    if (!(constraintFault(error as object) instanceof FieldFaults)) throw error
    // PostgreSQL does not name the faulty record, so retry one by one to find the first.
    const oneByOne = async (db: Db) => {
      const { enterprise, add } = await write(db)
      for (const [i, one] of add.entries())
        await save(db, enterprise, [one]).catch((error) => Promise.reject(at(i, constraintFault(error as object) ?? error)))
    }
    // The surrounding transaction has failed, so no further checks are possible.
    throw (await db.tx(oneByOne).catch((again) => (again.code === '25P02' ? error : again))) ?? error
  }
}

/** Serves `BatchAdd` of a resource. */
export const serveBatchAdd = (app: FastifyInstance, r: Resource, call: ReturnType<typeof batchAddOf>, check?: Check) =>
  serve(app, call, ({ db, actor, body }) => addMany(db, actor, r, body.Items as Values[], check))
