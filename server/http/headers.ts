import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'

/** Content of the page is ours alone; antd writes styles at run time, hence 'unsafe-inline' for styles only. */
const directives = {
  defaultSrc: ["'self'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'", "'unsafe-inline'"],
  imgSrc: ["'self'", 'data:', 'blob:'],
  connectSrc: ["'self'"],
  workerSrc: ["'self'", 'blob:'],
  objectSrc: ["'none'"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
  formAction: ["'self'"],
  upgradeInsecureRequests: null,
}

/** What every answer tells the browser to keep to (security.md S43). helmet works it out once: it is the same for all calls. */
export const protectAnswers = (app: FastifyInstance, { https }: { https: boolean }) => {
  const headers: Record<string, string> = {}
  const answer = {
    setHeader: (name: string, value: string) => Object.assign(headers, { [name.toLowerCase()]: value }),
    removeHeader: () => {},
  }
  helmet({
    contentSecurityPolicy: { directives },
    crossOriginEmbedderPolicy: false,
    strictTransportSecurity: https ? { maxAge: 31_536_000 } : false,
  })({} as IncomingMessage, answer as unknown as ServerResponse, (error) => {
    if (error) throw error
  })
  app.addHook('onRequest', async (request, reply) => void reply.headers(headers).header('x-request-id', request.id))
}
