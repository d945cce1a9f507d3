import type { FastifyInstance } from 'fastify'
import { fileCalls, filePurposes } from '../../../../contract/files.ts'
import { Fault, notFound } from '../../../../server/http/faults.ts'
import { headersOf } from '../../../../server/http/headers.ts'
import { serve } from '../../../../server/http/serve.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { bearer } from '../../../../server/identity/authenticate.ts'
import type { Sessions } from '../../../../server/identity/sessions.ts'
import type { Files } from './service.ts'

export const fileRoutes = (app: FastifyInstance, files: Files, sessions: Sessions) => {
  serve(app, fileCalls.upload, async ({ query, request }) => {
    const purpose = query.Purpose ?? 'attachment'
    const keep = (file: { name: string; content: Buffer }, { actor }: { actor: Actor }) =>
      files.keep(actor, purpose, query.MenuEncoding, file.name, file.content, query.ClientKey)
    return app.uploads.receive(request, keep, { fileSize: filePurposes[purpose].most, missing: 'fileEmpty' })
  })
  serve(app, fileCalls.sign, ({ actor, query }) => files.sign(actor, query.FilePath))
  serve(app, fileCalls.usage, ({ actor }) => files.usage(actor))
  serve(app, fileCalls.remove, ({ actor, body }) => files.remove(actor, body.FilePath))
  serve(app, fileCalls.download, async ({ query, request, reply }) => {
    const { tenant, name } = request.params as { tenant: string; name: string }
    const token = bearer(request)
    const who = token ? await sessions.who(token) : undefined
    const actor = who && !('ended' in who) ? who : undefined
    if (actor?.mustChangePassword) throw new Fault('mustChangePassword')
    const file = await files.open(`${tenant}/${name}`, actor, query)
    if (file.content.errored) throw notFound()
    // Only pictures that we re-encoded are displayed inline; everything else is a download and cannot run on our origin (S31).
    const shown = file.ContentType === 'image/webp' && filePurposes[file.Purpose].picture
    return reply
      .header('content-disposition', `${shown ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(file.FileName)}`)
      .headers(headersOf[filePurposes[file.Purpose].open ? 'openFile' : 'ownFile'])
      .header('content-length', file.Size)
      .type(file.ContentType)
      .send(file.content)
  })
}
