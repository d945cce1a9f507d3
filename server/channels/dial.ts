import { connect, isIP } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { BoundedSocket } from './boundedSocket.ts'
import { judged, type Within } from './outbound.ts'

/** Of ours, both as PEM. */
export type ClientCertificate = { cert: string; key: string }
/** A connection to an address that was judged; `port` where the address names none. `most`: bytes that it may answer. */
export const dial = async (
  to: string,
  within: Within,
  standard: { port: number; most: number; isSecure?: boolean; certificate?: ClientCertificate | undefined },
): Promise<BoundedSocket> => {
  const url = new URL(to)
  const port = Number(url.port) || standard.port
  const { address } = await judged(url.hostname, port, within)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const socket = standard.isSecure
    ? connectTls({ host: address, port, ...standard.certificate, ...(isIP(host) ? {} : { servername: host }) })
    : connect({ host: address, port })
  // Its user learns of its end from `close`.
  return new BoundedSocket(socket, standard.most).on('error', () => undefined)
}
