import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../server/database/embedded.ts'
import { clickhouseServer, startClickHouse } from '../server/telemetry/store/clickhouse/clickhouseServer.ts'
import { figure } from './figures.ts'
import { gateways, points } from './ingest.ts'
import { startLoader } from './load/job.ts'
import type { Published, PublishJob } from './load/publisher.ts'
import { seedPlant, startWorld } from './world.ts'

const debian = '/usr/lib/postgresql'
const seconds = 8

/** The same ingest with a ClickHouse server and a PostgreSQL server (Debian's) instead of the embedded engines. */
export const servers = async () => {
  const version = existsSync(debian) ? readdirSync(debian).sort().at(-1) : undefined
  if (!clickhouseServer || !version) {
    console.log('There is no clickhouse-server or no PostgreSQL of Debian here: ingest into servers is not measured.')
    return []
  }
  const folder = mkdtempSync(join(tmpdir(), 'penstock-bench-servers-'))
  const clickhouse = await startClickHouse(clickhouseServer)
  const quiet = { info: () => undefined, error: console.error }
  const postgres = await startPostgres({ folder, log: quiet, bin: join(debian, version, 'bin') })
  const publisher = startLoader<PublishJob, Published>('publisher.ts')
  const world = await startWorld(seedPlant({ gateways, points }), { DATABASE_URL: postgres.url, CLICKHOUSE_URL: clickhouse.url })
  try {
    const job = { port: world.mqttPort, gateways: world.seeded, values: points, window: 128, alarms: true }
    const { perSecond, cut } = await publisher.run({ ...job, seconds, warmUp: 3 })
    if (cut) throw new Error(`${cut} connections were cut`)
    return [figure('ingest with ClickHouse and PostgreSQL servers', perSecond * points, 'samples/s')]
  } finally {
    await publisher.end()
    await world.close()
    await postgres.stop()
    await clickhouse.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}
