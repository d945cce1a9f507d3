// Modbus devices behind one soft gateway in its own process: each asked for all its registers once a second.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '../../contract/call.ts'
import type { Series } from '../../contract/telemetry.ts'
import type { FrontDoor } from '../front-door.ts'
import { temporary } from '../front-door.ts'
import { startDevice } from '../modbus-device.ts'

const program = join(import.meta.dirname, '../../edge/main.ts')
const [periodMs, tolerance] = [1000, 200]
/** Registers of a device; each answers the number of the poll in all of them. */
const registers = 100

export type Polling = Awaited<ReturnType<typeof startPolling>>

export const startPolling = async (door: FrontDoor, mqttPort: number, count: number) => {
  const SN = 'SOAKPOLLER01'
  const peers = await Promise.all(Array.from({ length: count }, () => startDevice()))
  const { gateway, Key, project } = await door.newGateway(SN, peers[0]!.port)
  const devices: number[] = []
  for (const [i, peer] of peers.entries()) {
    const net = await door.data('POST', '/Project/Protocol/NetProtocol', {
      ProtocolName: `Bus ${i}`,
      GatewayId: gateway,
      Ip: '127.0.0.1',
      Port: peer.port,
    })
    const device = await door.data('POST', '/Project/Device', { DeviceName: `PLC ${i}`, GatewayId: gateway, NetProtocolId: net.Id })
    // Once in ten seconds goes up; every second is read.
    const more = { RegisterType: 4, ParaDataType: 2, CollectType: 0, CollectPeriod: periodMs, UploadMode: 0, UploadPeriod: 10 }
    const Items = Array.from({ length: registers }, (_, a) => ({ ParaName: `R${a}`, Address: String(a), ...more }))
    await door.data('POST', '/Project/DevPara/BatchAdd', { DeviceId: device.Id, Items })
    devices.push(device.Id)
  }
  const last = peers.map(() => 0)
  let [polls, late] = [0, 0]
  let counting = false
  for (const [i, peer] of peers.entries()) {
    let number = 0
    peer.state.onRead = () => {
      peer.registers.fill(++number % 60_000, 0, registers)
      const now = performance.now()
      if (counting && last[i]) {
        polls++
        if (Math.abs(now - last[i]! - periodMs) > tolerance) late++
      }
      last[i] = now
    }
  }
  const folder = temporary()
  const env = { EDGE_SERVER: `mqtt://127.0.0.1:${mqttPort}`, EDGE_SN: SN, EDGE_KEY: Key, EDGE_DATA: folder }
  const child: ChildProcess = spawn(process.execPath, [program], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await door.online(gateway)
  const pushed = await door.push(gateway)

  return {
    SN,
    pushed,
    project,
    /** Polls so far, and those that came too early or too late. */
    counts: () => ({ polls, late }),
    count: () => {
      counting = true
    },
    /** Answers with values of two polls, as they are stored. */
    mixed: async (door: FrontDoor, from: number) => {
      let mixed = 0
      let answers = 0
      for (const DeviceId of devices) {
        const { Items } = await door.data<Page<{ Id: number }>>('GET', `/V2/Project/DevPara/List?DeviceIds=${DeviceId}&PageSize=1000`)
        const { Series } = await door.data<{ Series: Series[] }>('POST', '/DataCenter/ReportData/Data', {
          ParaIds: Items.map((p) => p.Id),
          Start: from,
          End: Date.now(),
          Buckets: 10_000,
        })
        const at = new Map<number, Set<number | null>>()
        for (const s of Series) for (const [k, time] of s.Time.entries()) at.set(time, (at.get(time) ?? new Set()).add(s.Last[k]!))
        for (const values of at.values()) if (values.size > 1) mixed++
        answers += at.size
      }
      return { answers, mixed }
    },
    close: async () => {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
      await Promise.all(peers.map((peer) => peer.close()))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
