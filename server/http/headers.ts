import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
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

/** Security headers of every answer (security.md S43). helmet works it out once: it is the same for all calls. */
export const commonHeaders = (https: boolean): Record<string, string> => {
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
  return headers
}

/** A person's file: nothing in it can act on our origin (S31). */
const sandboxed = { 'content-security-policy': "default-src 'none'; sandbox" }

/** Additional or overriding headers by kind of answer. No other file sets headers for security or caching. */
export const headersOf = {
  /** Its name changes with its content. */
  asset: { 'cache-control': 'public, max-age=31536000, immutable' },
  page: { 'cache-control': 'no-cache' },
  /** The OpenAPI document, for people with a session. */
  description: { 'cache-control': 'private, no-cache' },
  openFile: { ...sandboxed, 'cache-control': 'public, max-age=86400' },
  ownFile: { ...sandboxed, 'cache-control': 'private, max-age=3600' },
} as const

/** The head of an answer that no route writes: bytes that are no HTTP, or a refused upgrade. */
export const bareAnswer = (status: string, https: boolean) => {
  const headers = { ...commonHeaders(https), connection: 'close', 'content-length': '0' }
  return `HTTP/1.1 ${status}\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`
}

/** For bytes that are no HTTP, which reach no route. */
export const answerClientError =
  (https: boolean) =>
  (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return
    const status =
      error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? '408 Request Timeout'
        : error.code === 'HPE_HEADER_OVERFLOW'
          ? '431 Request Header Fields Too Large'
          : '400 Bad Request'
    if (socket.writable) socket.write(bareAnswer(status, https))
    socket.destroy(error)
  }

export const protectAnswers = (app: FastifyInstance, { https }: { https: boolean }) => {
  const headers = commonHeaders(https)
  app.addHook('onRequest', async (request, reply) => void reply.headers(headers).header('x-request-id', request.id))
}
