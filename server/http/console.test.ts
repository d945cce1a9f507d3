import Fastify, { type FastifyInstance } from 'fastify'
import { expect, it } from 'vitest'
import { serveConsole } from './console.ts'

it('where phones may keep nothing, the worker removes itself with what it served, and no list of files installs another', async () => {
  const app = Fastify() as unknown as FastifyInstance
  await serveConsole(app, { offline: false })
  const worker = await app.inject('/worker.js')
  expect(worker.headers).toMatchObject({ 'content-type': expect.stringContaining('text/javascript'), 'cache-control': 'no-cache' })
  const calls: string[] = []
  const listeners = new Map<string, (event: { waitUntil: (of: Promise<unknown>) => void }) => void>()
  const names = ['addEventListener', 'skipWaiting', 'caches', 'registration']
  new Function(...names, worker.body)(
    (name: string, listener: never) => listeners.set(name, listener),
    () => calls.push('skipWaiting'),
    { delete: async (name: string) => calls.push(`delete ${name}`) },
    { unregister: async () => calls.push('unregister') },
  )
  listeners.get('install')!({ waitUntil: () => undefined })
  await new Promise((done) => listeners.get('activate')!({ waitUntil: (of) => void of.then(done) }))
  expect(calls).toEqual(['skipWaiting', 'delete penstock-build', 'unregister'])
  expect((await app.inject('/offline.json')).json()).toBeNull()
})
