import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { withoutPrototype } from '../../../../contract/prototypes.ts'
import { Fault } from '../../../http/faults.ts'

const openClient = (url: string, max_open_connections: number, request_timeout: number) =>
  createClient(
    withoutPrototype({
      url,
      max_open_connections,
      request_timeout,
      // Problems come back as errors; the client's own lines would bypass the log.
      log: { level: ClickHouseLogLevel.OFF },
      clickhouse_settings: { output_format_json_quote_64bit_integers: 0 } as const,
    }),
  )

/** With replicas, requests time out sooner. */
const openClients = (url: string, alone: boolean) => ({
  client: openClient(url, 10, alone ? 120_000 : 15_000),
  /** Long work asks here, one question after the other. */
  aside: openClient(url, 1, 120_000),
  /** Health check on its own connection, past the queue of the others. */
  probe: openClient(url, 1, 10_000),
})
type Clients = ReturnType<typeof openClients>

/** The server holds another shard than the one it is configured for. */
export class WrongServer extends Error {}

/** Transient error codes: time-outs, ZooKeeper unavailable, quorum not met. */
const passing = new Set(['159', '209', '210', '225', '242', '285', '286', '319', '999'])
/** ClickHouse error code; undefined for network errors. The client does not parse all messages of old servers. */
const codeOf = (error: unknown): string | undefined => {
  const { code, message = '' } = error as { code?: string; message?: string }
  return code && /^\d+$/.test(code) ? code : /^Code: (\d+)/.exec(message)?.[1]
}
const isRefusal = (error: unknown): boolean => {
  const code = codeOf(error)
  return error instanceof WrongServer || (code !== undefined && !passing.has(code))
}

export type Replicas = ReturnType<typeof openReplicas>

/** Retry interval for unprepared servers, ms. */
const againMs = 5000

/**
 * Replicas of a shard with failover: uses the last one that answered. Runs `prepare` on every replica, with retries, so
 * that replication starts. Queries throw Fault `unavailable` if no replica answers, and WrongServer
 * if a replica belongs to another shard.
 */
export const openReplicas = (urls: readonly string[], prepare: (client: ClickHouseClient, url: string) => Promise<void>) => {
  const all = urls.map((url) => ({ url, clients: openClients(url, urls.length === 1), prepared: undefined as Promise<void> | undefined }))
  const prepared = (server: (typeof all)[number]) => {
    server.prepared ??= prepare(server.clients.client, server.url).catch((error) => {
      server.prepared = undefined
      throw error
    })
    return server.prepared
  }
  const prepareAll = () => Promise.allSettled(all.map(prepared))
  const first = prepareAll()
  const again = setInterval(() => void prepareAll(), againMs).unref()

  let current = 0
  const ask = async <T>(kind: keyof Clients, work: (client: ClickHouseClient) => Promise<T>): Promise<T> => {
    for (const outcome of await first) if (outcome.status === 'rejected' && outcome.reason instanceof WrongServer) throw outcome.reason
    for (let [tries, skipped] = [1, 0]; ; tries++) {
      const [mine, server] = [current, all[(current + skipped) % all.length]!]
      try {
        await prepared(server)
        return await work(server.clients[kind])
      } catch (error) {
        if (isRefusal(error)) throw error
        if (tries >= all.length) throw new Fault('unavailable')
        // Fails over for this call only: the server itself is up.
        if (codeOf(error) !== undefined) skipped++
        else if (current === mine) current = (mine + 1) % all.length
      }
    }
  }
  return {
    ask,
    close: async () => {
      clearInterval(again)
      await first
      for (const { clients } of all) await Promise.all(Object.values(clients).map((client) => client.close()))
    },
  }
}
