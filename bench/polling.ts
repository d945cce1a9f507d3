import { figure } from './figures.ts'
import { startLoader } from './load/job.ts'
import type { Polled, PollJob } from './load/poller.ts'

const [devices, points, seconds] = [4, 1000, 8]

/** The soft gateway's poller against devices that answer immediately, each point read in a loop; beside it the same requests, bare. */
export const polling = async () => {
  const plc = startLoader<{ devices: number }, { ports: number[] }>('registers.ts')
  const poller = startLoader<PollJob, Polled>('poller.ts')
  try {
    const { ports } = await plc.run({ devices })
    const bare = await poller.run({ kind: 'bare', ports, points, seconds })
    const ours = await poller.run({ kind: 'gateway', ports, points, seconds })
    return [
      figure('Modbus polling, points a second of one core', ours.readings / ours.cpuSeconds, 'points/s', bare.readings / bare.cpuSeconds),
    ]
  } finally {
    await Promise.all([poller.end(), plc.end()])
  }
}
