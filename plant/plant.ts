import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import { demoPlant } from '../contract/demo-plant.ts'
import { controller } from './controller.ts'
import { seeded } from './model/random.ts'
import { step, type World } from './model/world.ts'
import { worldAt } from './past.ts'
import { readState, restore, stateOf, writeState } from './state.ts'

export type PlantOptions = {
  /** Of the first device, the others follow; 0 = any free ones. */
  port: number
  /** The same seed and clock give the same plant. */
  seed?: number
  /** Epoch ms. */
  clock?: () => number
  /** File that its totals and set points are kept in; without one it begins each time as its date says. */
  state?: string | undefined
  /** Told of each device that is left out because its port is taken. */
  onTaken?: (device: string, port: number) => void
}

const stepMs = 100
const saveMs = 10_000

/** False where the port is taken. */
const listens = async (server: Server, port: number) => {
  server.listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    return false
  }
}

/**
 * Starts the water works on 127.0.0.1: one port per device, in the order of the table; 0 for a device whose port is taken. Rejects when
 * that is the first one: then another plant runs here.
 */
export const startPlant = async (options: PlantOptions): Promise<{ ports: number[]; world: World; close(): Promise<void> }> => {
  const clock = options.clock ?? Date.now
  const random = seeded(options.seed ?? 1)
  const world = worldAt(clock() / 1000)
  const before = options.state === undefined ? undefined : readState(options.state)
  if (before) restore(world, before)
  const save = () => options.state !== undefined && writeState(options.state, stateOf(world))
  const servers = demoPlant.map((device, index) => controller(device, index, world))
  const close = async () => {
    clearInterval(timer)
    clearInterval(saving)
    await Promise.all(
      servers.map((server) => {
        server.drop()
        return server.listening ? new Promise((resolve) => server.close(resolve)) : undefined
      }),
    )
    save()
  }
  const saving = setInterval(save, saveMs)
  const timer = setInterval(() => {
    // After a pause of the machine the world goes on from there instead of catching up.
    step(world, Math.min(5, Math.max(0, clock() / 1000 - world.seconds)), random)
    world.seconds = clock() / 1000
  }, stepMs)
  try {
    for (const [i, server] of servers.entries()) {
      const port = options.port && options.port + demoPlant[i]!.PortOffset
      if (!(await listens(server, port)) && i) options.onTaken?.(demoPlant[i]!.DeviceName, port)
      else if (!server.listening)
        throw new Error(`Port ${port} is taken. The plant needs ${demoPlant.length} free ports in a row; choose the first with PLANT_PORT.`)
    }
  } catch (error) {
    await close()
    throw error
  }
  return { ports: servers.map((server) => (server.address() as AddressInfo | null)?.port ?? 0), world, close }
}
