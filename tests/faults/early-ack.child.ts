// Negative control: a broker that acknowledges immediately and stores a moment later. The tally must detect its losses.
import mqtt from 'mqtt'
import { topic } from '../../contract/gateway-protocol.ts'
import { startEmbedded } from '../../server/mqtt/embedded.ts'

const [port = '', upstream = '', keys = '{}'] = process.argv.slice(2)
const keyOf: Record<string, string> = JSON.parse(keys)
const commitMs = 100
const clients = new Map<string, mqtt.MqttClient>()
const clientOf = (sn: string) => {
  const known = clients.get(sn) ?? mqtt.connect(`mqtt://127.0.0.1:${upstream}`, { clientId: sn, username: sn, password: keyOf[sn] })
  clients.set(sn, known)
  return known
}
const broker = await startEmbedded({
  host: '127.0.0.1',
  port: Number(port),
  authenticate: async () => true,
  onMessage: async (sn, kind, payload) => {
    setTimeout(() => clientOf(sn).publish(topic(sn, 'up', kind), payload, { qos: 1 }), commitMs)
  },
})
await broker.open()
console.log('ready')
