import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip as gzipCompress } from 'node:zlib'
import negotiator from '@fastify/accept-negotiator'
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { hmacScheme } from '../../contract/signature.ts'
import { version } from '../../contract/version.ts'
import { headersOf } from './headers.ts'

const file = (name: string) => readFileSync(new URL(`./docs/${name}`, import.meta.url), 'utf8')
const [page, style, script] = [file('docs.html'), file('docs.css'), file('docs.mjs')]

/**
 * OpenAPI 3.1 of every call, at `/api/openapi.json`, for people and programs that have signed in (ruling 5, S48). The page that shows
 * it, `/api/docs`, is public and empty: it asks for the document with the console's token or with a key.
 */
export const openApi = async (app: FastifyInstance) => {
  await app.register(swagger, {
    openapi: {
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
    },
    transform: ({ schema, url, route }) => {
      const { permission, alsoBy, reads } = (route.config ?? {}) as { permission?: string; alsoBy?: readonly string[]; reads?: boolean }
      const more = {
        tags: [url.split('/')[2] ?? ''],
        'x-permission': permission,
        'x-reads': reads,
        ...(alsoBy ? { 'x-also-by': alsoBy } : {}),
      }
      return { schema: { ...(schema as object), ...more } as never, url }
    },
  })
}

type Encoding = 'br' | 'gzip' | 'identity'

/** Putting the document together holds the main loop for about 100 ms, so it is done once. */
const documentCache = (app: FastifyInstance) => {
  const make = async () => {
    const identity = Buffer.from(JSON.stringify(app.swagger()))
    const [br, gzip] = await Promise.all([
      promisify(brotliCompress)(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
      promisify(gzipCompress)(identity),
    ])
    return { bodies: { br, gzip, identity }, etag: `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 27)}"` }
  }
  let cached: ReturnType<typeof make> | undefined
  return () => {
    cached ??= make()
    return cached
  }
}

const encodingOf = (accepted = ''): Encoding =>
  (negotiator.negotiate(accepted.toLowerCase(), ['br', 'gzip', 'identity']) as Encoding | null) ?? 'identity'

const hidden = {
  schema: { hide: true, response: { 200: Type.Unknown(), 304: Type.Unknown() } },
  config: { permission: 'caller' as const, reads: true },
}
const text = { schema: { hide: true, response: { 200: Type.String() } }, config: { permission: 'public' as const } }

export const openApiRoutes = (app: FastifyInstance) => {
  const document = documentCache(app)
  // Before anybody waits for an answer. Tests that do not listen make it when they first ask.
  app.addHook('onListen', async () => void (await document()))
  app.get('/openapi.json', hidden, async (request, reply) => {
    const { bodies, etag } = await document()
    reply.headers({ ...headersOf.description, etag, vary: 'accept-encoding' }).type('application/json; charset=utf-8')
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    const encoding = encodingOf(request.headers['accept-encoding'])
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    return reply.send(bodies[encoding])
  })
  app.get('/docs', text, async (_request, reply) => reply.type('text/html; charset=utf-8').send(page))
  app.get('/docs.css', text, async (_request, reply) => reply.type('text/css').send(style))
  app.get('/docs.js', text, async (_request, reply) => reply.type('text/javascript').send(script))
}
