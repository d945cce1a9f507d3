import { readFileSync } from 'node:fs'
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { hmacScheme } from '../../contract/areas/open-api.ts'

const file = (name: string) => readFileSync(new URL(`./docs/${name}`, import.meta.url), 'utf8')
const [page, style, script] = [file('docs.html'), file('docs.css'), file('docs.mjs')]

/** OpenAPI 3.1 of every call, at `/api/openapi.json`, and a page to browse it at `/api/docs` (ruling 5). */
export const openApi = async (app: FastifyInstance) => {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Penstock',
        version: '0.1.0',
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
      const permission = (route.config as { permission?: string } | undefined)?.permission
      return { schema: { ...(schema as object), tags: [url.split('/')[2] ?? ''], 'x-permission': permission } as never, url }
    },
  })
}

const text = { schema: { hide: true, response: { 200: Type.String() } }, config: { permission: 'public' as const } }

export const openApiRoutes = (app: FastifyInstance) => {
  app.get('/openapi.json', { schema: { hide: true }, config: { permission: 'public' } }, async (_request, reply) =>
    reply.type('application/json').send(JSON.stringify(app.swagger())),
  )
  app.get('/docs', text, async (_request, reply) => reply.type('text/html; charset=utf-8').send(page))
  app.get('/docs.css', text, async (_request, reply) => reply.type('text/css').send(style))
  app.get('/docs.js', text, async (_request, reply) => reply.type('text/javascript').send(script))
}
