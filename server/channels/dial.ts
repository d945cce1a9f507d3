import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { judged, type Within } from './outbound.ts'

/** Of ours, both as PEM. */
export type ClientCertificate = { cert: string; key: string }
/** A connection to an address that was judged; `port` where the address names none. */
export const dial = async (
  to: string,
  within: Within,
  standard: { port: number; isSecure?: boolean; certificate?: ClientCertificate | undefined },
): Promise<Socket> => {
  const url = new URL(to)
  const port = Number(url.port) || standard.port
  const { address } = await judged(url.hostname, port, within)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const socket = standard.isSecure
    ? connectTls({ host: address, port, ...standard.certificate, ...(isIP(host) ? {} : { servername: host }) })
    : connect({ host: address, port })
  // Its user learns of its end from `close`.
  return socket.on('error', () => undefined)
}
