import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { judged, type Within } from './outbound.ts'

/** A connection to an address that was judged; `port` where the address names none. */
export const dial = async (to: string, within: Within, standard: { port: number; isSecure?: boolean }): Promise<Socket> => {
  const url = new URL(to)
  const port = Number(url.port) || standard.port
  const { address } = await judged(url.hostname, port, within)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const socket = standard.isSecure
    ? connectTls({ host: address, port, ...(isIP(host) ? {} : { servername: host }) })
    : connect({ host: address, port })
  // Whoever uses it hears of its end by `close`.
  return socket.on('error', () => undefined)
}
