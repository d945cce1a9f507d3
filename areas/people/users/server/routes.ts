import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import { menus } from '../../../../contract/menus.ts'
import { toSheet } from '../../../../server/files/sheet.ts'
import { sendFile } from '../../../../server/http/files.ts'
import { serve } from '../../../../server/http/serve.ts'
import { word } from '../../../../server/http/words.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import type { Attempts } from '../../../../server/identity/attempts.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { AnsweredUser, ChangedUser, importedFields, MadeUser, NewUser, user, userCalls } from '../contract.ts'
import type { usersService } from './service.ts'
import { accountsOf } from './sheet.ts'

export const userRoutes = (app: FastifyInstance, users: ReturnType<typeof usersService>, attempts: Attempts) => {
  crud(app, user, {
    own: {
      find: users.one,
      list: users.list,
      create: (_, actor, draft) => users.create(actor, draft as Static<typeof NewUser>),
      update: users.update,
      remove: users.remove,
    },
    shapes: { draft: NewUser, change: ChangedUser, row: AnsweredUser, made: MadeUser },
    acts: {
      lock: ({ db, actor, row }) => users.lock(db, actor, row.Id),
      unLock: ({ db, actor, row }) => users.unlock(db, actor, row.Id),
      resetPwd: ({ db, actor, row }) => users.resetPassword(db, actor, row.Id),
    },
  })
  serve(app, userCalls.template, async ({ actor, request, reply }) => {
    const language = languageOf(request)
    const file = await toSheet(user, importedFields, [], { language, person: actor })
    return sendFile(reply, `${word(language, 'menu.m10402')}.xlsx`, file)
  })
  serve(app, userCalls.import, async ({ query, request }) => {
    const tenant = query.EnterpriseId ? { EnterpriseId: query.EnterpriseId } : {}
    return app.uploads.receiveImport(request, async (file, { actor }) => {
      const accounts = await accountsOf(file, languageOf(request), actor.EnterpriseId)
      return users.importSheet(
        actor,
        accounts.map((values) => ({ ...values, ...tenant })),
      )
    })
  })

  serve(app, userCalls.roleList, ({ db, actor, body }) =>
    body.UserId ? users.choosable(db, actor, body.UserId) : users.offered(db, actor, body.EnterpriseId),
  )
  serve(app, userCalls.roles, async ({ db, actor, query }) =>
    (await users.choosable(db, actor, query.UserId)).filter((r) => r.Checked).map(({ Id, RoleName }) => ({ Id, RoleName })),
  )
  serve(app, userCalls.setRoles, ({ db, actor, body }) => users.setRoles(db, actor, body.UserId, () => body.RoleIds))
  serve(app, userCalls.addRoles, ({ db, actor, body }) => users.setRoles(db, actor, body.UserId, (held) => [...held, ...body.RoleIds]))
  serve(app, userCalls.removeRoles, ({ db, actor, body }) =>
    users.setRoles(db, actor, body.UserId, (held) => held.filter((id) => !body.RoleIds.includes(id))),
  )

  serve(app, userCalls.account, ({ db, actor }) => users.one(db, actor, actor.UserId))
  serve(app, userCalls.setAccount, ({ db, actor, body }) => users.setAccount(db, actor, body, attempts))
  serve(app, userCalls.modules, ({ actor, request }) =>
    menus
      .filter((m) => actor.may.has(m.code) || m.children?.some((child) => actor.may.has(child.code)))
      .map((m) => ({ ModuleCode: m.code, ModuleName: word(languageOf(request), `menu.${m.code}`) })),
  )
  serve(app, userCalls.sessions, ({ actor }) => users.sessions(actor))
  serve(app, userCalls.endSession, ({ actor, body }) => users.endSession(actor, body.Session))
}
