import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip as gzipCompress } from 'node:zlib'
import negotiator from '@fastify/accept-negotiator'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { headersOf } from './headers.ts'

const file = (name: string) => readFileSync(new URL(`./docs/${name}`, import.meta.url), 'utf8')
const [page, style, script] = [file('docs.html'), file('docs.css'), file('docs.mjs')]

type Encoding = 'br' | 'gzip' | 'identity'

/** Written and compressed once, for the first caller. */
const documentCache = (write: () => Promise<Buffer>) => {
  const make = async () => {
    const identity = await write()
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

/**
 * OpenAPI 3.1 of every call, at `/api/openapi.json`, for people and programs that have signed in (ruling 5, S48). The page that shows
 * it, `/api/docs`, is public and empty: it asks for the document with the console's token or with a key.
 */
export const openApiRoutes = (app: FastifyInstance, write: () => Promise<Buffer>) => {
  const document = documentCache(write)
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
