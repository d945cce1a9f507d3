import type { FastifyInstance } from 'fastify'
import { serve } from '../../../../server/http/serve.ts'
import { firewallCalls } from '../contract.ts'
import type { firewallService } from './service.ts'

export const firewallRoutes = (app: FastifyInstance, firewall: ReturnType<typeof firewallService>) => {
  serve(app, firewallCalls.open, ({ actor, query }) => firewall.open(actor, query.Port, query.Minutes))
  serve(app, firewallCalls.close, ({ actor, query }) => firewall.close(actor, query.Port))
  serve(app, firewallCalls.state, ({ actor }) => firewall.state(actor))
}
