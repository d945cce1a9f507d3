// A gateway with a cut line and a shifted clock: it polls, buffers its readings, and sends them once the line is restored.
import { type GatewayOptions, startGateway } from '../../edge/agent.ts'
import type { startLine } from '../cut.ts'
import { temporary, until } from '../front-door.ts'
import type { startDevice } from '../modbus-device.ts'

type Parts = {
  line: Awaited<ReturnType<typeof startLine>>
  device: Awaited<ReturnType<typeof startDevice>>
}
/** A moment, and what the device shows from then on. */
export type Moment = readonly [time: number, change?: () => void]

/** The device has registers and coils that are polled. */
export const startGatewayOfThePast = async (given: Omit<GatewayOptions, 'server' | 'data' | 'clock'>, { line, device }: Parts) => {
  let shift = 0
  const data = temporary()
  const start = () =>
    startGateway({
      ...{ server: `mqtt://127.0.0.1:${line.port}`, data, clock: () => Date.now() + shift, reconnectMs: { min: 50, max: 400 } },
      ...given,
    })
  let edge = await start()
  /** Everything has been read once more, and is on its way to the disk. */
  const scanned = () => {
    const { reads, coilReads } = device.state
    // Two requests for registers and one for coils may be a round; the last of them has not arrived yet.
    return until('what the gateway reads', () => device.state.reads >= reads + 4 && device.state.coilReads >= coilReads + 2)
  }
  return {
    /** Starts again behind a cut line and lives through these moments, which are in order. Resolves when the server has all of it. */
    live: async (moments: readonly Moment[]) => {
      line.cut()
      await edge.close()
      for (const [i, [time, change]] of moments.entries()) {
        change?.()
        shift = time - Date.now()
        if (i === 0) edge = await start()
        await scanned()
      }
      shift = 0
      line.mend()
      await until('what the gateway kept', () => edge.status().online && edge.status().queued === 0)
    },
    close: () => edge.close(),
  }
}
