import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import i18next from 'i18next'
import { vi } from 'vitest'
import english from '../words/words.en.json' with { type: 'json' }

/** The browser's storage. Set up before any code of the session reads it. */
export const kept = new Map<string, string>([['penstock.language', 'en']])
const storage = (map: Map<string, string>) => ({
  getItem: (name: string) => map.get(name) ?? null,
  setItem: (name: string, value: string) => map.set(name, value),
  removeItem: (name: string) => map.delete(name),
})
vi.stubGlobal('localStorage', storage(kept))
vi.stubGlobal('sessionStorage', storage(new Map()))

export type Reply = { status: number; body?: unknown }
type Asked = { url: string; headers: Record<string, unknown>; body: string }

/** A wrapper as the server sends it. */
export const wrapped = (Data: unknown, StatusCode = 200, Errors: unknown = null) => ({
  Succeeded: StatusCode === 200,
  StatusCode,
  Data,
  Errors,
})

/** A real HTTP server that answers as the test specifies; status 0 never answers. The browser's addresses are relative to the page. */
export const startAnswering = async (reply: (path: string) => Reply, online = () => true) => {
  await i18next.init({
    lng: 'en',
    keySeparator: false,
    nsSeparator: false,
    interpolation: { prefix: '{', suffix: '}' },
    resources: { en: { translation: { ...english, 'session.displaced': 'Signed in elsewhere', 'session.noMenus': 'No menus' } } },
  })
  const asked: Asked[] = []
  const server = createServer(async (incoming, outgoing) => {
    let body = ''
    for await (const chunk of incoming) body += chunk
    asked.unshift({ url: incoming.url!, headers: incoming.headers, body })
    const { status, body: answer } = reply(incoming.url!.split('?')[0]!)
    if (status === 0) return
    outgoing.writeHead(status, { 'content-type': 'application/json' })
    outgoing.end(status === 205 ? undefined : JSON.stringify(answer))
  }).listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const fetched = globalThis.fetch
  vi.stubGlobal('fetch', (path: string, options: RequestInit) => fetched(origin + path, options))
  vi.stubGlobal('navigator', {
    get onLine() {
      return online()
    },
  })
  return {
    /** Latest first. */
    asked,
    /** Cuts the connection to the server during `run`. */
    async cut(run: () => Promise<void>) {
      const through = globalThis.fetch
      vi.stubGlobal('fetch', () => fetched('http://127.0.0.1:1/'))
      await run()
      vi.stubGlobal('fetch', through)
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
