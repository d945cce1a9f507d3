import { startPlant } from './plant.ts'

const complain = (error: unknown) => {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exit(1)
}

const readSettings = (env: Record<string, string | undefined>) => {
  for (const name of Object.keys(env))
    if (name.startsWith('PLANT_') && name !== 'PLANT_PORT' && name !== 'PLANT_STATE')
      throw new Error(`${name} is not a setting. Known: PLANT_PORT, PLANT_STATE.`)
  const port = Number(env.PLANT_PORT ?? 15020)
  if (!Number.isInteger(port) || port < 0 || port > 65500) throw new Error(`PLANT_PORT must be a port; it is "${env.PLANT_PORT}".`)
  return { port, state: env.PLANT_STATE || undefined, seed: Date.now() % 2 ** 32 }
}

try {
  const plant = await startPlant({ ...readSettings(process.env), onTaken: (device, port) => process.send?.({ device, port }) })
  process.stdout.write(`The plant answers on 127.0.0.1, ports ${plant.ports[0]} to ${plant.ports.at(-1)}\n`)
  const stop = () => void plant.close().then(() => process.exit(0), complain)
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  process.once('disconnect', stop)
} catch (error) {
  complain(error)
}
