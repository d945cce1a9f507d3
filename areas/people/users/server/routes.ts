import type { FastifyInstance } from 'fastify'
import { AnyObject, call, page, Removed } from '../../../../contract/call.ts'
import { menus } from '../../../../contract/menus.ts'
import { toSheet } from '../../../../server/files/sheet.ts'
import { sendFile } from '../../../../server/http/files.ts'
import { serve } from '../../../../server/http/serve.ts'
import { word } from '../../../../server/http/words.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import { idsOf } from '../../../../server/resource/crud.ts'
import { readListing } from '../../../../server/resource/list.ts'
import { AnsweredUser, importedFields, user, userCalls } from '../contract.ts'
import type { usersService } from './service.ts'
import { accountsOf } from './sheet.ts'

export const userRoutes = (app: FastifyInstance, users: ReturnType<typeof usersService>) => {
  const list = { path: '/System/User/List', permission: 'm10402', answer: page(AnsweredUser) }
  serve(app, call({ ...list, method: 'GET', query: AnyObject }), ({ db, actor, request }) =>
    users.list(db, actor, readListing(request.query as Record<string, unknown>)),
  )
  serve(app, call({ ...list, method: 'POST', reads: true, body: AnyObject }), ({ db, actor, request }) =>
    users.list(db, actor, readListing(request.body as Record<string, unknown>)),
  )
  serve(app, userCalls.find, ({ db, actor, query }) => users.one(db, actor, query.Id))
  serve(app, userCalls.detail, ({ db, actor, body }) => users.one(db, actor, body.Id))
  serve(app, userCalls.create, ({ actor, body }) => users.create(actor, body))
  serve(app, userCalls.update, ({ db, actor, body }) => users.update(db, actor, body.Id as number, body))
  for (const suffix of ['', '/BatchDelete'])
    serve(
      app,
      call({
        method: 'DELETE',
        path: `/System/User${suffix}`,
        permission: 'm10402.remove',
        query: AnyObject,
        answer: Removed,
      }),
      async ({ db, actor, request }) => ({ Removed: await users.remove(db, actor, idsOf(request.body, request.query)) }),
    )

  const described = user
  serve(app, userCalls.template, async ({ request, reply }) => {
    const language = languageOf(request)
    return sendFile(reply, `${word(language, 'menu.m10402')}.xlsx`, await toSheet(described, importedFields, [], language))
  })
  serve(app, userCalls.import, async ({ actor, query, request }) => {
    const tenant = query.EnterpriseId ? { EnterpriseId: query.EnterpriseId } : {}
    return app.uploads.receiveImport(request, async (file) => {
      const accounts = await accountsOf(file, languageOf(request), actor.EnterpriseId)
      return users.importSheet(
        actor,
        accounts.map((values) => ({ ...values, ...tenant })),
      )
    })
  })

  serve(app, userCalls.lock, ({ db, actor, body }) => users.lock(db, actor, body.Id))
  serve(app, userCalls.unlock, ({ db, actor, body }) => users.unlock(db, actor, body.Id))
  serve(app, userCalls.resetPassword, ({ db, actor, body }) => users.resetPassword(db, actor, body.Id))
  serve(app, userCalls.roleList, ({ db, actor, body }) => users.choosable(db, actor, body.UserId))
  serve(app, userCalls.roles, async ({ db, actor, query }) =>
    (await users.choosable(db, actor, query.UserId)).filter((r) => r.Checked).map(({ Id, RoleName }) => ({ Id, RoleName })),
  )
  serve(app, userCalls.setRoles, ({ db, actor, body }) => users.setRoles(db, actor, body.UserId, () => body.RoleIds))
  serve(app, userCalls.addRoles, ({ db, actor, body }) => users.setRoles(db, actor, body.UserId, (held) => [...held, ...body.RoleIds]))
  serve(app, userCalls.removeRoles, ({ db, actor, body }) =>
    users.setRoles(db, actor, body.UserId, (held) => held.filter((id) => !body.RoleIds.includes(id))),
  )

  serve(app, userCalls.account, ({ db, actor }) => users.one(db, actor, actor.UserId))
  serve(app, userCalls.setAccount, ({ db, actor, body }) => users.setAccount(db, actor, body))
  serve(app, userCalls.modules, ({ actor, request }) =>
    menus
      .filter((m) => actor.may.has(m.code) || m.children?.some((child) => actor.may.has(child.code)))
      .map((m) => ({ ModuleCode: m.code, ModuleName: word(languageOf(request), `menu.${m.code}`) })),
  )
  serve(app, userCalls.sessions, ({ actor }) => users.sessions(actor))
  serve(app, userCalls.endSession, ({ actor, body }) => users.endSession(actor, body.Session))
}
