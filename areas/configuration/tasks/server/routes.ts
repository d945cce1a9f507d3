import type { FastifyInstance } from 'fastify'
import { crud } from '../../../../server/resource/crud.ts'
import { store } from '../../../../server/resource/store.ts'
import { pointCheck, projectTask, projectTaskRow, taskDraft } from '../contract.ts'
import { assertMayRun } from './create.ts'
import { addTask, type TaskDraft } from './service.ts'
import { actsOf, readingOwn } from './state.ts'

export const taskRoutes = (app: FastifyInstance) => {
  const tasks = readingOwn(projectTask)
  for (const r of [projectTaskRow, pointCheck]) crud(app, r, { except: ['create', 'update', 'remove'], own: readingOwn(r) })
  crud(app, projectTask, {
    acts: actsOf({ task: projectTask, row: projectTaskRow }, (actor, { Kind }) => assertMayRun(actor, Kind!)),
    shapes: { draft: taskDraft },
    own: {
      ...tasks,
      create: (db, actor, draft) => addTask(db, actor, draft as TaskDraft),
      update: async (db, actor, id, change) => {
        const { Kind } = (await tasks.find(db, actor, id)) as { Kind?: number }
        assertMayRun(actor, Kind!)
        return store(projectTask).update(db, actor, id, change)
      },
      remove: async (db, actor, ids) => {
        for (const id of ids) await tasks.find(db, actor, id)
        return store(projectTask).remove(db, actor, ids)
      },
    },
  })
}
