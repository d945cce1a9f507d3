// The pause of acknowledgements while a server that owns the database is stopped in order and its successor, on standby, takes over.
// Gateways are connected to a gateway process, which waits.
import { startFleetEngines } from '../main/testing/fleetEngines.ts'
import { hasNats } from '../main/testing/nats.ts'
import { clickhouseServer } from '../server/telemetry/store/clickhouse/clickhouseServer.ts'
import { makePlant } from '../tests/faults/plant.ts'
import { startSenders } from '../tests/faults/senders.ts'
import { startServerProcess } from '../tests/faults/server-process.ts'
import { until } from '../tests/front-door.ts'
import { type Figure, figure, quantile } from './figures.ts'

const [gateways, points, messagesPerSecond] = [20, 100, 25]
const stops = 5
const settleMs = 3000
const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms))

export const plannedStop = async (): Promise<Figure[]> => {
  if (!clickhouseServer || !hasNats) {
    console.log('There is no ClickHouse or NATS here: the pause of a planned stop is not measured.')
    return []
  }
  const engines = await startFleetEngines()
  const env = { ...engines.env, ROLES: 'api,ingest,worker' }
  const starting = startServerProcess({ ROLES: 'gateway', NATS_URL: env.NATS_URL })
  let owner = await startServerProcess(env)
  const broker = await starting
  let other = await startServerProcess(env, { standby: true })
  const sources = await makePlant(await owner.door(), gateways, points, 'STOP')
  const sending = startSenders(sources, { port: broker.mqttPort, messagesPerSecond })
  const goesOn = async () => {
    const before = sending.ackedCount()
    await until('acknowledgements', () => sending.ackedCount() > before + 100)
  }
  const pauses: number[] = []
  for (let i = 0; i < stops; i++) {
    await goesOn()
    await sleep(settleMs)
    const asked = performance.now()
    await owner.stop()
    await other.serving()
    await goesOn()
    pauses.push(sending.latencies.filter(({ at }) => at > asked).reduce((most, { ms }) => Math.max(most, ms), 0))
    await owner.stand()
    ;[owner, other] = [other, owner]
  }
  await sending.stop()
  for (const process of [broker, other, owner]) {
    await process.stop()
    process.remove()
  }
  await engines.close()
  const name = `planned stop at ${(gateways * points * messagesPerSecond).toLocaleString('en')} samples/s, longest wait of an acknowledgement`
  return [figure(name, Math.max(...pauses), 'ms'), figure('the same, median of the stops', quantile(pauses, 0.5), 'ms')]
}
