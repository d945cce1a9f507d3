// What the owner of the database spends on a reading, alone and with processes that store for it. Processor time, since all share this machine.
import { readFileSync } from 'node:fs'
import { startFleetEngines } from '../main/testing/fleetEngines.ts'
import { hasNats } from '../main/testing/nats.ts'
import { clickhouseServer } from '../server/telemetry/store/clickhouse/clickhouseServer.ts'
import { makePlant } from '../tests/faults/plant.ts'
import { startSenders } from '../tests/faults/senders.ts'
import { type ServerProcess, startServerProcess } from '../tests/faults/server-process.ts'
import { until } from '../tests/front-door.ts'
import { type Figure, figure, quantile } from './figures.ts'

const [gateways, points] = [20, 100]
const messagesPerSecond = Number(process.env.BENCH_RATE ?? 75)
const seconds = Number(process.env.BENCH_SECONDS ?? 10)
/** Longer than readings that may come again are looked up after a process came. */
const warmUpMs = 15_000
const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** Processor time of a program since it began, ms; 100 ticks a second. */
const timeOf = ({ pid }: ServerProcess) => {
  const fields = readFileSync(`/proc/${pid()}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

export const ingestProcesses = async (): Promise<Figure[]> => {
  if (!clickhouseServer || !hasNats) {
    console.log('There is no ClickHouse or NATS here: processes that store are not measured.')
    return []
  }
  const engines = await startFleetEngines()
  const { NATS_URL, DATABASE_URL, CLICKHOUSE_URL } = engines.env
  const starting = startServerProcess({ ROLES: 'gateway', NATS_URL })
  const owner = await startServerProcess({ ...engines.env, ROLES: 'api,ingest,worker' })
  const broker = await starting
  const sources = await makePlant(await owner.door(), gateways, points, 'STORED')
  const sending = startSenders(sources, { port: broker.mqttPort, messagesPerSecond })
  const storing: ServerProcess[] = []
  const found: Figure[] = []
  for (const count of [0, 1, 2]) {
    while (storing.length < count) storing.push(await startServerProcess({ NATS_URL, DATABASE_URL, CLICKHOUSE_URL, ROLES: 'ingest' }))
    const before = sending.ackedCount()
    await until('acknowledgements', () => sending.ackedCount() > before + 100)
    await sleep(warmUpMs)
    const use = () => ({ acked: sending.ackedCount(), owner: timeOf(owner), storing: storing.reduce((sum, one) => sum + timeOf(one), 0) })
    const from = use()
    const begun = performance.now()
    await sleep(seconds * 1000)
    const to = use()
    const readings = (to.acked - from.acked) * points
    const each = (part: 'owner' | 'storing') => ((to[part] - from[part]) * 1000) / readings
    const waits = sending.latencies.filter(({ at }) => at > begun).map(({ ms }) => ms)
    const name = `with ${count} ingest processes`
    found.push(
      figure(`${name}: owner for a reading`, each('owner'), 'µs'),
      ...(count ? [figure(`${name}: all of those for a reading`, each('storing'), 'µs')] : []),
      figure(`${name}: readings acknowledged`, readings / seconds, '/s'),
      figure(`${name}: wait of an acknowledgement, p99`, quantile(waits, 0.99), 'ms'),
    )
  }
  await sending.stop()
  for (const process of [broker, ...storing, owner]) {
    await process.stop()
    process.remove()
  }
  await engines.close()
  return found
}
