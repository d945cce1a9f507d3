import mqtt from 'mqtt'
import { topic } from '../../contract/gateway-protocol.ts'
import { visit } from '../faults/console-client.ts'
import type { Source } from '../faults/plant.ts'

/** Consoles that each watch one point. Dropped ones reconnect on request. */
export const openConsoles = async (origin: string, tokens: readonly string[], ids: readonly number[], count: number) => {
  let open: Awaited<ReturnType<typeof visit>>[] = []
  // Fifty at a time, none waits for the slowest of the others.
  const connect = async () => {
    open = []
    let next = 0
    const lane = async () => {
      for (let i = next++; i < count; i = next++) open.push(await visit(origin, tokens[i % tokens.length]!, [ids[i % ids.length]!]))
    }
    await Promise.all(Array.from({ length: 50 }, lane))
  }
  await connect()
  return {
    /** How many are connected. */
    count: () => open.filter(({ socket }) => socket.readyState === socket.OPEN).length,
    /** Starts all over. Returns the ms it took. */
    again: async () => {
      for (const { socket } of open) socket.terminate()
      const from = performance.now()
      await connect()
      return performance.now() - from
    },
    close: () => {
      for (const { socket } of open) socket.terminate()
    },
  }
}

/** From a gateway's clock to a console: a value of now, five times a second. */
export const startProbe = async ({ SN, Key, device, points }: Source, mqttPort: number, origin: string, token: string) => {
  const latencies: number[] = []
  const point = points[0]!
  const listen = () =>
    visit(origin, token, [point], {
      values: (values) => {
        for (const [, time] of values) latencies.push(Date.now() - time)
      },
    })
  let console = await listen()
  const client = mqtt.connect(`mqtt://127.0.0.1:${mqttPort}`, {
    clientId: SN,
    username: SN,
    password: Key,
    reconnectPeriod: 500,
    queueQoSZero: false,
  })
  client.on('error', () => undefined)
  let n = 0
  const timer = setInterval(() => {
    const T = Date.now()
    const payload = JSON.stringify({ MsgId: `${T}`, Ts: T, Data: { Items: [{ D: device, T, V: { [point]: ++n } }] } })
    // What cannot leave now is of no use later.
    if (client.connected) client.publish(topic(SN, 'up', 'data'), payload, { qos: 0 })
  }, 200)
  return {
    latencies,
    again: async () => {
      console.socket.terminate()
      console = await listen()
    },
    close: async () => {
      clearInterval(timer)
      console.socket.terminate()
      client.end(true)
    },
  }
}
