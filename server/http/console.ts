import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { Fault } from './faults.ts'
import { headersOf } from './headers.ts'

const folder = fileURLToPath(new URL('../../console/dist/', import.meta.url))

/** A worker that removes itself and its cache, served where offline work is disabled. */
const removal = `addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) =>
  event.waitUntil(caches.delete('penstock-build').then(() => registration.unregister())))
`
const withoutOffline = (app: FastifyInstance) => {
  const given = { schema: { hide: true }, config: { permission: 'public' as const } }
  app.get('/worker.js', given, async (_, reply) => reply.headers(headersOf.page).type('text/javascript').send(removal))
  app.get('/offline.json', given, async (_, reply) => reply.headers(headersOf.page).type('application/json').send('null'))
}

/**
 * The built console: files of `assets/` carry their hash and are cached for ever; every path that names no file is the one page. All but the
 * login's names the files that every screen needs, too, so that they load in parallel.
 */
export const serveConsole = async (app: FastifyInstance, { offline = true } = {}) => {
  if (!offline) withoutOffline(app)
  if (!existsSync(`${folder}index.html`)) return
  await app.register(fastifyStatic, {
    root: folder,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => void reply.headers(headersOf[path.includes('/assets/') ? 'asset' : 'page']),
  })
  app.get('/*', { schema: { hide: true }, config: { permission: 'public' } }, async (request, reply) => {
    const path = (request.params as { '*': string })['*']
    if (path.startsWith('api/')) throw new Fault('noSuchPath')
    return reply.sendFile(/\.\w+$/.test(path) ? path : path === 'login' ? 'index.html' : 'console.html')
  })
}
