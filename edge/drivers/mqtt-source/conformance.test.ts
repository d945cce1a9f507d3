import { startBroker } from '../../testing/mqtt-broker.ts'
import { pointRow } from '../../testing/rows.ts'
import { conformance, type Peer } from '../conformance.ts'
import { mqttSource } from './driver.ts'

/** A broker with one device that publishes a hundred values. */
const startPeer = async (): Promise<Peer> => {
  const broker = await startBroker()
  let isGarbled = false
  const values = Array.from({ length: 101 }, (_, n) => n)
  const tell = () => broker.publish('plant/all', isGarbled ? '{"values":[0,1' : JSON.stringify({ values }))
  await tell()
  const timer = setInterval(tell, 30)
  return {
    ...broker,
    channel: {
      ProtocolType: 80,
      Settings: { Url: `mqtt://127.0.0.1:${broker.port}`, MqttVersion: '3.1.1', SilentAfter: 0.2 },
    },
    point: (n, change = {}) => pointRow(n, `plant/all#values[${n}]`, { CollectPeriod: 20, Timeout: 200, ...change }),
    behave: (how) => {
      isGarbled = how === 'garbled'
      broker.behave(how)
    },
    value: (n) => values[n]!,
    close: () => {
      clearInterval(timer)
      return broker.close()
    },
  }
}
// There are no requests, so nothing is late.
conformance('MQTT source', mqttSource, startPeer, { isReadOnly: true, without: ['late'] })
