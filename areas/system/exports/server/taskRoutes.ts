import { createReadStream } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { exportCalls, exportPermission, isTasked } from '../../../../contract/exports.ts'
import { Fault } from '../../../../server/http/faults.ts'
import { sendFile } from '../../../../server/http/files.ts'
import { serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import { idsOf } from '../../../../server/resource/crud.ts'
import { readListing } from '../../../../server/resource/list.ts'
import { resources } from '../../../index.ts'
import { exported } from './service.ts'
import type { Exports } from './tasks.ts'

export const exportTaskRoutes = (app: FastifyInstance, exports: Exports) => {
  serve(app, exportCalls.tasks, ({ actor, request }) =>
    exports.list(actor, readListing(request.query as Record<string, unknown>), languageOf(request)),
  )
  serve(app, exportCalls.start, ({ actor, body, request }) => {
    const r = resources.find((r) => r.name === body.Resource && isTasked(r))
    if (!r) throw new Fault('notFound')
    if (!actor.may.has(exportPermission(r))) throw new Fault('forbidden', { permission: exportPermission(r) })
    const listing = readListing({ ...body.Query })
    const [names, filters] = [exported(r, actor, body.Fields), body.Query ?? {}]
    return exports.startList(actor, {
      r,
      format: body.Format,
      names,
      listing,
      filters,
      language: languageOf(request),
      waits: body.Waits === 1,
    })
  })
  serve(app, exportCalls.remove, async ({ actor, request }) => ({
    Removed: await exports.remove(actor, idsOf(request.body, request.query)),
  }))
  serve(app, exportCalls.file, async ({ actor, query, reply }) => {
    const { path, name } = await exports.file(actor, query.Id)
    return sendFile(reply, name, createReadStream(path))
  })
}
