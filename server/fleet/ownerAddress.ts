import { isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { newestMigration } from '../database/migrate.ts'
import type { OwnerAddress } from './frames.ts'

const ofMachine = () =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.1'

/**
 * URL of this server for other processes of the fleet: its host, or this machine's first IPv4 address if it listens on all interfaces. Undefined with
 * TLS, since the certificate is issued for another name.
 */
export const ownerAddress = ({ host, tlsCert }: { host: string; tlsCert: string | undefined }, port: number): OwnerAddress | undefined => {
  if (tlsCert) return undefined
  const name = host === '0.0.0.0' || host === '::' ? ofMachine() : host
  return { url: `http://${isIPv6(name) ? `[${name}]` : name}:${port}`, schema: newestMigration() }
}
