import type { FastifyInstance } from 'fastify'
import { menuCalls } from '../../../../contract/menu-entries.ts'
import { serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import type { menusService } from './service.ts'

export const menuRoutes = (app: FastifyInstance, menus: ReturnType<typeof menusService>) => {
  serve(app, menuCalls.modules, ({ actor, request }) => menus.modules(actor, languageOf(request)))
  serve(app, menuCalls.list, ({ request }) => menus.list(languageOf(request)))
  serve(app, menuCalls.tree, ({ request }) => menus.tree(languageOf(request)))
  serve(app, menuCalls.create, ({ actor, body, request }) => menus.create(actor, languageOf(request), body))
  serve(app, menuCalls.update, ({ actor, body: { Id, ...given }, request }) => menus.change(actor, languageOf(request), Id, given))
  serve(app, menuCalls.remove, ({ actor, body, request }) => menus.remove(actor, languageOf(request), body.Id))
  serve(app, menuCalls.rename, ({ actor, body, request }) => menus.rename(actor, languageOf(request), body.Id, body.MenuName))
}
