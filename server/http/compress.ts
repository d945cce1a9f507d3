import { pipeline, type Readable, type Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import negotiator from '@fastify/accept-negotiator'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Shorter answers fit into one network packet as they are. */
const leastBytes = 1024
/** Up to here compressing takes less than a millisecond, and the hand-over to another thread would take longer. */
const mostSync = 32 * 1024
/** Texts of ours. Everything else, such as sheets, pictures and archives, is compressed already. */
const texts = /^(application\/(json|openmetrics-text)|text\/(html|css|javascript|plain|csv))(;|$)/

type Codec = {
  sync: (content: Buffer) => Buffer
  whole: (content: Buffer, done: (error: Error | null, result: Buffer) => void) => void
  stream: () => Transform
}
const { constants } = zlib
/** The fast levels: what the next ones save, they take twice the time for. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const gzip = { level: 4 }
/** From here on the fastest level: it makes an answer of 2 MB an eighth larger, and takes a quarter of the time or less. */
const largeBytes = 1024 * 1024
const fastest = { brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }, gzip: { level: 1 } }
const codecs: Record<string, Codec> = {
  br: {
    sync: (content) => zlib.brotliCompressSync(content, brotli),
    whole: (content, done) => zlib.brotliCompress(content, content.length < largeBytes ? brotli : fastest.brotli, done),
    stream: () => zlib.createBrotliCompress(brotli),
  },
  // Node 20 has no zstd.
  ...('zstdCompress' in zlib && {
    zstd: { sync: zlib.zstdCompressSync, whole: zlib.zstdCompress, stream: zlib.createZstdCompress },
  }),
  gzip: {
    sync: (content) => zlib.gzipSync(content, gzip),
    whole: (content, done) => zlib.gzip(content, content.length < largeBytes ? gzip : fastest.gzip, done),
    stream: () => zlib.createGzip(gzip),
  },
}
const encodings = Object.keys(codecs)

const isCompressible = (request: FastifyRequest, reply: FastifyReply) =>
  request.method !== 'HEAD' &&
  reply.statusCode !== 206 &&
  !reply.hasHeader('content-encoding') &&
  texts.test(String(reply.getHeader('content-type') ?? ''))

/**
 * Compresses texts as the client accepts it; streams stay streams. The hub's messages travel on their own socket and are not touched.
 * BREACH does not apply: tokens travel in a header, not in cookies, so no foreign page can make a browser ask for an answer with a secret.
 */
export const compressAnswers = (app: FastifyInstance) => {
  app.addHook('onSend', (request, reply, payload: unknown, done: (error: Error | null, payload?: unknown) => void) => {
    if (!payload || !isCompressible(request, reply)) return done(null, payload)
    const isStream = typeof (payload as Readable).pipe === 'function'
    const content = typeof payload === 'string' ? Buffer.from(payload) : payload
    if (!isStream && (!Buffer.isBuffer(content) || content.length < leastBytes)) return done(null, payload)
    // Caches must not give one client's encoding to another.
    reply.header('vary', 'accept-encoding')
    const encoding = negotiator.negotiate(String(request.headers['accept-encoding'] ?? '').toLowerCase(), encodings)
    const codec = encoding ? codecs[encoding] : undefined
    if (!codec) return done(null, payload)
    const send = (error: Error | null, result: unknown) => {
      if (error) return done(error)
      reply.removeHeader('content-length').header('content-encoding', encoding)
      done(null, result)
    }
    // An error of either reaches Fastify through the stream that it sends.
    if (isStream)
      return send(
        null,
        pipeline(payload as Readable, codec.stream(), () => {}),
      )
    if ((content as Buffer).length > mostSync) return codec.whole(content as Buffer, send)
    send(null, codec.sync(content as Buffer))
  })
}
