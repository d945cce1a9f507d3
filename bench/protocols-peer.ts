// Devices for the bench of drivers, in a process of their own: node bench/protocols-peer.ts <kind>. Tells its parent the port.
import { DataType } from 'node-opcua'
import { startBacnet } from '../edge/testing/bacnet-device.ts'
import { startOpcServer } from '../edge/testing/opcua-server.ts'
import { startS7 } from '../edge/testing/s7-plc.ts'
import { startSnmpAgent, whole } from '../edge/testing/snmp-agent.ts'

const points = 100
/** Variables of the server that change each second, in so many parts of it. */
export const [items, turns] = [10_000, 10]

const peers: Record<string, () => Promise<number>> = {
  s7: async () => {
    const plc = await startS7({ pdu: 480 })
    plc.area(0x84, 1, Buffer.alloc(2 * points + 2))
    return plc.port
  },
  snmp: async () => {
    const agent = await startSnmpAgent()
    for (let n = 1; n <= points; n++) agent.variables.set(`1.3.6.1.4.1.99999.1.${n}`, whole(n))
    return agent.port
  },
  bacnet: async () => {
    const device = await startBacnet()
    for (let n = 1; n <= points; n++) device.real(n, n)
    return device.port
  },
  opcua: async () => {
    const server = await startOpcServer()
    for (let n = 0; n < items; n++) server.add(`v${n}`, DataType.Double, 0)
    let round = 0
    setInterval(() => {
      const part = round++ % turns
      for (let n = part; n < items; n += turns) server.set(`v${n}`, DataType.Double, round)
    }, 1000 / turns)
    return server.port
  },
}

const start = peers[process.argv[2] ?? '']
if (start) process.send?.(await start())
