import { isIP } from 'node:net'
import { isOwn } from '../http/addresses.ts'

/**
 * Parses `nats://user:password@a:4222,nats://b:4222/plant`: all servers of one cluster, and after the last one the name of the fleet.
 * Throws with a reason for people.
 */
export const parseNatsUrl = (text: string) => {
  const urls = text.split(',').map((part) => {
    const url = /^(nats|tls):\/\//.test(part.trim()) && URL.canParse(part.trim()) ? new URL(part.trim()) : undefined
    if (!url?.hostname) throw new Error('must be addresses of NATS servers, such as nats://user:password@a:4222,nats://b:4222.')
    return url
  })
  const fleet = urls.at(-1)!.pathname.slice(1) || 'penstock'
  if (!/^[A-Za-z0-9_-]{1,32}$/.test(fleet)) throw new Error('names a fleet of letters, digits, _ and - alone, such as nats://a:4222/plant.')
  const signIn = urls.find(({ username }) => username)
  const isTls = urls.some(({ protocol }) => protocol === 'tls:')
  if (isTls && urls.some(({ protocol }) => protocol !== 'tls:')) throw new Error('must use tls:// for all of its servers, or for none.')
  return {
    fleet,
    isTls,
    servers: urls.map(({ hostname, port }) => `${hostname}:${port || 4222}`),
    isPrivate: isTls || urls.every(({ hostname }) => hostname === 'localhost' || (isIP(hostname) > 0 && isOwn(hostname))),
    ...(signIn ? { user: decodeURIComponent(signIn.username), pass: decodeURIComponent(signIn.password) } : {}),
  }
}
