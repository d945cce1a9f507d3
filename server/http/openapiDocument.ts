// The OpenAPI 3.1 document of all calls. Its schemas are JSON Schema, as those of the calls are, so nothing is converted.
import type { FastifyInstance, RouteOptions } from 'fastify'
import { hmacScheme } from '../../contract/signature.ts'
import { version } from '../../contract/version.ts'
import { pausing } from '../jobs/ownTurn.ts'

declare module 'fastify' {
  interface FastifySchema {
    /** Leaves the route out of the document. */
    hide?: boolean
  }
}

type Schema = { properties?: Record<string, { description?: string }>; required?: readonly string[] }
type CallSchema = Partial<Record<'body' | 'querystring' | 'params', Schema>> & { response?: Record<string, object> }
type Config = { permission?: string; alsoBy?: readonly string[]; reads?: boolean }

const head = {
  openapi: '3.1.0',
  info: {
    title: 'Penstock',
    version,
    description: 'Every answer is the wrapper {Succeeded, StatusCode, Data, Errors, Details}.',
  },
  components: {
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', description: 'A session, or a program: AccessKey.Secret' },
      signed: { type: 'apiKey', in: 'header', name: 'authorization', description: `${hmacScheme}; /api/docs says what is signed` },
    },
  },
  security: [{ bearer: [] }, { signed: [] }],
}

const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const parameters = (where: 'query' | 'path', { properties = {}, required = [] }: Schema) =>
  Object.entries(properties).map(([name, { description, ...schema }]) => ({
    ...{ schema, in: where, name, required: where === 'path' || required.includes(name) },
    ...(description === undefined ? {} : { description }),
  }))

const operationOf = ({ url, schema = {}, config = {} }: RouteOptions) => {
  const { body, querystring, params, response = {} } = schema as CallSchema
  const { permission, alsoBy, reads } = config as Config
  const named = [...url.matchAll(/:(\w+)/g)].map(([, name]) => [name!, { type: 'string' }])
  const all = [...parameters('query', querystring ?? {}), ...parameters('path', params ?? { properties: Object.fromEntries(named) })]
  return {
    tags: [url.split('/')[2] ?? ''],
    ...(all.length ? { parameters: all } : {}),
    ...(body ? { requestBody: { required: true, ...json(body) } } : {}),
    ...{ 'x-permission': permission, 'x-reads': reads, 'x-also-by': alsoBy },
    responses: Object.fromEntries(
      Object.entries(response).map(([status, of]) => [status, { description: 'Default Response', ...json(of) }]),
    ),
  }
}

/** Describes the routes that are added from now on. Returns a function that writes the document, yielding to the event loop. */
export const describeCalls = (app: FastifyInstance) => {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD' && !route.schema?.hide) routes.push(route)
  })
  return async (): Promise<Buffer> => {
    const paths = Map.groupBy(routes, ({ url }) => url.replace(/:(\w+)/g, '{$1}'))
    const pause = pausing()
    const pieces: Buffer[] = []
    for (const [path, some] of paths) {
      const methods = Object.fromEntries(some.map((route) => [String(route.method).toLowerCase(), operationOf(route)]))
      pieces.push(Buffer.from(`${pieces.length ? ',' : ''}${JSON.stringify(path)}:${JSON.stringify(methods)}`))
      await pause()
    }
    return Buffer.concat([Buffer.from(`${JSON.stringify(head).slice(0, -1)},"paths":{`), ...pieces, Buffer.from('}}')])
  }
}
