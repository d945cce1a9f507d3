import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'

const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Penstock API</title><link rel="stylesheet" href="docs.css"><h1>Penstock API</h1><p>Machine-readable: <a href="openapi.json">openapi.json</a></p><main id="calls"></main><script src="docs.js"></script></html>`
const style =
  'body{font:14px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}details{border-bottom:1px solid #8884;padding:.3rem 0}summary{cursor:pointer}code{font-size:13px}pre{overflow:auto;background:#8881;padding:.6rem}'
const script = `fetch('openapi.json').then(r=>r.json()).then(d=>{const m=document.getElementById('calls');for(const[p,i]of Object.entries(d.paths))for(const[v,o]of Object.entries(i)){const e=document.createElement('details'),s=document.createElement('summary'),c=document.createElement('code'),b=document.createElement('pre');c.textContent=v.toUpperCase()+' '+p;s.append(c);b.textContent=JSON.stringify({permission:o['x-permission'],parameters:o.parameters,body:o.requestBody&&o.requestBody.content,answer:o.responses&&o.responses[200]},null,1);e.append(s,b);m.append(e)}})`

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
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
      security: [{ bearer: [] }],
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
