import { createReadStream, existsSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { notFound } from '../../../../server/http/faults.ts'
import { sendFile } from '../../../../server/http/files.ts'
import { serve } from '../../../../server/http/serve.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { store } from '../../../../server/resource/store.ts'
import { reportRun, reportRunCalls, reportSchedule } from '../contract.ts'
import type { ReportRuns } from './runner.ts'
import { againOf, assertHasEmail, fileOfRun, receivers, releaseRun, schedulesService, withdrawRun } from './service.ts'

const runs = store(reportRun)

export const reportScheduleRoutes = (app: FastifyInstance, made: ReportRuns, clock: () => number) => {
  const service = schedulesService(clock)
  crud(app, reportSchedule, {
    check: service.check,
    own: { create: service.create },
    acts: {
      enable: ({ db, actor, row }) => service.enable(db, actor, row.Id),
      disable: ({ db, actor, row }) => service.disable(db, actor, row.Id),
      run: ({ row }) => made.runNow(row.Id),
      test: async ({ db, actor, row }) => {
        await assertHasEmail(db, actor, row.EnterpriseId)
        return made.runNow(row.Id, actor.UserId)
      },
    },
  })
  crud(app, reportRun, {
    except: ['create', 'update'],
    own: {
      remove: async (db, actor, ids) => {
        const removed = await runs.remove(db, actor, ids)
        for (const id of ids) made.drop(id)
        return removed
      },
    },
    acts: {
      release: ({ db, actor, row, body }) => releaseRun(db, actor, row, body).then(() => undefined),
      withdraw: ({ db, actor, row }) => withdrawRun(db, actor, row).then(() => undefined),
      remake: async ({ db, row }) => {
        await againOf(db, row)
        made.begin()
      },
    },
  })
  serve(app, reportRunCalls.receivers, ({ db, actor }) => receivers(db, actor))
  serve(app, reportRunCalls.file, async ({ db, actor, query, reply }) => {
    const { FileName, Format } = await fileOfRun(db, actor, query.Id)
    const path = made.pathOf(query.Id, Format)
    if (!existsSync(path)) throw notFound()
    return sendFile(reply, FileName, createReadStream(path))
  })
}
