// The engines that processes of a fleet share, as real servers on free ports.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { startPostgres } from '../../server/database/embedded.ts'
import { clickhouseServer, startClickHouse } from '../../server/telemetry/store/clickhouse/clickhouseServer.ts'
import { startNats } from './nats.ts'

/** `env`: settings of a server. `natsServers`: size of the NATS cluster. Needs ClickHouse and nats-server. */
export const startFleetEngines = async ({ natsServers = 1 } = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'penstock-fleet-'))
  const postgres = await startPostgres({ folder: join(folder, 'postgres'), log: { info: () => undefined, error: console.error } })
  const clickhouse = await startClickHouse(clickhouseServer!)
  const nats = await startNats(natsServers)
  const buckets = { directory: join(folder, 's3'), configureBuckets: [{ name: 'penstock', configs: [] }] }
  const s3 = new S3rver({ address: '127.0.0.1', port: 0, silent: true, ...buckets })
  const { port } = await s3.run()
  const env = {
    ...{ NATS_URL: nats.url, DATABASE_URL: postgres.url, CLICKHOUSE_URL: clickhouse.url },
    PENSTOCK_VAULT_KEY: randomBytes(32).toString('base64'),
    S3_URL: `http://S3RVER:S3RVER@127.0.0.1:${port}/penstock`,
  }
  const close = async () => {
    await nats.remove()
    await clickhouse.remove()
    await postgres.stop()
    await s3.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { env, nats, clickhouse, close }
}
