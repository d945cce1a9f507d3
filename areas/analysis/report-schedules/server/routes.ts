import { createReadStream, existsSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { notFound } from '../../../../server/http/faults.ts'
import { sendFile } from '../../../../server/http/files.ts'
import { serve } from '../../../../server/http/serve.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { store } from '../../../../server/resource/store.ts'
import { reportLinkCalls, reportRun, reportRunCalls, reportSchedule } from '../contract.ts'
import { endLinks, type LinkNeeds, openReportLinks, sentOf } from './links.ts'
import type { ByHand } from './plan.ts'
import type { ReportRuns } from './runner.ts'
import { againOf, assertHasEmail, fileOfRun, receivers, releaseRun, schedulesService, withdrawRun } from './service.ts'

const runs = store(reportRun)

export const reportScheduleRoutes = (app: FastifyInstance, made: ReportRuns, needs: Omit<LinkNeeds, 'pathOf'>) => {
  const service = schedulesService(needs.clock)
  crud(app, reportSchedule, {
    check: service.check,
    own: { create: service.create, remove: service.remove },
    acts: {
      enable: ({ db, actor, row }) => service.enable(db, actor, row.Id),
      disable: ({ db, actor, row }) => service.disable(db, actor, row.Id),
      run: ({ row, body }) => made.runNow(row.Id, { period: body.Period as ByHand['period'] }),
      test: async ({ db, actor, row }) => {
        await assertHasEmail(db, actor, row.EnterpriseId)
        return made.runNow(row.Id, { sendTo: actor.UserId })
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
      endLinks: ({ db, row }) => endLinks(db, row.Id),
      withdraw: ({ db, actor, row }) => withdrawRun(db, actor, row).then(() => undefined),
      remake: async ({ db, row }) => {
        await againOf(db, row)
        made.begin()
      },
    },
  })
  serve(app, reportRunCalls.receivers, ({ db, actor }) => receivers(db, actor))
  serve(app, reportRunCalls.sent, ({ db, actor, query }) => sentOf(db, actor, query.Id))
  serve(app, reportRunCalls.file, async ({ db, actor, query, reply }) => {
    const { FileName, Format, Suffix } = await fileOfRun(db, actor, query.Id, query.Language)
    const path = made.pathOf(query.Id, Format, Suffix)
    if (!existsSync(path)) throw notFound()
    return sendFile(reply, FileName, createReadStream(path))
  })
  const links = openReportLinks({ ...needs, pathOf: (...of) => made.pathOf(...of) })
  serve(app, reportLinkCalls.open, ({ body, request }) => links.open(body.Token, request.ip))
  serve(app, reportLinkCalls.file, async ({ body, request, reply }) => {
    const { FileName, content } = await links.file(body.Token, request.ip)
    return sendFile(reply, FileName, content)
  })
}
