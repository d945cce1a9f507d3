// Modbus RTU at 115,200 over a pair of pseudo terminals: what the driver takes between an answer and its next question.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { modbus } from '../edge/drivers/modbus/driver.ts'
import { silenceOf } from '../edge/drivers/serial.ts'
import { Channel } from '../edge/poll/channel.ts'
import { hasPty } from '../edge/testing/pty.ts'
import { channelRow, pointRow } from '../edge/testing/rows.ts'
import { type Figure, figure, quantile } from './figures.ts'

const seconds = Number(process.env.BENCH_SECONDS ?? 8)
const baudRate = 115_200

export const rtu = async (): Promise<Figure[]> => {
  if (!hasPty) {
    console.log('There is no python3 here: Modbus RTU is not measured.')
    return []
  }
  const slave = spawn('python3', [join(import.meta.dirname, 'load/rtu_slave.py')], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [path] = (await once(slave.stderr, 'data')) as [Buffer]
  const row = channelRow(0, { CommType: 1, ProtocolType: 1, SerialPort: path.toString().trim(), BaudRate: baudRate })
  // Registers that no request takes together, in a loop.
  const points = Array.from({ length: 20 }, (_, n) => pointRow(n + 1, n * 200, { CollectType: 1, Timeout: 1000 }))
  const polled = new Channel({
    ...{ channel: row, points, now: Date.now, emit: () => {}, onFirst: () => {}, onDevice: () => {} },
    open: (changed) => modbus({ channel: row, changed }),
    onChannel: (isUp, why) => {
      if (!isUp) throw new Error(why)
    },
  })
  try {
    polled.start()
    await new Promise((resolve) => setTimeout(resolve, 1000))
    let text = ''
    slave.stdout.on('data', (bytes) => {
      text += bytes
    })
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    const beyond = text
      .trim()
      .split('\n')
      .slice(1, -1)
      .map((gap) => Number(gap) / 1000 - silenceOf(baudRate))
    return [
      figure('Modbus RTU at 115,200, answer to next question beyond the silence, p95', quantile(beyond, 0.95), 'ms'),
      figure('the same, p50', quantile(beyond, 0.5), 'ms'),
      figure('the same, the shortest; less than 0 would cut the silence short', quantile(beyond, 0), 'ms'),
      figure('the same, questions a second', beyond.length / seconds, '/s'),
    ]
  } finally {
    await polled.close()
    slave.kill('SIGKILL')
  }
}
