import type { FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'
import { actCall, isDone, isPossible } from '../../contract/acts.ts'
import type { Call } from '../../contract/call.ts'
import type { Act, Resource, Row } from '../../contract/resource.ts'
import { Fault } from '../http/faults.ts'
import { type Served, serve } from '../http/serve.ts'
import { setMany } from './bulk.ts'
import { idsOf, type Work } from './crud.ts'
import { type Check, checkRefs } from './store.ts'

type Values = Record<string, unknown>
type Acted = Row<Resource> & Values
/** The area's part of an act, for one record that the caller sees. What it answers is answered; otherwise the record, read again. */
export type ActHandler = (served: Omit<Served<Call>, 'body'> & { body: Values; row: Acted }) => unknown
export type ActHandlers = Readonly<Record<string, ActHandler>>
type Parts = { row: TSchema; handlers?: ActHandlers | undefined; check?: Check | undefined }

/** Checks what the caller gives against the records it names. */
const checkGiven = async ({ db, actor }: Served<Call>, r: Resource, { fields = {} }: Act, given: Values, rows: readonly Acted[]) => {
  for (const enterprise of new Set(rows.map((row) => row.EnterpriseId))) await checkRefs(db, actor, { ...r, fields }, given, enterprise)
}

/** Serves the acts of a resource: those with a handler by the handler, others by setting their values, which are checked like a change. */
export const serveActs = (app: FastifyInstance, r: Resource, rows: Work, { row, handlers = {}, check }: Parts) => {
  for (const [name, act] of Object.entries(r.acts ?? {})) {
    const handler = handlers[name]
    if (!handler && !act.set) throw new Error(`${r.name}: nothing does the act "${name}"`)
    serve(app, actCall(r, name, row), async (served) => {
      const { db, actor } = served
      const { Id, Ids, ClientKey: _, ...given } = served.body as Values
      const ids = idsOf({ Id, Ids })
      const acted: Acted[] = []
      if (handler || act.fields) for (const id of ids) acted.push((await rows.find(db, actor, id)) as Acted)
      await checkGiven(served, r, act, given, acted)
      const assertPossible = (row: Values) => {
        if (!isDone(act, row) && !isPossible(r, act, row)) throw new Fault('wrongState', { title: String(row[r.title] ?? row.Id) })
      }
      if (!handler) {
        const values = { ...given, ...act.set }
        const changed = await setMany(db, actor, r, ids, values, async (db, row) => {
          assertPossible(row)
          await check?.(db, actor, values, row)
        })
        return (act.many ? { Changed: changed } : await rows.find(db, actor, ids[0]!)) as never
      }
      for (const row of acted) assertPossible(row)
      const answers = []
      for (const row of acted) answers.push(await handler({ ...served, body: served.body as Values, row }))
      return (act.many ? { Changed: acted.length } : (answers[0] ?? (await rows.find(db, actor, ids[0]!)))) as never
    })
  }
}
