// Values that cross their limits and come back, and what the alarms must be: raised once and recovered once each.
import mqtt from 'mqtt'
import { topic } from '../../contract/gateway-protocol.ts'
import type { HubMessages } from '../../contract/hub.ts'
import type { Source } from '../faults/plant.ts'
import { pause } from '../faults/tiers.ts'

export type Edges = ReturnType<typeof startEdges>

/** So many crossings a second over all points of `sources`, whose high limit is 100. A message that fails is sent again. */
export const startEdges = (sources: readonly Source[], port: number, perSecond: number) => {
  const points = sources.flatMap((source) => source.points.map((id) => ({ source, id, over: false, crossings: 0 })))
  const clients = new Map<Source, mqtt.MqttClient>()
  let stopped = false
  let raised = 0
  /** Point and time of each crossing that is under way to a console. */
  const waiting = new Map<string, number>()
  const latencies: number[] = []

  const connected = async ({ SN, Key }: Source) => {
    const login = { clientId: SN, username: SN, password: Key, reconnectPeriod: 0 }
    const client = mqtt.connect(`mqtt://127.0.0.1:${port}`, { ...login, connectTimeout: 3000 }).on('error', () => undefined)
    await new Promise((done, failed) => client.once('connect', done).once('close', () => failed(new Error('closed'))))
    return client
  }
  const publish = async (source: Source, payload: string) => {
    for (;;) {
      let onClose = () => {}
      try {
        const open = clients.get(source)
        const client = open?.connected ? open : await connected(source)
        clients.set(source, client)
        const lost = new Promise<never>((_, failed) => {
          onClose = () => failed(new Error('closed'))
          client.once('close', onClose)
        })
        await Promise.race([client.publishAsync(topic(source.SN, 'up', 'data'), payload, { qos: 1 }), lost])
        client.off('close', onClose)
        return
      } catch {
        clients.get(source)?.end(true)
        clients.delete(source)
        await pause(300)
      }
    }
  }
  const cross = async (batch: typeof points) => {
    await Promise.all(
      [...Map.groupBy(batch, (p) => p.source)].map(async ([source, of]) => {
        const time = Date.now()
        for (const p of of) {
          p.over = !p.over
          p.crossings++
          if (p.over) raised++
          waiting.set(`${p.id} ${p.over ? 'raised' : 'recovered'}`, performance.now())
        }
        // Ids ascend, as in what gateways send.
        const V = Object.fromEntries(of.map((p) => [p.id, p.over ? 200 + p.crossings : p.crossings % 90]))
        const payload = JSON.stringify({ MsgId: `${time}`, Ts: time, Data: { Items: [{ D: source.device, T: time, V }] } })
        await publish(source, payload)
      }),
    )
  }
  const all = (async () => {
    let next = 0
    for (let due = performance.now(); !stopped; due = Math.max(due + 1000, performance.now())) {
      const batch = Array.from({ length: perSecond }, (_, i) => points[(next + i) % points.length]!)
      next += perSecond
      await cross(batch)
      await pause(Math.max(0, due + 1000 - performance.now()))
    }
    const over = points.filter((p) => p.over)
    for (let at = 0; at < over.length; at += 200) await cross(over.slice(at, at + 200))
    for (const client of clients.values()) client.end(true)
  })()
  return {
    points: points.length,
    latencies,
    raised: () => raised,
    /** For the console that listens. */
    heard: ({ ParaId, Event }: HubMessages['Alarm'][0]) => {
      const key = `${ParaId} ${Event}`
      const at = waiting.get(key)
      if (at !== undefined) latencies.push(performance.now() - at)
      waiting.delete(key)
    },
    /** Everything comes back within its limit; resolves when that is acknowledged. */
    stop: () => {
      stopped = true
      return all
    },
  }
}
