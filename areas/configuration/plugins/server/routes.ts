import type { FastifyInstance } from 'fastify'
import type { Sandbox } from '../../../../sandbox/sandbox.ts'
import { serve } from '../../../../server/http/serve.ts'
import { crud, removes } from '../../../../server/resource/crud.ts'
import { ownSandbox, parseWorkWith } from '../../data-parse/server/service.ts'
import { pluginCalls, protocolPlugin } from '../contract.ts'
import { importPlugin, plugins, removePlugins, switchCheck, usesOf } from './service.ts'

export const pluginRoutes = (app: FastifyInstance, sandbox: Sandbox = ownSandbox(app)) => {
  const parse = parseWorkWith(sandbox)
  crud(app, protocolPlugin, { own: { update: plugins.update, remove: removePlugins }, checkAct: switchCheck })
  serve(app, pluginCalls.create, ({ db, actor, body }) => importPlugin(db, actor, parse, body))
  removes(app, pluginCalls.removeMany, removePlugins)
  serve(app, pluginCalls.uses, ({ db, actor }) => usesOf(db, actor))
}
