import { existsSync } from 'node:fs'
import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'
import pino, { type Logger } from 'pino'
import { freezePrototypes } from '../contract/prototypes.ts'
import { keepFilesPrivate } from './privacy.ts'
import { partsOf } from './roles.ts'
import { readSettings, type Settings } from './settings.ts'
import { printStep, printSteps, welcome } from './welcome.ts'

const secrets = ['password', 'Pwd', 'OldPwd', 'NewPwd', 'Key', 'authorization', '*.Pwd', '*.Key', '*.password', 'req.headers.authorization']

const explain = (error: unknown, settings: { port: number; mqttPort: number }) => {
  const { code, port, message } = error as { code?: string; port?: number; message: string }
  if (code !== 'EADDRINUSE') return message
  const name = port === settings.mqttPort ? 'PENSTOCK_MQTT_PORT' : 'PENSTOCK_PORT'
  return `Port ${port} is taken by another program: stop it, or choose another port with ${name}.`
}

/** EX_CONFIG of sysexits.h: a restart by the supervisor would fail as well. */
const badSettings = 78

/** Prints the address by then, even if the demo plant is still starting. */
const boxWithinMs = 5000

const parseSettings = () => {
  try {
    return readSettings(process.env)
  } catch (error) {
    console.error((error as Error).message)
    process.exit(badSettings)
  }
}

type Life = { stop: (() => Promise<unknown>)[]; isStopping: () => boolean }

/** Runs the server, or stands by for it. */
const runAsServer = async (settings: Settings, log: Logger, { stop, isStopping }: Life) => {
  const [{ runServer }, { startDemo }, { standsBy }] = await Promise.all([
    import('./run.ts'),
    import('./demo.ts'),
    import('../server/http/standby.ts'),
  ])
  let first = true
  const running = runServer(settings, log, Date.now, {
    async onStart(started) {
      // Also for the start after a crash, when nothing is written at the end.
      flushCompileCache()
      if (!first) {
        console.log('Penstock runs again.')
        return settings.demo ? (await startDemo(started, settings, log)).stop : async () => undefined
      }
      first = false
      const box = await welcome(started, settings)
      let isTold = false
      const tell = () => {
        if (!isTold && !isStopping()) console.log(box)
        isTold = true
      }
      if (!settings.demo) {
        tell()
        return async () => undefined
      }
      setTimeout(tell, boxWithinMs).unref()
      const demo = await startDemo(started, settings, log, printStep)
      void demo.connected.then(tell)
      return demo.stop
    },
    onStep: printSteps(),
    onStandby: () => {
      // Writing takes up to 1.5 s, which would delay readings during a takeover.
      flushCompileCache()
      console.log(`\n${standsBy}\n`)
    },
    onLost(error) {
      log.fatal({ err: error }, 'the server cannot go on')
      process.exit(1)
    },
  })
  stop.push(running.close)
  await running.start()
}

/** Starts the parts of the work that the settings name. */
const begin = async (settings: Settings, log: Logger, life: Life) => {
  const { isBroker, isApi, isIngest, isServer } = partsOf(settings.roles)
  const { natsUrl, databaseUrl, vaultKey } = settings
  if (!natsUrl || (isServer && !isBroker)) return runAsServer(settings, log, life)
  if (isIngest) {
    const { openIngestProcess } = await import('./ingestProcess.ts')
    const { isStopping } = life
    life.stop.push(await openIngestProcess({ settings: { ...settings, natsUrl, databaseUrl: databaseUrl! }, log, isStopping }))
    return console.log('\nPenstock is ready to store readings.\n')
  }
  const { openFleetBroker, processFigures } = await import('./gatewayProcess.ts')
  const broker = isBroker ? await openFleetBroker({ ...settings, natsUrl }, log, !isServer) : undefined
  if (broker) {
    life.stop.push(broker.close)
    if (isServer) return runAsServer({ ...settings, mqttPort: broker.port() }, log, life)
    if (!isApi) {
      const { openHealthPort } = await import('./healthPort.ts')
      life.stop.push(await openHealthPort(settings, { probes: broker.probes, figures: processFigures(broker) }))
    }
    console.log(`\nPenstock is ready for gateways at ${settings.tlsCert ? 'mqtts' : 'mqtt'}://${settings.host}:${broker.port()}.\n`)
  }
  if (!isApi) return
  const { openApiProcess } = await import('./apiProcess.ts')
  const asApi = { ...settings, natsUrl, databaseUrl: databaseUrl!, vaultKey: vaultKey! }
  life.stop.push(await openApiProcess({ settings: asApi, log, isStopping: life.isStopping, broker }))
  console.log(`\nPenstock is ready for people at ${settings.tlsCert ? 'https' : 'http'}://${settings.host}:${settings.port}.\n`)
}

/** Compiling takes a large part of a start. The cache adds no risk: writers of the data folder can do anything already. */
const cacheCompiled = (folder: string) => {
  // For worker threads: without it, each loads the compiler of TypeScript, which takes more memory than most of their work.
  process.env.NODE_COMPILE_CACHE ??= folder
  enableCompileCache(process.env.NODE_COMPILE_CACHE)
}

const main = async () => {
  keepFilesPrivate()
  const settings = parseSettings()
  if (existsSync(settings.data)) cacheCompiled(join(settings.data, 'cache'))
  const log = pino(
    { level: settings.log, redact: { paths: secrets, censor: '[hidden]' } },
    process.stdout.isTTY ? (await import('pino-pretty')).default({ ignore: 'pid,hostname', minimumLevel: 'warn' }) : pino.destination(1),
  )
  const stop: (() => Promise<unknown>)[] = []
  let stopping: Promise<void> | undefined
  const stopAll = () => {
    stopping ??= (async () => {
      for (const undo of stop.splice(0).reverse()) await undo()
    })()
    return stopping
  }
  // The first signal flushes and closes; a second one does not wait.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (stopping) process.exit(1)
      void stopAll().then(() => process.exit(0))
    })
  // npm start was killed and can no longer forward signals.
  if (process.connected) process.once('disconnect', () => void stopAll().then(() => process.exit(0)))

  // After an uncaught error the state is unknown: flushes accepted readings and exits, so that the supervisor restarts the process.
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (err) => {
      log.fatal({ err }, event)
      void stopAll().finally(() => process.exit(1))
    })

  try {
    await begin(settings, log, { stop, isStopping: () => stopping !== undefined })
    freezePrototypes()
  } catch (error) {
    await stopAll()
    console.error(`Penstock cannot start. ${explain(error, settings)}`)
    if (settings.log === 'debug' || settings.log === 'trace') console.error(error)
    process.exit(1)
  }
}

main().catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})
