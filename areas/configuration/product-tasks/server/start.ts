import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../../server/context.ts'
import { assertHolds, serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import { crud, idsOf } from '../../../../server/resource/crud.ts'
import { store } from '../../../../server/resource/store.ts'
import { actsOf, fewTaken, readingOwn, startTaskRunner } from '../../tasks/server/service.ts'
import { productTask, productTaskCalls, productTaskRow } from '../contract.ts'
import { addProducts } from './add.ts'
import { productKind, removeProducts } from './products.ts'

export const productTables = { task: productTask, row: productTaskRow }

export const productTaskRoutes = (app: FastifyInstance) => {
  const { pause, resume, retry } = actsOf(productTables, (actor) => assertHolds(actor, [productKind.needs]))
  const tasks = readingOwn(productTask)
  crud(app, productTaskRow, { except: ['create', 'update', 'remove'], own: readingOwn(productTaskRow) })
  crud(app, productTask, {
    except: ['create', 'update'],
    acts: { stopTask: pause, startTask: resume, retry },
    own: {
      ...tasks,
      remove: async (db, actor, ids) => {
        for (const id of ids) await tasks.find(db, actor, id)
        return store(productTask).remove(db, actor, ids)
      },
    },
  })
  serve(app, productTaskCalls.add, ({ db, actor, body, request }) => addProducts(db, { ...actor, language: languageOf(request) }, body))
  serve(app, productTaskCalls.removeProject, async ({ db, actor, request }) => ({
    Removed: await removeProducts(db, actor, idsOf(request.params)),
  }))
}

/** Starts the runner of product tasks and serves their calls. */
export const startProductTasks = (c: Context) => {
  c.opened(startTaskRunner({ ...c, kinds: { 1: fewTaken(productKind, c.clock) }, of: productTables }), (runner) => runner.stop())
  c.routes.push(productTaskRoutes)
}
